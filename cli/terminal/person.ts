/** The person at the terminal of this program; its stdin may be a pipe. */

import { constants, openSync, readSync } from "node:fs";
import { attempt, isObject, sleep } from "#base";
import { type TerminalSize, terminalSize } from "./sink.ts";

export interface Person {
  /** Drops what was typed so far: before a question is shown. */
  forget(): void;
  /** Drops what is typed until no key came for 0.7 s, or `signal` is aborted: what is typed right after
   * a question is written was meant for the one before. */
  settle(signal?: AbortSignal): Promise<void>;
  /** Reads a line; null at the end of input, or once `signal` is aborted. */
  readLine(signal?: AbortSignal): Promise<string | null>;
  /** Size of the terminal. */
  size(): TerminalSize;
}

const TERMINAL = "/dev/tty";
const MAX_LINE = 1_000;
/** Interval at which the terminal is read while a question stands there. */
const POLL_MS = 30;
/** Time without a key after which what is typed counts, as on the page. */
const SETTLE_MS = 700;

/** The terminal as it is read, and the clock. */
export interface Keyboard {
  /** Reads the bytes that are there; null at the end of input. */
  read(): Uint8Array | null;
  setRaw(isRaw: boolean, options?: Deno.SetRawOptions): void;
  /** Milliseconds since any moment. */
  now(): number;
  pause(ms: number): Promise<void>;
}

/** Opens the terminal; undefined without a terminal, and on Windows, where nothing drops what was
 * typed before a question. */
export function openPerson(): Person | undefined {
  const { O_RDONLY, O_NONBLOCK } = constants;
  // A program may have started this one, without a terminal.
  return attempt(() => {
    const modes = Deno.openSync(TERMINAL, { read: true });
    return createPerson({
      read: readerOf(openSync(TERMINAL, O_RDONLY | O_NONBLOCK)),
      setRaw: (isRaw, options) => modes.setRaw(isRaw, options),
      now: () => performance.now(),
      pause: (ms) => sleep(ms),
    });
  });
}

/** Reads a handle that does not wait. */
function readerOf(handle: number): Keyboard["read"] {
  const bytes = new Uint8Array(1_024);
  return () => {
    try {
      const count = readSync(handle, bytes, 0, bytes.length, null);
      return count === 0 ? null : bytes.subarray(0, count);
    } catch (error) {
      if (isObject(error) && error.code === "EAGAIN") return new Uint8Array();
      throw error;
    }
  };
}

/** Builds the person at a keyboard. */
export function createPerson({ read, setRaw, now, pause }: Keyboard): Person {
  return {
    forget() {
      // The beginning of a line can be read in raw mode only.
      setRaw(true);
      try {
        while (read()?.length);
      } finally {
        setRaw(false);
      }
    },
    async settle(signal) {
      // What is dropped is not shown; Ctrl-C still ends the program.
      setRaw(true, { cbreak: true });
      try {
        for (let since = now(); !signal?.aborted && now() - since < SETTLE_MS;) {
          await pause(POLL_MS);
          if (read()?.length) since = now();
        }
      } finally {
        setRaw(false);
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
        await pause(POLL_MS);
      }
      return null;
    },
    size: terminalSize,
  };
}
