/** The `git` pack. */

import { createBuiltinPack } from "../builtin/mod.ts";
import type { BuiltinDeps } from "../builtin_packs.ts";
import type { Pack } from "../types.ts";
import type { GitSettings } from "./settings.ts";

const DESCRIPTION = "Reads the history and state of git repositories";

/** Makes the pack. */
export function createGitPack(_settings: GitSettings, _deps: BuiltinDeps): Pack {
  return createBuiltinPack("git", [], { description: DESCRIPTION });
}
