/** Finds single characters between nodes, outside comments. */

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*/g;

/** A range of text between two nodes, which can hold comments. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Last position of `mark` in a range, outside comments; -1 without one. */
export function lastIn(text: string, mark: string, { from, to }: Stretch): number {
  const at = masked(text, { from, to }).lastIndexOf(mark);
  return at < 0 ? -1 : from + at;
}

/** Text of the range with blanked comments. */
export function masked(text: string, { from, to }: Stretch): string {
  return text.slice(from, to).replace(COMMENT, (comment) => " ".repeat(comment.length));
}

/** Position of the next character that is neither space nor comment, and whether a line break
 * precedes it. */
export function nextText(text: string, from: number): { at: number; newline: boolean } {
  const gap = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/y;
  gap.lastIndex = from;
  const [skipped = ""] = gap.exec(text) ?? [];
  return { at: from + skipped.length, newline: /[\n\r\u2028\u2029]/.test(skipped) };
}
