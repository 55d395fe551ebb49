/** The `file` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { FileSettings } from "./settings.ts";

const DESCRIPTION = "Reads, finds and changes files of the project";

/** Makes the pack. */
export function createFilePack(_settings: FileSettings, _deps: BuiltinDeps): Pack {
  return createBuiltinPack("file", [], { description: DESCRIPTION });
}
