/** The `text` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { TextSettings } from "./settings.ts";

const DESCRIPTION = "Hashes, encodes, matches, compares, counts and fills in text";

/** Makes the pack. */
export function createTextPack(_settings: TextSettings, _deps: BuiltinDeps): Pack {
  return createBuiltinPack("text", [], { description: DESCRIPTION });
}
