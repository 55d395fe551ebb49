/** Questions as a person reads them: short, whole where it matters, and plainly set off from the
 * words of Toolscript itself. */

import { type JsonValue, ROW, setOff, setOffRest, shorten, sizeAsJson, sizeIndented } from "#base";
import type { Args } from "#packs";
import type { Question } from "../types.ts";

/** Room for a value and what it holds. */
interface Room {
  /** Characters of one text. */
  readonly text: number;
  /** Members of one object, and items of one list. */
  readonly members: number;
  /** Levels of objects and lists. */
  readonly levels: number;
  /** True where small values within are written whole, at any level. */
  readonly keepsSmall?: boolean;
}

/** Rooms, widest first. The short arguments get the first one in which all of them fit, then the
 * long arguments do. */
const ROOMS: readonly Room[] = [
  { text: 600, members: 100, levels: 8 },
  { text: 300, members: 60, levels: 6 },
  { text: 120, members: 40, levels: 4 },
  { text: 60, members: 40, levels: 2 },
];
const NARROWEST: Room = { text: 40, members: 30, levels: 0, keepsSmall: true };
const MOST_CHARACTERS = 6_000;
/** The most of a value that is written before all others. */
const SHORT = 80;
/** The most of a value, as JSON and in rows, that is written whole, before longer ones. */
const SMALL = { characters: 300, inRows: 900 };
const WHOLE: Room = { text: 600, members: 2 * SMALL.characters, levels: 50 };
const NAME_CHARACTERS = 140;
const BECAUSE_CHARACTERS = 300;
/** A name that cannot be taken for anything else, and that fits into the first line. */
const PLAIN = /^[\w.$/-]{1,50}$/;

/** Writes a question for a person, in rows of so many columns. Foreign text stands in rows that begin
 * with `  | `, or behind words of ours.
 *
 * @example
 * ```ts
 * import { questionText } from "#runtime";
 * const text = questionText({ tool: "git.push", arguments: { to: "main" }, line: 3 });
 * console.assert(text === 'Allow a call of git.push (line 3)?\n  | "to": "main"');
 * ```
 */
export function questionText(
  { kind, tool, arguments: args, line, because }: Question,
  columns = ROW,
): string {
  const place = line === undefined ? "" : ` (line ${line})`;
  const isPlain = isPlainName(tool);
  const what = kind === "code" ? "the program to use" : "a call of";
  return [
    `Allow ${what} ${isPlain ? tool : "this"}${place}?`,
    ...(isPlain ? [] : setOff([shorten(tool, NAME_CHARACTERS)], { columns })),
    ...(kind === "code" ? [] : argumentLines(args, columns)),
    ...reasonLines(because, columns),
  ].join("\n");
}

/** Writes the reason for a question, as the configuration gives it. */
export function reasonLines(because: string | undefined, columns = ROW): readonly string[] {
  if (because === undefined) return [];
  return setOffRest(`Reason: ${shorten(because, BECAUSE_CHARACTERS)}`, columns);
}

/** Writes arguments as lines that are set off; a part that is left out is counted. */
export function argumentLines(args: Args, columns = ROW): readonly string[] {
  return setOff(writeArguments(args), { columns });
}

/** Writes arguments as text for a place of its own: the lines of `argumentLines`, without marks. */
export function argumentText(args: Args): string {
  return writeArguments(args).join("\n");
}

function writeArguments(args: Args): readonly string[] {
  const members = inOrder(args);
  if (members.length === 0) return ["{}"];
  const { small = [], long = [] } = bySize(members);
  const short = writeWithin(small, { most: MOST_CHARACTERS, leastText: WHOLE.text });
  const used = short.reduce((sum, line) => sum + line.length + 1, 0);
  return [...short, ...writeWithin(long, { most: MOST_CHARACTERS - used })];
}

/** Writes members in the widest room in which they have no more than so many characters; each text has
 * at least `leastText`. */
function writeWithin(
  members: readonly Member[],
  { most, leastText = 0 }: { readonly most: number; readonly leastText?: number },
): readonly string[] {
  const least = (room: Room) => ({ ...room, text: Math.max(room.text, leastText) });
  const texts = new Map<string, string>();
  for (const room of ROOMS.flatMap((room) => [{ ...room, keepsSmall: true }, room])) {
    const writer = new Writer(most, texts);
    const lines = writer.members(members, least(room));
    if (!writer.isFull) return lines;
  }
  return new Writer(Infinity, texts).members(members, least(NARROWEST));
}

