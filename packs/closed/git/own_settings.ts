/** Git's settings of the person and the system, as the environment names them. */

import { join } from "node:path";
import type { GitEntry } from "./settings_text.ts";

export interface OwnSettings {
  /** Paths, some of them relative to the folder that git starts in. */
  readonly files: readonly string[];
  /** Entries of the environment itself. */
  readonly entries: readonly GitEntry[];
}

/** Settings in every place that git may read: other programs start it in other environments. */
export function ownSettings(
  environment: Readonly<Record<string, string>>,
  home: string,
): OwnSettings {
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = environment;
  const files = [
    join(home, ".gitconfig"),
    join(home, ".config/git/config"),
    "/etc/gitconfig",
    ...XDG_CONFIG_HOME ? [join(XDG_CONFIG_HOME, "git/config")] : [],
    ...[GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM].flatMap((file) => file ? [file] : []),
  ];
  const entries = Object.entries(environment).flatMap(([name, key]): GitEntry[] => {
    const [, at] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? [];
    const value = environment[`GIT_CONFIG_VALUE_${at}`];
    return at === undefined || value === undefined ? [] : [[key.toLowerCase(), value]];
  });
  return { files: [...new Set(files)], entries };
}
