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

/** Makes the pack. That a connection is read-only is held by the database, not by a look at SQL. */
export function createDbPack(
  settings: DbSettings,
  deps: Pick<BuiltinDeps, "closed" | "deno" | "environment" | "log"> & { readonly files: Files },
): Pack {
  const watcher = createWatcher({ log: deps.log }); // starts nothing by itself
  const connections = createConnections(settings, { ...deps, watcher });
  const parts = { settings, connections };
  const tools = [...catalogTools(parts), ...queryTools(parts)];
  const dispose = async () => {
    await connections[Symbol.asyncDispose]();
    await watcher[Symbol.asyncDispose]();
  };
  return createBuiltinPack("db", tools, { description: DESCRIPTION, dispose });
}
