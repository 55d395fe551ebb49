/** Limits of what connections to PostgreSQL receive, each and together. */

import { createSemaphore, idle } from "#base";
import { PackError } from "../../../errors.ts";
import { tooLarge } from "../engine.ts";
import { followMessages, unreadable } from "./messages.ts";

/** Connections in use at once, and those of one run among them. */
const MOST_CONNECTIONS = 8;
const MOST_OF_RUN = 6;
/** Bytes received beyond which only few connections, and one of a run, go on at once: a row is in
 * memory several times, and a server may take as long as it likes. */
const LARGE = 2 ** 20;
const MOST_LARGE = 2;
const LARGE_OF_RUN = 1;
/** Time of work on what came, in milliseconds, after which other work runs. */
const WORK_MS = 10;
/** Most bytes that are received before a connection is open. */
const OPENING = 2 ** 16;

type Listener = (bytes: Uint8Array) => void;

export interface Stream {
  on(event: string, listener: Listener): unknown;
  pause(): void;
  resume(): void;
  destroy(): void;
}

export interface Bound extends Disposable {
  /** Passes the stream's bytes on to the driver while they are messages within the limits; else
   * ends the stream. */
  guard(stream: Stream): Pick<Stream, "on">;
  /** Allows results: at most `maxBytes` for a row. A plan, with the constants of its statement, and
   * the rows may each have that many in total. */
  open(maxBytes: number): void;
}

export interface Traffic {
  /** Waits for a connection to be free. Rejects with the signal's reason. */
  enter(signal: AbortSignal, run: string | undefined): Promise<Disposable>;
  /** Limits what a connection of a run receives from its first byte on; `stop` ends the work on it. */
  bound(run: string | undefined, stop: (reason: unknown) => void): Bound;
}

/** Makes the bounds. */
export function createTraffic(): Traffic {
  const places = createSemaphore(MOST_CONNECTIONS, MOST_OF_RUN);
  const turns = createSemaphore(MOST_LARGE, LARGE_OF_RUN);

  return {
    enter: (signal, run) => places.acquire(signal, run),
    bound(run, stop) {
      const held = new DisposableStack();
      let [received, worked, pauses] = [0, 0, 0];
      let most = { message: OPENING, all: OPENING, error: early };
      const check = (bytes: number, limit: number) => {
        if (bytes > limit) throw most.error();
      };
      const follow = followMessages((length) => check(length, most.message));

      function pause(stream: Stream, until: Promise<void>): void {
        pauses++;
        stream.pause();
        void until.finally(() => --pauses === 0 && stream.resume());
      }

      /** Waits for the turn of a large result, or until the bound is disposed of. */
      function largeTurn(): Promise<void> {
        const left = new AbortController();
        held.defer(() => left.abort());
        return turns.acquire(left.signal, run)
          .then((release) => held.disposed ? release() : held.defer(release))
          .catch(() => {}); // It is disposed of.
      }

      function receive(stream: Stream, bytes: Uint8Array, listener: Listener): void {
        const [before, begun] = [received, performance.now()];
        received += bytes.length;
        check(received, most.all);
        follow(bytes);
        listener(bytes);
        if (before <= LARGE && received > LARGE) pause(stream, largeTurn());
        worked += performance.now() - begun;
        if (worked < WORK_MS) return;
        worked = 0;
        pause(stream, idle());
      }

      return {
        guard: (stream) => ({
          on: (event, listener) =>
            stream.on(
              event,
              event !== "data" ? listener : (bytes) => {
                if (held.disposed) return;
                try {
                  receive(stream, bytes, listener);
                } catch (error) {
                  held.dispose();
                  stop(error instanceof PackError ? error : unreadable(String(error)));
                  stream.destroy();
                }
              },
            ),
        }),
        open(maxBytes) {
          received = 0;
          most = { message: maxBytes, all: 2 * maxBytes, error: () => tooLarge("the result") };
        },
        [Symbol.dispose]: () => held.dispose(),
      };
    },
  };
}

function early(): PackError {
  const message =
    "Cannot connect to the database: it sent over 64 kB before the connection was open";
  return new PackError("unavailable", message);
}
