/** The author's own lines, shown under an error. */

const MAX_WIDTH = 160;

/** `  4 | const x = …` with a caret below the column; empty when the text has no such line. */
export function excerpt(text: string, line: number, column?: number): string {
  const source = text.split(/\r\n|[\n\r]/)[line - 1];
  if (source === undefined || source.trim() === "") return "";
  const from = Math.max(0, (column ?? 1) - Math.floor(MAX_WIDTH * 0.75));
  const segment = source.slice(from, from + MAX_WIDTH).replaceAll("\t", " ");
  const gutter = `  ${line} | `;
  if (column === undefined) return `${gutter}${segment}`;
  const caret = " ".repeat(gutter.length - 2) + "| " + " ".repeat(Math.max(0, column - 1 - from));
  return `${gutter}${segment}\n${caret}^`;
}
