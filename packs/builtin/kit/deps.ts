/** Parts that the built-in packs need. */

import type { Log, NameLookup } from "#base";
import type { ClosedPaths } from "../../closed/mod.ts";
import type { Moves } from "./moves.ts";

export interface BuiltinDeps {
  /** Absolute path of the project. */
  readonly project: string;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly fetch: typeof fetch;
  /** Look-ups of names for all packs. */
  readonly names: NameLookup;
  /** Path of the Deno program, for child processes. */
  readonly deno: string;
  readonly now: () => number;
  readonly log: Log;
  /** Paths that are closed to programs. */
  readonly closed: ClosedPaths;
  /** Environment of the gateway. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Parts that packs need whose work relies on paths. */
export interface PathDeps extends BuiltinDeps {
  readonly moves: Moves;
}
