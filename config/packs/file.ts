/** Settings of the `file` pack. */

import type { FileSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { amount, count, flag, texts } from "../rule_makers.ts";
import { foldersOf, type PackPlace } from "./place.ts";

const MB = 1024 * 1024;

export const FILE = {
  kind: "object",
  about: "The pack file: reads, finds and changes files",
  keys: {
    enabled: flag("false switches the pack off"),
    allowed: texts("Folders whose files may be used, relative to the project (the project)"),
    writable: texts("Globs of closed paths that programs may change nonetheless (none)"),
    write: flag("false makes the pack read-only"),
    backup: flag("Whether what is overwritten or deleted is kept in .onetool/trash (true)"),
    backup_days: count("Days that it is kept (7)", 1, 3650),
    max_file_mb: amount("Largest file that is read or edited, MB (32)", 1024),
    max_text_kb: count("Largest text that one call reads or writes, KB (1024)", 1, 1_048_576),
    max_entries: count("Entries that one call lists, copies or deletes (10000)"),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveFile(raw: Infer<typeof FILE>, place: PackPlace): FileSettings {
  return {
    enabled: raw.enabled ?? true,
    allowed: foldersOf(raw.allowed, place),
    writable: raw.writable ?? [],
    write: raw.write ?? true,
    backup: raw.backup ?? true,
    backupDays: raw.backup_days ?? 7,
    maxFileBytes: Math.round((raw.max_file_mb ?? 32) * MB),
    maxTextBytes: (raw.max_text_kb ?? 1024) * 1024,
    maxEntries: raw.max_entries ?? 10_000,
  };
}
