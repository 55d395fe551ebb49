/** Puts comments on lines of their own: the compiler takes one that stands behind a `{`, `(` or `,`
 * on the same line for a remark on what was before. */

import { commentStarts } from "../syntax/parse.ts";

export interface OpenedText {
  readonly text: string;
  /** Where a line break was put in, as offsets of the original text. */
  readonly breaks: readonly number[];
}

export function openComments(text: string): OpenedText {
  const breaks = commentStarts(text).filter((start) => {
    return text.startsWith("/**", start) && /[{(,;|&][ \t]*$/.test(text.slice(0, start));
  });
  let opened = "";
  let from = 0;
  for (const at of breaks) {
    opened += `${text.slice(from, at)}\n`;
    from = at;
  }
  return { text: opened + text.slice(from), breaks };
}

/** The offset in the original text. */
export function originalOffset(offset: number, breaks: readonly number[]): number {
  let before = 0;
  while (before < breaks.length && (breaks[before] ?? 0) + before < offset) before++;
  return offset - before;
}
