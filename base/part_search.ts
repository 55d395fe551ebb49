/** Search of one part in units that come one after another, in a time that grows with the sum of their
 * lengths (Knuth, Morris, Pratt). That of V8's `indexOf` grows with their product where the part is long
 * and nearly periodic. */

/** Search of a part that is not empty. Keeps its place, so that the units may come in chunks. */
export class PartSearch {
  readonly #part: string;
  /** Length of the longest proper start of each start of the part that is its end, too; of each start
   * that has been matched, and of the first. */
  readonly #borders: Uint32Array;
  #known = 1;
  #matched = 0;

  /** Takes a text, or one whose code units are bytes. */
  constructor(part: string) {
    this.#part = part;
    this.#borders = new Uint32Array(part.length);
  }

  /** Number of units at the end that may be the start of the part. */
  get matched(): number {
    return this.#matched;
  }

  /** Takes the next unit; true where the part ends with it. Matches do not overlap. */
  add(unit: number): boolean {
    this.#matched = this.#extended(this.#matched, unit);
    if (this.#matched > this.#known) {
      const border = this.#borders[this.#known - 1] ?? 0;
      this.#borders[this.#known] = this.#extended(border, unit);
      this.#known++;
    }
    if (this.#matched < this.#part.length) return false;
    this.#matched = 0;
    return true;
  }

  /** Length of the start of the part that the units end with after one more. */
  #extended(length: number, unit: number): number {
    const part = this.#part;
    while (length > 0 && part.charCodeAt(length) !== unit) length = this.#borders[length - 1] ?? 0;
    return part.charCodeAt(length) === unit ? length + 1 : length;
  }
}
