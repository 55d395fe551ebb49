/** The `db` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { Files } from "../builtin/files.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { DbSettings } from "./settings.ts";

const DESCRIPTION =
  "Reads, and where the config allows it changes, SQLite and PostgreSQL databases";

/** Makes the pack. */
export function createDbPack(
  _settings: DbSettings,
  _deps: BuiltinDeps & { readonly files: Files },
): Pack {
  return createBuiltinPack("db", [], { description: DESCRIPTION });
}
