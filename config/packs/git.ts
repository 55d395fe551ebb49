/** Settings of the `git` pack. */

import type { GitSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, flag, seconds, texts } from "../rule_makers.ts";
import { foldersOf, type PackPlace } from "./place.ts";

const MB = 1024 * 1024;

export const GIT = {
  kind: "object",
  about: "The pack git: reads the history and state of repositories",
  keys: {
    enabled: flag("false switches the pack off"),
    allowed: texts("Folders whose repositories may be read, relative to the project (the project)"),
    timeout: seconds("Seconds that one call may take (20)", 0.001),
    max_output_mb: amount("Largest answer of git that is read, MB (4)", 1024),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveGit(raw: Infer<typeof GIT>, place: PackPlace): GitSettings {
  return {
    enabled: raw.enabled ?? true,
    allowed: foldersOf(raw.allowed, place),
    timeoutMs: (raw.timeout ?? 20) * 1000,
    maxOutputBytes: Math.round((raw.max_output_mb ?? 4) * MB),
  };
}
