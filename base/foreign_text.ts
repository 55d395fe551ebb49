/** Text of programs and servers, made visible as it is and short. */

/** Characters that are not seen, or that change how others are: controls, separators, direction,
 * joiners, fillers, tags, and marks upon marks. */
const UNSEEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}|(?<=\p{M}{3})\p{M}|^\p{M}/gu;
const WIDTH = 72;
const WIDE = 0x1100;
/** Parts that are not broken: what is said of characters left out, and single characters. */
const PARTS = /… \(\d{1,9} more \w{4,10}\) …|./gsu;

/** Writes characters that are not seen as escapes, `\u202e`. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** The same for a text whose line ends stay. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeUnseen).join("\n");
}

/** Writes a text in quotes; of one with more characters, its beginning and its end. */
export function shorten(text: string, most: number): string {
  const whole = text.length <= most ? quoted(text) : undefined;
  if (whole !== undefined && whole.length <= most + 2) return whole;
  const room = Math.floor(most / 2);
  const begin = longest(text.slice(0, room), room, (part, length) => part.slice(0, length));
  const rest = text.slice(begin.length);
  const end = longest(rest.slice(-room), room, (part, length) => part.slice(-length));
  const left = text.length - begin.length - end.length;
  return `${quoted(begin)} … (${left} more characters) … ${quoted(end)}`;
}

/** The longest part of a text that is no longer than this once it is escaped. */
function longest(
  text: string,
  room: number,
  cut: (text: string, length: number) => string,
): string {
  let part = text;
  while (part.length > 1 && quoted(part).length > room + 2) {
    part = cut(part, Math.max(1, Math.floor(part.length * 0.8)));
  }
  return part;
}

function quoted(text: string): string {
  return `"${escapeUnseen(JSON.stringify(text).slice(1, -1))}"`;
}

/** Breaks a line where a terminal would, so that each part can be set off. */
export function wrap(line: string): string[] {
  const lines: string[] = [];
  let current = "";
  let width = 0;
  for (const part of line.match(PARTS) ?? []) {
    const isWide = (part.codePointAt(0) ?? 0) >= WIDE;
    const columns = isWide && [...part].length === 1 ? 2 : part.length;
    if (width + columns > WIDTH) {
      lines.push(current);
      [current, width] = ["    ", 4];
    }
    current += part;
    width += columns;
  }
  return [...lines, current];
}
