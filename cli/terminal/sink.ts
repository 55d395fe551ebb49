/** Standard output and error as sinks. */

import { fstatSync } from "node:fs";
import { attempt, createQueue, ROW, within } from "#base";

export interface Sink {
  readonly isTerminal: boolean;
  /** True for what may lead on to a terminal: no file, and no terminal itself. */
  readonly isPipe?: boolean;
  /** Width of the terminal. */
  readonly columns: number;
  write(data: Uint8Array): Promise<void>;
}

export interface OpenSink extends Sink {
  /** Resolves when all writes are done, or after a time limit: a pipe without a reader must not block
   * the end of the program. */
  flush(): Promise<void>;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const FLUSH_MS = 1_000;
/** Of a terminal that does not tell its size. */
const USUAL: TerminalSize = { columns: 80, rows: 24 };

/** Columns of a row that is read before a decision; a pipe may lead to a terminal. */
export function rowOf({ isTerminal, columns }: Sink): number {
  return isTerminal ? columns - 1 : ROW;
}

/** Size of the terminal that one of the standard streams leads to. */
export function terminalSize(): TerminalSize {
  // There may be no terminal among them, or one that tells zeros.
  const size = attempt(() => Deno.consoleSize());
  return { columns: size?.columns || USUAL.columns, rows: size?.rows || USUAL.rows };
}

/** Opens the sink of a stream: writes arrive whole and in order. A terminal with `TERM=dumb` in `env`
 * is treated as a pipe. */
export function openSink(
  stream: typeof Deno.stdout,
  env: Readonly<Record<string, string>>,
): OpenSink {
  const isTerminal = stream.isTerminal() && env.TERM !== "dumb";
  const fd = stream === Deno.stdout ? 1 : 2;
  const queue = createQueue();
  async function send(data: Uint8Array): Promise<void> {
    for (let sent = 0; sent < data.length;) sent += await stream.write(data.subarray(sent));
  }
  return {
    isTerminal,
    isPipe: !isTerminal && !attempt(() => fstatSync(fd).isFile(), false),
    get columns() {
      return isTerminal ? terminalSize().columns : Infinity; // a pipe gets whole lines
    },
    write: (data) => queue(() => send(data)),
    async flush() {
      await within(queue(() => {}), FLUSH_MS);
    },
  };
}
