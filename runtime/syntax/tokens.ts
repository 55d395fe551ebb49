/** Looking for single characters and words between nodes, past comments. */

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*/g;

/** A stretch of text between two nodes, where nothing but comments can hide a character. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where a stretch last holds `mark` outside comments, or -1. */
export function lastIn(text: string, mark: string, { from, to }: Stretch): number {
  const at = masked(text, { from, to }).lastIndexOf(mark);
  return at < 0 ? -1 : from + at;
}

/** The stretch with its comments blanked. */
export function masked(text: string, { from, to }: Stretch): string {
  return text.slice(from, to).replace(COMMENT, (comment) => " ".repeat(comment.length));
}

/** Where the next character that is neither space nor comment stands, and whether a line break
 * comes before it. */
export function nextText(text: string, from: number): { at: number; newline: boolean } {
  const gap = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/y;
  gap.lastIndex = from;
  const [skipped = ""] = gap.exec(text) ?? [];
  return { at: from + skipped.length, newline: /[\n\r\u2028\u2029]/.test(skipped) };
}
