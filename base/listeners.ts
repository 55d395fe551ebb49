/** Functions that are told of each event. */

export class Listeners<T = void> {
  readonly #all = new Set<(event: T) => void>();

  /** Adds a listener; the returned function removes it. */
  readonly add = (listener: (event: T) => void): () => void => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  tell(event: T): void {
    for (const listener of this.#all) listener(event);
  }

  clear(): void {
    this.#all.clear();
  }
}
