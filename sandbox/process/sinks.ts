/** Receiver of the output and requests of a process: its run. */

import type { CallAnswer, SandboxCall } from "../types.ts";

export interface ProcessSinks {
  output(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  word(stream: "stdout" | "stderr", word: string): void;
  /** Answers a call of a tool; undefined where there are no tools. */
  called(call: SandboxCall): Promise<CallAnswer> | undefined;
  /** Ends a run that exceeds its share of the gateway. */
  overrun(reason: string): void;
  /** Reads the body that the loader posts to `value` or `report`; undefined after the first. */
  posted(path: "value" | "report", read: ReadBody): Promise<void> | undefined;
  /** Returns a module below `program/`. */
  module(path: string): { readonly text: string; readonly transpile: boolean } | undefined;
}

/** Reads a body of at most `limit` bytes; undefined when it has more. */
export type ReadBody = (limit: number) => Promise<string | undefined>;
