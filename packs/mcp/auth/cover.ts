/** Covers secrets in bytes that come in chunks, as they are and with characters escaped, in a time that
 * grows with the number of bytes. */

import { Buffer } from "node:buffer";
import { PartSearch } from "#base";
import { BACKSLASH, type Escape, PERCENT, readEscape } from "./escapes.ts";

const COVER = "*".charCodeAt(0);
/** Starts of units that are kept beyond those of a partial match. */
const SPARE_STARTS = 1_024;

interface Chunk {
  /** Bytes that were held back of the chunk before, and those that came. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Cover of one text. All offsets are those in the text. */
export class Cover {
  readonly #forms: () => readonly Form[];
  readonly #searchOf = new Map<Form, Search>();
  /** Searches for the current secrets. */
  #searches: readonly Search[] = [];
  /** Start and end of the occurrences in the chunk: those that overlap or touch are one. */
  #places: [number, number][] = [];
  /** Starts of the units that were read last. */
  #starts: number[] = [];
  /** Start of the chunk. */
  #offset = 0;
  /** Start of what is not read yet. */
  #next = 0;

  /** Takes a function that is asked for the forms of the secrets at each chunk. */
  constructor(forms: () => readonly Form[]) {
    this.#forms = forms;
  }

  /** Covers every occurrence that ends in the chunk. Returns how many bytes at its end may be the
   * beginning of one: the next chunk begins with them. */
  apply(chunk: Chunk): number {
    this.#choose(new Set(this.#forms()));
    this.#read(chunk);
    // Covered after all searches: secrets may overlap.
    for (const [start, end] of this.#places) {
      chunk.bytes.fill(COVER, start - this.#offset, end - this.#offset);
    }
    this.#places = [];
    const end = this.#offset + chunk.bytes.length;
    this.#offset = chunk.isLast ? end : this.#heldFrom();
    return end - this.#offset;
  }

  #choose(forms: ReadonlySet<Form>): void {
    for (const form of this.#searchOf.keys()) if (!forms.has(form)) this.#searchOf.delete(form);
    for (const form of forms) {
      if (!this.#searchOf.has(form)) this.#searchOf.set(form, newSearch(form));
    }
    this.#searches = [...this.#searchOf.values()];
  }

  #read({ bytes, isLast }: Chunk): void {
    const firsts = new Uint8Array(256);
    for (const { first } of this.#searches) firsts[first] = 1;
    const begins = firsts.slice();
    begins[BACKSLASH] = begins[PERCENT] = 1;
    let isWithin = true;
    let at = this.#next - this.#offset;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (!isWithin && begins[byte] === 0) continue;
      const escape = readEscape(bytes, at);
      if (escape === "open" && !isLast) break;
      if (!isWithin) this.#starts.length = 0;
      if (escape === undefined || escape === "open") {
        isWithin = this.#takeByte(byte, this.#offset + at);
        continue;
      }
      if (isWithin || mayBegin(escape, { bytes, at, firsts })) {
        isWithin = this.#takeEscape(bytes.subarray(at, escape.end), {
          start: this.#offset + at,
          units: escape.units,
        });
      }
      at = escape.end - 1;
    }
    this.#next = this.#offset + at;
  }

  /** Reads a byte that stands for itself. Returns true while it may be part of a secret. */
  #takeByte(byte: number, start: number): boolean {
    let isWithin = false;
    this.#starts.push(start);
    for (const search of this.#searches) {
      if (!isBegun(search) && byte !== search.first) continue;
      this.#addByte(search, byte, start);
      this.#addUnit(search, byte, start + 1);
      if (isBegun(search)) isWithin = true;
    }
    return isWithin;
  }

  /** Reads the bytes of an escape, which stand for others. */
  #takeEscape(
    written: Uint8Array,
    { start, units }: { readonly start: number; readonly units: readonly number[] },
  ): boolean {
    for (const search of this.#searches) {
      let at = start;
      for (const byte of written) this.#addByte(search, byte, at++);
    }
    for (const unit of units) {
      this.#starts.push(start);
      for (const search of this.#searches) this.#addUnit(search, unit, start + written.length);
    }
    return this.#searches.some(isBegun);
  }

  #addByte({ plain, length, first }: Search, byte: number, start: number): void {
    if (plain.matched === 0 && byte !== first) return;
    if (plain.add(byte)) this.#addPlace(start + 1 - length, start + 1);
  }

  #addUnit({ escaped, length, first }: Search, unit: number, end: number): void {
    if (escaped.matched === 0 && unit !== first) return;
    if (escaped.add(unit)) this.#addPlace(this.#startOf(length), end);
  }

  /** Adds an occurrence, which ends behind the others, or where the last of them ends. */
  #addPlace(start: number, end: number): void {
    let first = start;
    for (let last = this.#places.at(-1); last && last[1] >= first; last = this.#places.at(-1)) {
      first = Math.min(first, last[0]);
      this.#places.pop();
    }
    this.#places.push([first, end]);
  }

  /** Start of the last `units` units that were read. */
  #startOf(units: number): number {
    return this.#starts[this.#starts.length - units] ?? this.#next;
  }

  /** Start of the earliest partial match of a secret at the end of the chunk. */
  #heldFrom(): number {
    const bytes = Math.max(0, ...this.#searches.map(({ plain }) => plain.matched));
    const units = Math.max(0, ...this.#searches.map(({ escaped }) => escaped.matched));
    const start = Math.min(this.#next - bytes, this.#startOf(units));
    const spare = this.#starts.length - units;
    if (spare > units + SPARE_STARTS) this.#starts = this.#starts.slice(spare);
    return start;
  }
}

/** A secret as it is searched for. */
export interface Form {
  /** Search in its first state, which `newSearch` copies. */
  readonly search: PartSearch;
  /** In bytes. */
  readonly length: number;
  readonly first: number;
}

interface Search extends Pick<Form, "length" | "first"> {
  /** Search in the bytes. */
  readonly plain: PartSearch;
  /** Search in what they stand for. */
  readonly escaped: PartSearch;
}

function newSearch({ search, length, first }: Form): Search {
  return { plain: search.again(), escaped: search.again(), length, first };
}

/** Forms of a secret: as it is, and with its own percent escapes decoded. */
export function formsOf(secret: string): Form[] {
  const read = secret.replace(
    /(?:%[0-9a-f]{2})+/gi,
    (escapes) => Buffer.from(escapes.replaceAll("%", ""), "hex").toString(),
  );
  return [...new Set([secret, read])].filter((form) => form !== "").map(newForm);
}

function newForm(text: string): Form {
  const bytes = Buffer.from(text);
  const search = new PartSearch(bytes.toString("latin1"));
  return { search, length: bytes.length, first: bytes[0] ?? 0 };
}

function isBegun({ plain, escaped }: Search): boolean {
  return plain.matched > 0 || escaped.matched > 0;
}

/** Tells that a secret may begin in an escape or with it. */
function mayBegin(
  { units, end }: Escape,
  { bytes, at, firsts }: {
    readonly bytes: Buffer;
    readonly at: number;
    readonly firsts: Uint8Array;
  },
): boolean {
  for (const unit of units) if (firsts[unit] === 1) return true;
  for (let index = at; index < end; index++) if (firsts[bytes[index] ?? 0] === 1) return true;
  return false;
}
