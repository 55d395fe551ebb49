/** Parts that the packs of Toolscript are made with. */

import type { Log } from "#sandbox";
import type { ClosedPaths } from "../../closed/mod.ts";

export interface BuiltinDeps {
  /** The project's folder, absolute. */
  readonly project: string;
  readonly fetch: typeof fetch;
  /** The program that children in Deno are started with. */
  readonly deno: string;
  readonly now: () => number;
  readonly log: Log;
  /** What is closed in the folders that packs may use. */
  readonly closed: ClosedPaths;
  /** The gateway's own environment. */
  readonly environment: Readonly<Record<string, string>>;
}
