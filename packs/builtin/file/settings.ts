/** What the config says of the `file` pack. */

/** `packs.file` */
export interface FileSettings {
  readonly enabled: boolean;
  /** Folders whose files may be used, absolute. */
  readonly allowed: readonly string[];
  /** Globs of what programs may change although it is closed, as they were written. */
  readonly writable: readonly string[];
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
