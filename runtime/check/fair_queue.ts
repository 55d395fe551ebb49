/** A queue in which clients take turns. */

export class FairQueue<T> {
  /** Items of each client; the client whose turn is next comes first. */
  readonly #lines = new Map<unknown, T[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  push(client: unknown, item: T): void {
    const line = this.#lines.get(client);
    if (line) line.push(item);
    else this.#lines.set(client, [item]);
  }

  take(): T | undefined {
    const [next] = this.#lines;
    if (!next) return undefined;
    const [client, line] = next;
    const item = line.shift();
    this.#lines.delete(client);
    if (line.length > 0) this.#lines.set(client, line);
    return item;
  }

  /** Removes all items. */
  clear(): readonly T[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    return items;
  }
}
