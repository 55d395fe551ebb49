/** The `data` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { Files } from "../builtin/files.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { DataSettings } from "./settings.ts";

const DESCRIPTION = "Parses, queries, converts and compares JSON, YAML, CSV, TOML and NDJSON";

/** Makes the pack. */
export function createDataPack(
  _settings: DataSettings,
  _deps: BuiltinDeps & { readonly files: Files },
): Pack {
  return createBuiltinPack("data", [], { description: DESCRIPTION });
}
