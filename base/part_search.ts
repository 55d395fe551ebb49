/** Search of one part in units that come one after another, in a time that grows with the sum of their
 * lengths (Knuth, Morris, Pratt). That of V8's `indexOf` grows with their product where the part is long
 * and nearly periodic. */

interface Borders {
  /** Length of the longest proper start of each start of the part that is its end, too; of each start
   * that has been matched, and of the first. */
  readonly lengths: Uint32Array;
  known: number;
}

/** Search of a part that is not empty. Keeps its place, so that the units may come in chunks. */
export class PartSearch {
  readonly #part: string;
  readonly #borders: Borders;
  #matched = 0;

  /** Takes a text, or one whose code units are bytes. */
  constructor(
    part: string,
    borders: Borders = { lengths: new Uint32Array(part.length), known: 1 },
  ) {
    this.#part = part;
    this.#borders = borders;
  }

  /** Another search of the part, from its beginning. They share what they learn about it. */
  again(): PartSearch {
    return new PartSearch(this.#part, this.#borders);
  }

  /** Number of units at the end that may be the start of the part. */
  get matched(): number {
    return this.#matched;
  }

  /** Takes the next unit; true where the part ends with it. Matches do not overlap. */
  add(unit: number): boolean {
    this.#matched = this.#extended(this.#matched, unit);
    const { lengths, known: count } = this.#borders;
    if (this.#matched > count) {
      lengths[count] = this.#extended(lengths[count - 1] ?? 0, unit);
      this.#borders.known++;
    }
    if (this.#matched < this.#part.length) return false;
    this.#matched = 0;
    return true;
  }

  /** Length of the start of the part that the units end with after one more. */
  #extended(length: number, unit: number): number {
    const part = this.#part;
    const { lengths } = this.#borders;
    while (length > 0 && part.charCodeAt(length) !== unit) length = lengths[length - 1] ?? 0;
    return part.charCodeAt(length) === unit ? length + 1 : length;
  }
}
