/** Bounds of what all connections to PostgreSQL take together. */

import { createSemaphore } from "#base";
import { tooLarge } from "../engine.ts";

/** Connections in use at once. */
const MOST_CONNECTIONS = 8;
/** Bytes received beyond which one connection at a time goes on: a row is in memory several times. */
const LARGE = 2 ** 20;
/** Bytes at the head of a message: its kind, and its length without the kind. */
const HEAD = 5;

export interface Stream {
  on(event: "data", listener: (bytes: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

export interface BoundOptions {
  /** Most bytes of a message. A plan, with the constants of its statement, and the rows have as
   * many. */
  readonly maxBytes: number;
  /** Ends the work on the connection. */
  readonly stop: (reason: unknown) => void;
}

export interface Traffic {
  /** Waits for a connection to be free. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<Disposable>;
  /** Limits what an open connection receives, which is at the head of a message. */
  bound(stream: Stream, options: BoundOptions): Disposable;
}

/** Makes the bounds. */
export function createTraffic(): Traffic {
  const places = createSemaphore(MOST_CONNECTIONS);
  const turns = createSemaphore(1);

  /** Lets the stream go on in its turn, or when the bound is disposed of. */
  function wait(stream: Stream, held: DisposableStack): void {
    const left = new AbortController();
    held.defer(() => left.abort());
    stream.pause();
    turns.acquire(left.signal)
      .then((release) => held.disposed ? release() : held.defer(release))
      .catch(() => {}) // It is disposed of.
      .finally(() => stream.resume());
  }

  return {
    async enter(signal) {
      const held = new DisposableStack();
      held.defer(await places.acquire(signal));
      return held;
    },
    bound(stream, { maxBytes, stop }) {
      const held = new DisposableStack();
      const longestOf = createHeads();
      let received = 0;
      stream.on("data", (bytes) => {
        const before = received;
        received += bytes.length;
        if (received > 2 * maxBytes || longestOf(bytes) > maxBytes) {
          stop(tooLarge("the result"));
          stream.destroy();
        } else if (before <= LARGE && received > LARGE && !held.disposed) wait(stream, held);
      });
      return held;
    },
  };
}

/** Follows messages. What it makes gives the largest length that a head in the bytes tells: the
 * driver gathers a whole message before it can be counted. */
function createHeads(): (bytes: Uint8Array) => number {
  let [seen, length, left] = [0, 0, 0];
  return (bytes) => {
    let longest = 0;
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(left, bytes.length - at);
      left -= skipped;
      at += skipped;
      const byte = bytes[at++];
      if (byte === undefined) break;
      length = seen === 0 ? 0 : length * 256 + byte;
      seen = (seen + 1) % HEAD;
      if (seen > 0) continue;
      left = Math.max(0, length - HEAD + 1);
      longest = Math.max(longest, length);
    }
    return longest;
  };
}
