/** The `grep` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { GrepSettings } from "./settings.ts";

const DESCRIPTION = "Searches the contents and names of files";

/** Makes the pack. */
export function createGrepPack(_settings: GrepSettings, _deps: BuiltinDeps): Pack {
  return createBuiltinPack("grep", [], { description: DESCRIPTION });
}
