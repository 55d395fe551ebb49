/** Requests of a server whose reply is not sent yet, bounded: a server can send requests without end
 * and read no reply. */

import { isObject } from "#base";

const MOST = 1_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class OpenReplies {
  /** Sizes of the requests under way, by id. */
  readonly #waiting = new Map<unknown, number>();
  #sending = 0;
  #characters = 0;

  /** Counts a message of the server; returns the reason to end a server that asks on without a reply,
   * or with the id of an open request (JSON-RPC 2.0 §4). */
  refusal(message: unknown): string | undefined {
    if (!isObject(message) || typeof message.method !== "string") return undefined;
    const { id, method, params } = message;
    if (method === "notifications/cancelled" && isObject(params)) this.#forget(params.requestId);
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    if (this.#waiting.has(id)) return "The server has used the id of an open request again";
    const size = JSON.stringify(message).length;
    const open = this.#waiting.size + this.#sending;
    const isFull = open >= MOST || open > 0 && this.#characters + size > MOST_CHARACTERS;
    if (isFull) return "The server has too many requests without a reply";
    this.#waiting.set(id, size);
    this.#characters += size;
    return undefined;
  }

  /** Sends the reply to a request, which stays open until the reply is written. */
  async send(id: unknown, write: () => Promise<void>): Promise<void> {
    const size = this.#forget(id);
    this.#sending++;
    this.#characters += size;
    try {
      await write();
    } finally {
      this.#sending--;
      this.#characters -= size;
    }
  }

  /** Removes a request; returns its size. The client library replies to no cancelled request. */
  #forget(id: unknown): number {
    const size = this.#waiting.get(id) ?? 0;
    this.#waiting.delete(id);
    this.#characters -= size;
    return size;
  }
}
