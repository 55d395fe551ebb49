/** The `db` pack. */

import type { Files } from "../kit/files.ts";
import { createBuiltinPack } from "../kit/mod.ts";
import type { BuiltinDeps } from "../kit/deps.ts";
import { createWatcher } from "../../process/mod.ts";
import type { Pack } from "../../types.ts";
import { catalogTools } from "./catalog_tools.ts";
import { createConnections } from "./connections.ts";
import { queryTools } from "./query_tools.ts";
import type { DbSettings } from "./settings.ts";

const DESCRIPTION =
  "Reads, and where the config allows it changes, SQLite and PostgreSQL databases";

/** Makes the pack. The database enforces read-only connections. */
export function createDbPack(
  settings: DbSettings,
  deps: Pick<BuiltinDeps, "closed" | "deno" | "environment" | "log" | "names"> & {
    readonly files: Files;
  },
): Pack {
  const watcher = createWatcher({ log: deps.log });
  const connections = createConnections(settings, { ...deps, watcher });
  const parts = { settings, connections };
  const tools = [...catalogTools(parts), ...queryTools(parts)];
  return createBuiltinPack("db", tools, { description: DESCRIPTION, owns: [connections, watcher] });
}
