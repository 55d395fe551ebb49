/** Queue in which clients take turns, so that none with many items holds up the others. */

/** Takes one item of each client in turn, and those of one client in the order of their coming. */
export class FairQueue<T> {
  /** Items of each client; the client whose turn is next comes first. */
  readonly #lines = new Map<unknown, T[]>();
  /** The client served last: if it is first again, the next one goes before it. */
  #last: unknown = {};

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  push(client: unknown, item: T): void {
    const line = this.#lines.get(client);
    if (line) line.push(item);
    else this.#lines.set(client, [item]);
  }

  /** Takes an item of the next client that may have its turn. */
  take(may: (client: unknown) => boolean = () => true): T | undefined {
    const [first, second] = this.#lines.entries().filter(([client]) => may(client)).take(2);
    const next = first?.[0] === this.#last ? second ?? first : first;
    if (!next) return undefined;
    const [client, line] = next;
    this.#last = client;
    const item = line.shift();
    this.#lines.delete(client);
    if (line.length > 0) this.#lines.set(client, line);
    return item;
  }

  /** Puts a client that has been served behind the others. */
  putBack(client: unknown): void {
    const line = this.#lines.get(client);
    if (!line) return;
    this.#lines.delete(client);
    this.#lines.set(client, line);
  }

  /** Removes an item, if it is there. The client keeps its turn. */
  remove(client: unknown, item: T): void {
    const line = this.#lines.get(client) ?? [];
    const at = line.indexOf(item);
    if (at >= 0) line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(client);
  }

  /** Removes all items. */
  clear(): readonly T[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    return items;
  }
}
