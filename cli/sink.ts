/** Standard output and error as sinks. */

import type { Sink } from "./io.ts";

/** The sink of a stream. `env` says what the terminal is; a dumb one is none. */
export function openSink(stream: typeof Deno.stdout, env: Readonly<Record<string, string>>): Sink {
  const isTerminal = stream.isTerminal() && env.TERM !== "dumb";
  return {
    isTerminal,
    get columns() {
      return isTerminal ? Deno.consoleSize().columns : Infinity; // a pipe gets whole lines
    },
    async write(data) {
      for (let sent = 0; sent < data.length;) sent += await stream.write(data.subarray(sent));
    },
  };
}