/** True for a name that can stand among words of ours. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

/** Writes a name that others chose, to stand in quotes. */
export function nameText(name: string): string {
  return shorten(name, NAME_CHARACTERS).slice(1, -1);
}

/** Writes values as lines until they have too many characters. */
class Writer {
  #left: number;
  /** Texts that were shortened before, by their room. */
  readonly #texts: Map<string, string>;

  constructor(mostCharacters: number, texts: Map<string, string>) {
    this.#left = mostCharacters;
    this.#texts = texts;
  }

  get isFull(): boolean {
    return this.#left < 0;
  }

  /** Writes the members of an object: short values first, then small ones. If they are too many,
   * the first members get half of the room: the parameters of the tool are among them. */
  members(members: readonly Member[], room: Room): string[] {
    const half = Math.ceil(room.members / 2);
    const later = shortFirst(members.slice(half), room.members - half);
    const lines: string[] = [];
    const { small = [], long = [] } = bySize(shortFirst([...members.slice(0, half), ...later]));
    for (const [key, value] of [...small, ...long]) {
      const name = `${this.#count(this.#shorten(key, room))}: `;
      const isWhole = room.keepsSmall && isSmall([key, value]);
      const [first = "", ...rest] = this.#value(value, isWhole ? WHOLE : room);
      lines.push(`${name}${first}`, ...rest);
      if (this.isFull) break;
    }
    return [...lines, ...leftOut(members.length - room.members, "keys")];
  }

  /** The first and the last items of a list. */
  #items(items: readonly JsonValue[], room: Room): string[] {
    const begin = Math.ceil(room.members / 2);
    const end = Math.max(begin, items.length - Math.floor(room.members / 2));
    const write = (part: readonly JsonValue[]) => part.flatMap((item) => this.#value(item, room));
    return [
      ...write(items.slice(0, begin)),
      ...leftOut(end - begin, "items"),
      ...write(items.slice(end)),
    ];
  }

  #value(value: JsonValue, room: Room): string[] {
    if (this.isFull) return [];
    if (typeof value === "string") return [this.#count(this.#shorten(value, room))];
    if (typeof value !== "object" || value === null) return [this.#count(JSON.stringify(value))];
    const isList = Array.isArray(value);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    const count = isList ? value.length : Object.keys(value).length;
    if (count === 0) return [this.#count(`${open}${close}`)];
    const what = isList ? "items" : "keys";
    if (room.levels === 0) return [this.#count(`${open} … (${count} ${what}) … ${close}`)];
    const inner = { ...room, levels: room.levels - 1 };
    const lines = isList ? this.#items(value, inner) : this.members(inOrder(value as Args), inner);
    return [open, ...lines.map((line) => `  ${line}`), close];
  }

  #shorten(text: string, { text: most }: Room): string {
    if (text.length > WHOLE.text) return shorten(text, most);
    const key = `${most} ${text}`;
    const written = this.#texts.get(key) ?? shorten(text, most);
    this.#texts.set(key, written);
    return written;
  }

  #count(text: string): string {
    this.#left -= text.length + 1;
    return text;
  }
}

/** Members in their order, those last that JavaScript puts first: whole numbers. */
function inOrder(object: Args): Member[] {
  const members = Object.entries(object);
  const isIndex = ([key]: Member) => /^\d+$/.test(key);
  return [...members.filter((member) => !isIndex(member)), ...members.filter(isIndex)];
}

type Member = [key: string, value: JsonValue];

/** The first of so many members, the short ones before all others. */
function shortFirst(members: readonly Member[], most = members.length): Member[] {
  const short: Member[] = [];
  const others: Member[] = [];
  for (const member of members) {
    if (short.length >= most) break;
    if (isShort(member[1])) short.push(member);
    else if (others.length < most) others.push(member);
  }
  return [...short, ...others].slice(0, most);
}

function bySize(members: readonly Member[]): Partial<Record<"small" | "long", Member[]>> {
  return Object.groupBy(members, (member) => isSmall(member) ? "small" : "long");
}

function leftOut(count: number, what: string): string[] {
  return count > 0 ? [`… (${count} more ${what}) …`] : [];
}

function isShort(value: JsonValue): boolean {
  return typeof value === "string"
    ? value.length <= SHORT
    : typeof value !== "object" || value === null;
}

/** True for a member whose whole text is short. */
function isSmall([key, value]: Member): boolean {
  const { characters, inRows } = SMALL;
  return key.length + sizeAsJson(value, characters) <= characters &&
    sizeIndented(value, { indent: 2, most: inRows }) <= inRows;
}
