/** The author's own lines, shown under an error. */

const MAX_WIDTH = 160;
/** Last line that is shown: each of many errors looks for its own. */
const LAST_LINE = 20_000;

/** `  4 | const x = …` with a caret below the column; empty when the text has no such line, or it is
 * none of the first 20,000. */
export function excerpt(text: string, line: number, column?: number): string {
  const start = startOf(text, line);
  if (start === undefined) return "";
  const from = Math.max(0, (column ?? 1) - Math.floor(MAX_WIDTH * 0.75));
  const [source = ""] = text.slice(start, start + from + MAX_WIDTH).split(/[\n\r]/, 1);
  if (source.trim() === "") return "";
  const segment = source.slice(from, from + MAX_WIDTH).replaceAll("\t", " ");
  const gutter = `  ${line} | `;
  if (column === undefined) return `${gutter}${segment}`;
  const caret = " ".repeat(gutter.length - 2) + "| " + " ".repeat(Math.max(0, column - 1 - from));
  return `${gutter}${segment}\n${caret}^`;
}

/** Position at which a line begins. */
function startOf(text: string, line: number): number | undefined {
  if (line > LAST_LINE) return undefined;
  const breaks = /\r\n|[\n\r]/g;
  for (let at = 1; at < line; at++) {
    if (!breaks.test(text)) return undefined;
  }
  return breaks.lastIndex;
}
