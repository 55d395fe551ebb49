/** The packs that come with Toolscript, in one place. */

import type { BuiltinDeps } from "./kit/deps.ts";
import type { Files } from "./kit/files.ts";
import { createFolders } from "./kit/mod.ts";
import { type BraveSettings, createBravePack } from "./brave/mod.ts";
import { createDataPack, type DataSettings } from "./data/mod.ts";
import { createDbPack, type DbSettings } from "./db/mod.ts";
import { createFilePack, type FileSettings } from "./file/mod.ts";
import { createGitPack, type GitSettings } from "./git/mod.ts";
import { createGrepPack, type GrepSettings } from "./grep/mod.ts";
import { createLlmPack, type LlmSettings } from "./llm/mod.ts";
import { createPackagePack, type PackageSettings } from "./package/mod.ts";
import { createTextPack, type TextSettings } from "./text/mod.ts";
import type { Pack } from "../types.ts";
import { createWebPack, type WebSettings } from "./web/mod.ts";

/** `packs.<name>` of the config; `enabled: false` switches a pack off. */
export interface BuiltinSettings {
  readonly brave: BraveSettings;
  readonly data: DataSettings;
  readonly db: DbSettings;
  readonly file: FileSettings;
  readonly grep: GrepSettings;
  readonly git: GitSettings;
  readonly llm: LlmSettings;
  readonly package: PackageSettings;
  readonly text: TextSettings;
  readonly web: WebSettings;
}

/** Makes those that are switched on. Making one costs nothing but its schemas: what is heavy is
 * imported at the first call. */
export function createBuiltinPacks(settings: BuiltinSettings, deps: BuiltinDeps): Pack[] {
  const { file, grep, git, data, text, db, web, brave, llm, package: packages } = settings;
  const withFiles = { ...deps, files: readableFiles(file, deps) };
  return [
    ...(file.enabled ? [createFilePack(file, deps)] : []),
    ...(grep.enabled ? [createGrepPack(grep, deps)] : []),
    ...(git.enabled ? [createGitPack(git, deps)] : []),
    ...(data.enabled ? [createDataPack(data, withFiles)] : []),
    ...(text.enabled ? [createTextPack(text, withFiles)] : []),
    ...(db.enabled ? [createDbPack(db, withFiles)] : []),
    ...(packages.enabled ? [createPackagePack(packages, withFiles)] : []),
    ...(web.enabled ? [createWebPack(web, deps)] : []),
    ...(brave.enabled ? [createBravePack(brave, deps)] : []),
    ...(llm.enabled ? [createLlmPack(llm, deps)] : []),
  ];
}

/** What packs other than `file` may read of its folders: nothing where it is switched off. */
function readableFiles(
  { enabled, allowed, maxFileBytes }: FileSettings,
  { project, closed }: BuiltinDeps,
): Files {
  const key = enabled ? "packs.file.allowed" : "packs.file.allowed and switch the pack file on";
  const folders = createFolders({ project, allowed: enabled ? allowed : [], closed, key });
  return { folders, maxBytes: maxFileBytes };
}
