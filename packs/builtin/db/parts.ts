/** Parts that the tools of the `db` pack share. */

import * as p from "../kit/params.ts";
import type { Connections } from "./connections.ts";
import type { EngineOptions } from "./engine.ts";
import type { DbSettings } from "./settings.ts";

export interface DbParts {
  readonly settings: DbSettings;
  readonly connections: Connections;
}

export const CONNECTION = p.optional(p.path(
  "A name of db.connections, or sqlite:path for a file within the folders of the pack file; not " +
    "needed where there is one connection",
  { form: "sqlite" },
));

interface BoundsOptions extends Pick<EngineOptions, "signal" | "run" | "isLook" | "file"> {
  readonly limit?: number;
}

/** Limits of one call. */
export function boundsOf(
  { settings }: DbParts,
  { signal, run, file, isLook = false, limit = settings.maxRows }: BoundsOptions,
): EngineOptions {
  const { timeoutMs, maxRows, maxResultBytes: maxBytes } = settings;
  return { signal, run, file, isLook, timeoutMs, limit: Math.min(limit, maxRows), maxBytes };
}
