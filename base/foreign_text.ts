/** Text of programs and servers as a person sees it: invisible characters are shown, long texts
 * cut. */

/** Characters that are invisible or change how others look: controls, separators, direction,
 * joiners, fillers, empty signs, tags, and stacked combining marks. */
const UNSEEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]|(?! )\p{Z}|(?<=\p{M}{3})\p{M}|^\p{M}/gu;
/** Runs of nine or more blanks, or of the same escape. */
const RUN = /( |\\(?:[bfnrtv]|u[0-9a-f]{4}|u\{[0-9a-f]{5,6}\}))\1{8,}/g;
/** Blanks at the beginning of a line that count as its indentation. */
const MOST_INDENT = 40;
/** Columns of a row where the width of the screen is unknown. */
export const ROW = 76;
/** Columns that a row has at least. */
const LEAST = 12;
const INDENT = "    ";
/** Parts that stay in one row: the note about omitted characters, and a character with its
 * marks. */
const PARTS = /… \(\d{1,9} [^()]{4,16}\) …|.\p{M}*/gsu;
/** Parts of those that are longer than a row. */
const CHARACTERS = /.\p{M}*/gsu;
const MARK = "  | ";

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

/** Writes a line as a person decides by it: nothing is unseen, a long run of blanks is counted, and a
 * blank at the end can be seen. */
export function visibleLine(text: string): string {
  return countBlanks(escapeUnseen(text)).replace(/ $/, "\\u0020");
}

function countBlanks(text: string): string {
  return text.replace(RUN, (run: string, one: string, at: number) => {
    const isIndent = at === 0 && one === " " && run.length <= MOST_INDENT;
    return isIndent
      ? run
      : `… (${run.length / one.length} ${one === " " ? "blanks" : `times ${one}`}) …`;
  });
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
  return `"${countBlanks(escapeUnseen(JSON.stringify(text).slice(1, -1)))}"`;
}

interface Rows {
  /** Columns of a row, with its mark. */
  readonly columns?: number;
  /** Beginning of each row. */
  readonly mark?: string;
}

/** Breaks foreign lines into rows that begin with a mark each, so that none passes for a row of ours. */
export function setOff(
  lines: readonly string[],
  { columns = ROW, mark = MARK }: Rows = {},
): readonly string[] {
  return lines.flatMap((line) => wrap(line, columns - mark.length)).map((row) => mark + row);
}

/** A line that begins with words of ours: its further rows are set off. */
export function setOffRest(line: string, columns = ROW): readonly string[] {
  const [first = "", ...rest] = wrap(line, columns - MARK.length);
  return [first, ...rest.map((row) => MARK + row)];
}

/** Breaks a line before a terminal would. */
function wrap(line: string, width: number): string[] {
  const most = Math.max(width, LEAST);
  const rows: string[] = [];
  let current = "";
  let columns = 0;
  for (const part of partsOf(line, most - INDENT.length)) {
    const more = columnsOf(part);
    if (columns + more > most) {
      rows.push(current);
      [current, columns] = [INDENT, INDENT.length];
    }
    current += part;
    columns += more;
  }
  return [...rows, current];
}

function* partsOf(line: string, most: number): Generator<string> {
  for (const [part] of line.matchAll(PARTS)) {
    if (columnsOf(part) <= most) yield part;
    else yield* part.match(CHARACTERS) ?? [];
  }
}

/** The most that a terminal takes: other characters than those of ASCII may have two columns. */
function columnsOf(part: string): number {
  let columns = 0;
  for (const character of part) columns += character > "~" ? 2 : 1;
  return columns;
}

/** Normalizes a text in pieces: the engine puts accents in order, which takes the square of their
 * number. Where two pieces meet, accents keep their order, and letters are not composed. */
export function inPieces(text: string, normalize: (piece: string) => string): string {
  return text.replaceAll(/.{1,64}/gsu, (piece) => normalize(piece));
}
