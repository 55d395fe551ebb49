/** First page of the statistics' file, read without SQLite: its settings and declarations. */

/** Bytes of a page of our own file. */
export const PAGE = 4_096;
const MAGIC = new TextEncoder().encode("SQLite format 3\0");
/** Type of a page that holds rows: the schema has this one page. */
const LEAF = 0x0d;
/** Start of the page's own header, behind that of the file. */
const TYPE = 100;
const CELL_COUNT = 103;
const CELLS = 108;
/** Numbers before the texts of a declaration: its length, its row, the length of its own header, and
 * the types of five fields. */
const NUMBERS = 8;
/** Field with the page of a table. */
const ROOT = 3;
/** Bytes of a field by its type: nothing, or a number. */
const INTEGER_BYTES: readonly number[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const FIRST_TEXT = 13;

export interface FirstPage {
  /** Zero where the file is no database. */
  readonly version: number;
  /** Undefined where the page differs from those that we write. */
  readonly declarations: readonly string[] | undefined;
}

/** Reads the first page. Every declaration must lie on it as a whole.
 *
 * Source: https://www.sqlite.org/fileformat2.html §1.3, §1.6, §2.1, §2.6. */
export function readFirstPage(page: Uint8Array): FirstPage {
  const isDatabase = MAGIC.every((byte, at) => page[at] === byte);
  if (!isDatabase) return { version: 0, declarations: undefined };
  const version = numberAt(page, 60, 4);
  return { version, declarations: isUsual(page) ? declarationsOf(page) : undefined };
}

/** Text by which declarations are compared. */
export function declarationText(fields: readonly unknown[]): string {
  return JSON.stringify(fields);
}

/** A number of `length` bytes, the highest first. */
export function numberAt(bytes: Uint8Array, at: number, length: number): number {
  return bytes.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** True for the settings of our own file: the size of pages, all of each in use, no page that moves by
 * itself, UTF-8 (none yet in an empty file). */
function isUsual(page: Uint8Array): boolean {
  return page.length === PAGE && numberAt(page, 16, 2) === PAGE && page[20] === 0 &&
    numberAt(page, 52, 4) === 0 && numberAt(page, 56, 4) <= 1 && page[TYPE] === LEAF;
}

function declarationsOf(page: Uint8Array): string[] | undefined {
  const declarations: string[] = [];
  const count = numberAt(page, CELL_COUNT, 2);
  for (let cell = 0; cell < count; cell++) {
    const declaration = declarationAt(page, numberAt(page, CELLS + 2 * cell, 2));
    // Two cells may share their bytes: the page would hold more than it has room for.
    if (declaration === undefined || declarations.includes(declaration)) return undefined;
    declarations.push(declaration);
  }
  return declarations;
}

/** Reads type, name, table and SQL. Undefined for anything else than texts that lie on the page. */
function declarationAt(page: Uint8Array, start: number): string | undefined {
  const numbers: number[] = [];
  const ends: number[] = [];
  for (let part = 0, at = start; part < NUMBERS; part++) {
    const [high = 0xff, low = 0xff] = page.subarray(at, at + 2);
    // Ours are short enough for two bytes.
    if (high >= 0x80 && low >= 0x80) return undefined;
    numbers.push(high < 0x80 ? high : (high - 0x80) * 128 + low);
    ends.push(at += high < 0x80 ? 1 : 2);
  }
  const [length = 0, , headLength = 0, ...types] = numbers;
  const [, head = 0] = ends;
  const end = head + length;
  let at = head + headLength;
  if (end > PAGE || at !== ends.at(-1) || !types.every(isUsualType)) return undefined;
  const fields = types.map((type) => {
    const from = at;
    at += type < FIRST_TEXT ? INTEGER_BYTES[type] ?? 0 : (type - FIRST_TEXT) / 2;
    return type < FIRST_TEXT ? null : textOf(page.subarray(from, at));
  });
  return at === end ? declarationText(fields.filter((_, field) => field !== ROOT)) : undefined;
}

/** True for a whole number as the page of a table, for a text, and for no text. */
function isUsualType(type: number, field: number): boolean {
  if (field === ROOT) return type < INTEGER_BYTES.length;
  return type === 0 || (type >= FIRST_TEXT && type % 2 === 1);
}

function textOf(bytes: Uint8Array): string {
  // The byte order mark counts here, as it does for SQLite.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
