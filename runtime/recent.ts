/** Cache of recent results, by the text that they belong to. */

/** The longest key that is worth its memory, in characters. */
const LONGEST = 16_384;
const MOST = 256;

/** Remembers the last few hundred; longer texts than most programs are forgotten at once. */
export class Recent<T> {
  readonly #values = new Map<string, T>();

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    if (key.length > LONGEST) return;
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MOST && oldest !== undefined) this.#values.delete(oldest);
  }

  clear(): void {
    this.#values.clear();
  }
}
