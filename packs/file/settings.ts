/** What the config says of the `file` pack. */

import type { OwnFiles } from "../builtin/mod.ts";

/** `packs.file` */
export interface FileSettings {
  readonly enabled: boolean;
  /** Folders whose files may be used, absolute. */
  readonly allowed: readonly string[];
  /** What the gateway was configured by. */
  readonly own?: OwnFiles;
  /** False makes the pack read-only. */
  readonly write: boolean;
  /** Whether what is overwritten or deleted is kept. */
  readonly backup: boolean;
  readonly backupDays: number;
  /** Largest file that is read or edited. */
  readonly maxFileBytes: number;
  /** Largest text that one call reads or writes. */
  readonly maxTextBytes: number;
  /** Entries that one call lists, copies or deletes. */
  readonly maxEntries: number;
}
