/** The person at the terminal of this program; its stdin may be a pipe. */

import { constants, openSync, readSync } from "node:fs";
import { attempt, isObject, sleep } from "#base";
import { type TerminalSize, terminalSize } from "./sink.ts";

export interface Person {
  /** Drops what was typed so far: before a question is shown. */
  forget(): void;
  /** Reads a line; null at the end of input, or once `signal` is aborted. */
  readLine(signal?: AbortSignal): Promise<string | null>;
  /** Size of the terminal. */
  size(): TerminalSize;
}

const TERMINAL = "/dev/tty";
const MAX_LINE = 1_000;
/** Interval at which the terminal is read while a question stands there. */
const POLL_MS = 30;

/** Opens the terminal; undefined without a terminal, and on Windows, where nothing drops what was
 * typed before a question. */
export function openPerson(): Person | undefined {
  const { O_RDONLY, O_NONBLOCK } = constants;
  // A program may have started this one, without a terminal.
  return attempt(() => {
    const modes = Deno.openSync(TERMINAL, { read: true });
    return createPerson(openSync(TERMINAL, O_RDONLY | O_NONBLOCK), modes);
  });
}

/** `handle` reads without waiting. */
function createPerson(handle: number, modes: Pick<Deno.FsFile, "setRaw">): Person {
  const bytes = new Uint8Array(1_024);

  /** Reads the bytes that are there; null at the end of input. */
  function read(): Uint8Array | null {
    try {
      const count = readSync(handle, bytes, 0, bytes.length, null);
      return count === 0 ? null : bytes.subarray(0, count);
    } catch (error) {
      if (isObject(error) && error.code === "EAGAIN") return new Uint8Array();
      throw error;
    }
  }

  return {
    forget() {
      // The beginning of a line can be read in raw mode only.
      modes.setRaw(true);
      try {
        while (read()?.length);
      } finally {
        modes.setRaw(false);
      }
    },
    async readLine(signal) {
      const decoder = new TextDecoder();
      let text = "";
      while (!signal?.aborted) {
        const part = read();
        if (part === null) return null;
        text = (text + decoder.decode(part, { stream: true })).slice(-MAX_LINE);
        const end = text.indexOf("\n");
        if (end !== -1) return text.slice(0, end);
        await sleep(POLL_MS);
      }
      return null;
    },
    size: terminalSize,
  };
}
