/** Settings of the `grep` pack. */

import type { GrepSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, seconds, texts } from "../rule_makers.ts";
import { foldersOf, type PackPlace } from "./place.ts";

const MB = 1024 * 1024;

export const GREP = {
  kind: "object",
  about: "The pack grep: searches the contents and names of files",
  keys: {
    enabled: flag("false switches the pack off"),
    allowed: texts("Folders that may be searched, relative to the project (the project)"),
    max_file_mb: amount("Larger files are passed over, MB (10)", 1024),
    max_results: count("Matches that one call may give (10000)", 1, 1_000_000),
    timeout: seconds("Seconds that one search may take (20)", 0.001),
    ripgrep: {
      kind: "choice",
      about: "auto uses ripgrep where it is installed (auto)",
      of: ["auto", "never"],
    },
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveGrep(raw: Infer<typeof GREP>, place: PackPlace): GrepSettings {
  return {
    enabled: raw.enabled ?? true,
    allowed: foldersOf(raw.allowed, place),
    maxFileBytes: Math.round((raw.max_file_mb ?? 10) * MB),
    maxResults: raw.max_results ?? 10_000,
    timeoutMs: (raw.timeout ?? 20) * 1000,
    ripgrep: raw.ripgrep ?? "auto",
  };
}
