/** Settings of the `file` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, flag, folders, megabytes, pack, texts } from "../../rules/makers.ts";

export const FILE = pack("The pack file: reads, finds and changes files", {
  allowed: folders("Folders whose files may be used, relative to the project"),
  writable: texts("Globs of closed paths that programs may change"),
  write: flag("`false` leaves only the tools that change nothing", { default: true }),
  backup: flag("Keep what is overwritten or deleted in `.onetool/trash`", { default: true }),
  backup_days: count("Days that it is kept", { default: 7, max: 3650 }),
  max_file_mb: megabytes("Largest file that is read or edited, MB", { default: 32, max: 1024 }),
  max_text_kb: count("Largest text that one call reads or writes, KB", {
    default: 1024,
    max: 1_048_576,
    unit: "kilobytes",
  }),
  max_entries: count("Entries that one call lists, copies or deletes", { default: 10_000 }),
});
export type FileSettings = Settings<typeof FILE>;
