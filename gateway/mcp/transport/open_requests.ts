/** Requests of one client without a response yet. */

import { isObject } from "#base";
import { MOST_URI, MOST_WATCHED } from "../direct/watches.ts";
import { INVALID_PARAMS, McpError } from "../types.ts";

/** Method that gets its response only at the end of the connection. */
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

/** Lists the URIs in a message; empty for any message but a subscription. Throws `McpError` for too
 * many and for one that is too long. */
export function subscribedResources(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== LISTEN) return [];
  const filter = isObject(message.params) ? message.params.notifications : undefined;
  const listed = isObject(filter) ? filter.resourceSubscriptions : undefined;
  const uris: readonly unknown[] = Array.isArray(listed) ? listed : [];
  checkCount(uris.length);
  const texts = uris.filter((uri) => typeof uri === "string");
  for (const uri of texts) checkUri(uri);
  return texts;
}

/** Throws `McpError` for more resources than one client may watch. */
export function checkCount(count: number): void {
  if (count <= MOST_WATCHED) return;
  throw new McpError(
    INVALID_PARAMS,
    `Cannot subscribe to over ${MOST_WATCHED} resources: leave some out`,
  );
}

/** Throws `McpError` for a URI that no resource has. */
export function checkUri(uri: string): void {
  if (uri.length <= MOST_URI) return;
  const state = `a URI has over ${MOST_URI} characters`;
  throw new McpError(INVALID_PARAMS, `Cannot subscribe: ${state}: leave it out`);
}
