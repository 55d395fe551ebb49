/** Change of the servers in a client's file. */

import type { Entry } from "./clients.ts";

export interface Change {
  /** Entries to write, by name. */
  readonly set: Readonly<Record<string, Entry>>;
  /** Names of entries to remove. */
  readonly remove: readonly string[];
}

/** The file does not parse, cannot be read, or has something else where its servers should be. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}
