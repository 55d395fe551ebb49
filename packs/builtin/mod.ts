/** Door of the built-in packs. */

import type { BuiltinDeps } from "./kit/deps.ts";
import type { Files } from "./kit/files.ts";
import { createFolders } from "./kit/mod.ts";
import { createMoves } from "./kit/moves.ts";
import { createBravePack } from "./brave/mod.ts";
import { createDataPack } from "./data/mod.ts";
import { createDbPack } from "./db/mod.ts";
import { createFilePack } from "./file/mod.ts";
import { createGitPack } from "./git/mod.ts";
import { createGrepPack } from "./grep/mod.ts";
import { createLlmPack } from "./llm/mod.ts";
import { createPackagePack } from "./package/mod.ts";
import { createTextPack } from "./text/mod.ts";
import type { FileSettings } from "./file/settings.ts";
import type { BuiltinSettings } from "./settings.ts";
import type { Pack } from "../types.ts";
import { createWebPack } from "./web/mod.ts";

/** Makes the packs that are switched on. Heavy modules are imported at their first call. */
export function createBuiltinPacks(settings: BuiltinSettings, deps: BuiltinDeps): Pack[] {
  const { file, grep, git, data, text, db, web, brave, llm, package: packages } = settings;
  const withMoves = { ...deps, moves: createMoves(deps.home) };
  const withFiles = { ...withMoves, files: readableFiles(file, deps) };
  const modes: Readonly<Record<string, { readonly enabled: boolean | "auto" }>> = { ...settings };
  return [
    file.enabled && createFilePack(file, withMoves),
    grep.enabled && createGrepPack(grep, withMoves),
    git.enabled && createGitPack(git, withMoves),
    data.enabled && createDataPack(data, withFiles),
    text.enabled && createTextPack(text, withFiles),
    db.enabled && createDbPack(db, withFiles),
    packages.enabled && createPackagePack(packages, withFiles),
    web.enabled && createWebPack(web, deps),
    brave.enabled && createBravePack(brave, deps),
    llm.enabled && createLlmPack(llm, deps),
  ].filter((pack) => pack !== false)
    .map((pack) => ({ ...pack, standsBack: modes[pack.name]?.enabled === "auto" }));
}

/** Files that packs other than `file` may read: none if that pack is switched off. */
function readableFiles(
  { enabled, allowed, maxFileBytes }: FileSettings,
  { project, home, closed }: BuiltinDeps,
): Files {
  const key = enabled ? "packs.file.allowed" : "packs.file.allowed and switch the pack file on";
  const folders = createFolders({
    project,
    home,
    allowed: enabled === false ? [] : allowed,
    closed,
    key,
  });
  return { folders, maxBytes: maxFileBytes };
}
