/** Takes tokens out of what a server sends back: it may repeat the headers of its requests. */

import { Buffer } from "node:buffer";
import { Cover } from "./cover.ts";

/** Older ones are of hours ago, or of a server whose tokens live for moments. */
const MOST_TOKENS = 10;

/** The tokens that one server was sent last. */
export class GivenTokens {
  readonly #tokens = new Set<string>();

  /** Takes the newest. */
  add(token: string): void {
    this.#tokens.delete(token);
    this.#tokens.add(token);
    const [oldest] = this.#tokens;
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.#tokens.delete(oldest);
  }

  /** The response without them and `own`, the token that it was asked for with; also without those that
   * are added while its body is read: an answer may come on an older stream. */
  conceal(response: Response, own?: string): Response {
    return concealIn(response, () => [...this.#tokens, ...(own === undefined ? [] : [own])]);
  }
}

/** The response with every occurrence of the secrets covered, also where chunks divide them and where
 * JSON, at any depth, or an address has their characters escaped. They are asked for at each chunk. */
export function concealIn(response: Response, secrets: () => readonly string[]): Response {
  const { status, statusText, body } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) {
    const bytes = Buffer.from(value, "latin1");
    new Cover(secrets).apply({ bytes, isLast: true });
    headers.append(name, bytes.toString("latin1"));
  }
  const isEmpty = !body || status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : coverStream(body, secrets), { status, statusText, headers });
}

/** Holds back only what may be the beginning of a secret. */
function coverStream(
  body: ReadableStream<Uint8Array>,
  secrets: () => readonly string[],
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cover = new Cover(secrets);
  const held = new HeldBytes();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read();
        const bytes = held.add(value ?? new Uint8Array());
        const ready = held.take(bytes.length - cover.apply({ bytes, isLast: done }));
        if (ready.length > 0) controller.enqueue(ready);
        if (done) return controller.close();
        if (ready.length > 0) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Bytes that wait for those that come next. They are copied seldom: there may be millions, and each
 * chunk may be of one byte. */
class HeldBytes {
  #memory = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** Adds bytes; returns all. */
  add(bytes: Uint8Array): Buffer {
    if (this.#end + bytes.length > this.#memory.length) {
      const before = this.#memory.subarray(this.#start, this.#end);
      this.#memory = Buffer.alloc(2 * before.length + bytes.length);
      this.#end = before.copy(this.#memory);
      this.#start = 0;
    }
    this.#memory.set(bytes, this.#end);
    this.#end += bytes.length;
    return this.#memory.subarray(this.#start, this.#end);
  }

  /** Removes so many of the first, which it returns. */
  take(count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#memory.subarray(this.#start, this.#start + count));
    this.#start += count;
    if (this.#start === this.#end) this.#start = this.#end = 0;
    return bytes;
  }
}
