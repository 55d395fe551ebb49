/** Settings of the packs in `.onetool/tools/`, the project's apart from the home folder's. */

import type { JsonObject } from "#base";
import { holdsForTools } from "./trust/trust.ts";
import type { Config } from "./types.ts";

export interface PackSettingsByScope {
  /** True where folders above the packs must be closed to others too. */
  readonly checksAbove: boolean;
  /** Settings for packs of the home folder, by name. */
  readonly settings: Readonly<Record<string, JsonObject>>;
  /** The same for packs of the project; undefined where it is not trusted. */
  readonly projectSettings: Readonly<Record<string, JsonObject>> | undefined;
  /** Names that packs of a project that is not trusted leave to others. */
  readonly yieldsTo: readonly string[] | undefined;
}

/** Reads the tools folder again: it may have changed since it was trusted. */
export function packSettings({ trust, packs, checksAbove }: Config): PackSettingsByScope {
  const { extensions, ...builtin } = packs;
  const isTrusted = holdsForTools(trust);
  return {
    checksAbove,
    settings: extensions,
    projectSettings: isTrusted ? trust.settings : undefined,
    yieldsTo: isTrusted ? undefined : Object.keys(builtin),
  };
}
