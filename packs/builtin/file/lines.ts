/** Places of lines in a long text, looked for with breaths in between: a file may have millions, and
 * nobody else has to wait for them. */

import { setImmediate } from "node:timers/promises";

const BREATH = 100_000;

/** How often a text is in another, counted to `most`. */
export async function countOf(
  wanted: string,
  { text, most = Infinity }: { readonly text: string; readonly most?: number },
): Promise<number> {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    if (++count >= most) break;
    if (count % BREATH === 0) await setImmediate();
  }
  return count;
}

/** How many lines there are; what ends a line belongs to it. */
export async function countLines(text: string): Promise<number> {
  const ends = await countOf("\n", { text });
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

/** Where the line begins that has `before` lines before it; the end where there is none. */
export async function lineStart(text: string, before: number): Promise<number> {
  let at = 0;
  for (let line = 0; line < before; line++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
    if (line % BREATH === BREATH - 1) await setImmediate();
  }
  return at;
}
