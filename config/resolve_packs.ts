/** Fills in the settings of packs. */

import type { JsonObject, JsonValue } from "#sandbox";
import { PACKS } from "./pack_rules.ts";
import type { RawConfig } from "./schema.ts";
import type { Config } from "./types.ts";

/** The settings of every pack: those that come with Toolscript by their own types, all others as
 * they were written. */
export function resolvePacks(raw: NonNullable<RawConfig["packs"]>): Config["packs"] {
  return { extensions: extensionSettings(raw) };
}

function extensionSettings(raw: object): Readonly<Record<string, JsonObject>> {
  const given = Object.entries(raw) as [string, ReadonlyMap<string, JsonValue>][];
  const extensions = given
    .filter(([name]) => !Object.hasOwn(PACKS.keys, name))
    .map(([name, settings]) => [name, Object.fromEntries(settings)]);
  return Object.fromEntries(extensions);
}
