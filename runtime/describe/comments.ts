/** Moves comments to lines of their own: the compiler ascribes one after `{`, `(` or `,` on the
 * same line to the code before it. */

import { commentStarts } from "../syntax/parse.ts";

export interface OpenedText {
  readonly text: string;
  /** Offsets in the original text at which line breaks were inserted. */
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

/** Offset in the original text. */
export function originalOffset(offset: number, breaks: readonly number[]): number {
  let before = 0;
  while (before < breaks.length && (breaks[before] ?? 0) + before < offset) before++;
  return offset - before;
}
