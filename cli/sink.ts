/** Standard output and error as sinks. */

import { createQueue, within } from "#sandbox/async";
import type { Sink } from "./io.ts";

export interface OpenSink extends Sink {
  /** Resolves when all that was written has arrived, also what nobody waits for, or after a while:
   * a pipe that nobody reads must not hold up the end of the program. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1_000;

/** The sink of a stream: writes arrive whole and in order. `env` says what the terminal is; a dumb
 * one is none. */
export function openSink(
  stream: typeof Deno.stdout,
  env: Readonly<Record<string, string>>,
): OpenSink {
  const isTerminal = stream.isTerminal() && env.TERM !== "dumb";
  const queue = createQueue();
  async function send(data: Uint8Array): Promise<void> {
    for (let sent = 0; sent < data.length;) sent += await stream.write(data.subarray(sent));
  }
  return {
    isTerminal,
    get columns() {
      return isTerminal ? Deno.consoleSize().columns : Infinity; // a pipe gets whole lines
    },
    write: (data) => queue(() => send(data)),
    async flush() {
      await within(queue(() => {}), FLUSH_MS);
    },
  };
}
