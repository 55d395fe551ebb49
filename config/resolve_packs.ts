/** Fills in the settings of packs. */

import type { JsonObject, JsonValue } from "#sandbox";
import { PACKS } from "./pack_rules.ts";
import { resolveBrave } from "./packs/brave.ts";
import { resolveData } from "./packs/data.ts";
import { resolveDb } from "./packs/db.ts";
import { resolveFile } from "./packs/file.ts";
import { resolveGit } from "./packs/git.ts";
import { resolveGrep } from "./packs/grep.ts";
import { resolveLlm } from "./packs/llm.ts";
import { resolvePackage } from "./packs/package.ts";
import { resolveText } from "./packs/text.ts";
import { resolveWeb } from "./packs/web.ts";
import type { PackPlace } from "./packs/place.ts";
import type { RawConfig } from "./schema.ts";
import type { Config } from "./types.ts";

/** The settings of every pack: those that come with Toolscript by their own types, all others as
 * they were written. */
export function resolvePacks(
  raw: NonNullable<RawConfig["packs"]>,
  place: PackPlace,
): Config["packs"] {
  return {
    brave: resolveBrave(raw.brave ?? {}),
    data: resolveData(raw.data ?? {}),
    db: resolveDb(raw.db ?? {}, place),
    file: resolveFile(raw.file ?? {}, place),
    git: resolveGit(raw.git ?? {}, place),
    grep: resolveGrep(raw.grep ?? {}, place),
    llm: resolveLlm(raw.llm ?? {}),
    package: resolvePackage(raw.package ?? {}),
    text: resolveText(raw.text ?? {}),
    web: resolveWeb(raw.web ?? {}),
    extensions: extensionSettings(raw),
  };
}

/** Settings of packs that do not come with Toolscript. */
export function extensionSettings(raw: object): Readonly<Record<string, JsonObject>> {
  const given = Object.entries(raw) as [string, ReadonlyMap<string, JsonValue>][];
  const extensions = given
    .filter(([name]) => !Object.hasOwn(PACKS.keys, name))
    .map(([name, settings]) => [name, Object.fromEntries(settings)]);
  return Object.fromEntries(extensions);
}
