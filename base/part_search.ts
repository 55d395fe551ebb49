/** Search for one part in a stream of units, in a time that grows with the sum of the lengths
 * (Knuth, Morris, Pratt). The time of V8's `indexOf` grows with their product where the part is
 * long and nearly periodic. */

interface Borders {
  /** For each prefix of the part, the length of its longest proper prefix that is also its suffix.
   * Filled for the first prefix, and for those that have been matched. */
  readonly lengths: Uint32Array;
  known: number;
}

/** Search of a part that is not empty. Keeps its place, so that the units may come in chunks. */
export class PartSearch {
  readonly #part: string;
  readonly #borders: Borders;
  #matched = 0;

  /** Takes the part as text, or as bytes, one in each code unit. */
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

  /** Length of the longest prefix of the part with which the units end after this one. */
  #extended(length: number, unit: number): number {
    const part = this.#part;
    const { lengths } = this.#borders;
    while (length > 0 && part.charCodeAt(length) !== unit) length = lengths[length - 1] ?? 0;
    return part.charCodeAt(length) === unit ? length + 1 : length;
  }
}
