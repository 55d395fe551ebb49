/** Searches of long texts. They yield regularly to other work, because a text may have millions of
 * lines, and end with their run. */

import { createTurns } from "#base";

/** Steps after which a search may yield. */
const YIELD_AFTER = 100_000;

/** Counts the ends of lines. */
export async function countEnds(text: string, signal: AbortSignal): Promise<number> {
  const turn = createTurns(signal);
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++count % YIELD_AFTER === 0) await turn();
  }
  return count;
}

/** Counts the lines of a text; a last line without an end counts. */
export async function countLines(text: string, signal: AbortSignal): Promise<number> {
  const ends = await countEnds(text, signal);
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

/** Offset of the line after `before` lines, or the end of the text. */
export async function lineStart(
  text: string,
  { before, signal }: { readonly before: number; readonly signal: AbortSignal },
): Promise<number> {
  const turn = createTurns(signal);
  let at = 0;
  for (let line = 0; line < before; line++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
    if (line % YIELD_AFTER === YIELD_AFTER - 1) await turn();
  }
  return at;
}
