/** Requests of one client without a response yet. */

/** Method that gets its response only at the end of the connection. */
import { isObject } from "#base";
const LISTEN = "subscriptions/listen";

export class OpenRequests {
  readonly #ids = new Set<unknown>();
  readonly #graceMs: number;
  readonly #none = Promise.withResolvers<void>();
  #ending = false;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Counts a message of the client: a request opens, a cancellation closes. */
  received(message: unknown): void {
    if (!isObject(message)) return;
    const { id, method, params } = message;
    if (method === "notifications/cancelled" && isObject(params)) this.#close(params.requestId);
    else if (id !== undefined && method !== undefined && method !== LISTEN) this.#ids.add(id);
  }

  /** Counts a message to the client: a response closes. */
  sent(message: unknown): void {
    if (isObject(message) && message.method === undefined) this.#close(message.id);
  }

  /** Resolves when all have a response, or after the grace period. */
  async settled(): Promise<void> {
    this.#ending = true;
    if (this.#ids.size === 0) return;
    const timer = setTimeout(() => this.stop(), this.#graceMs);
    await this.#none.promise;
    clearTimeout(timer);
  }

  /** Ends the wait at once. */
  stop(): void {
    this.#none.resolve();
  }

  #close(id: unknown): void {
    if (this.#ids.delete(id) && this.#ending && this.#ids.size === 0) this.stop();
  }
}

/** Lists the URIs in a message; empty for any message but a subscription. */
export function subscribedResources(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== "subscriptions/listen") return [];
  const filter = isObject(message.params) ? message.params.notifications : undefined;
  const uris = isObject(filter) ? filter.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
