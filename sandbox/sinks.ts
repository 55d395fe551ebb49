/** Where what a process says and asks for goes: to the run that it is for. */

import type { CallAnswer } from "./types.ts";

export interface ProcessSinks {
  output(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  word(stream: "stdout" | "stderr", word: string): void;
  /** A call of a tool, answered where there are any. */
  called(name: string, body: string): Promise<CallAnswer> | undefined;
  /** The program takes more of the gateway than it may. */
  overrun(reason: string): void;
  /** A body that the loader posts to `value` or `report`, which is asked for once. */
  posted(path: "value" | "report", read: ReadPosted): Promise<void> | undefined;
  /** A module below `program/`. */
  module(path: string): { readonly text: string; readonly transpile: boolean } | undefined;
}

/** Reads a body of at most `limit` bytes; undefined when it has more. */
export type ReadPosted = (limit: number) => Promise<string | undefined>;
