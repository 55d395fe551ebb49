/** What was found out lately, by the text that it was found out about. */

/** The longest key that is worth its memory, in characters. */
const LONGEST = 16_384;
const MOST = 256;

/** Remembers the last few hundred; longer texts than most programs are forgotten at once. */
export class Recent<T> {
  readonly #known = new Map<string, T>();

  get(key: string): T | undefined {
    const known = this.#known.get(key);
    if (known === undefined) return undefined;
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }

  set(key: string, value: T): void {
    if (key.length > LONGEST) return;
    this.#known.delete(key);
    this.#known.set(key, value);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }

  clear(): void {
    this.#known.clear();
  }
}
