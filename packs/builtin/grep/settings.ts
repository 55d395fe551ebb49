/** What the config says of the `grep` pack. */

/** `packs.grep` */
export interface GrepSettings {
  readonly enabled: boolean;
  /** Folders that may be searched, absolute. */
  readonly allowed: readonly string[];
  /** Larger files are passed over. */
  readonly maxFileBytes: number;
  /** Matches that one call may give. */
  readonly maxResults: number;
  readonly timeoutMs: number;
  /** `auto` uses ripgrep where it is on PATH. */
  readonly ripgrep: "auto" | "never";
}
