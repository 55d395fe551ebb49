/** Standard output and error as sinks. */

import { createQueue, within } from "#base";

export interface Sink {
  readonly isTerminal: boolean;
  /** Width of the terminal. */
  readonly columns: number;
  write(data: Uint8Array): Promise<void>;
}

export interface OpenSink extends Sink {
  /** Resolves when all writes are done, or after a time limit: a pipe without a reader must not block
   * the end of the program. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1_000;

/** Opens the sink of a stream: writes arrive whole and in order. A terminal with `TERM=dumb` in `env`
 * is treated as a pipe. */
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
