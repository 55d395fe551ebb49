/** What the config says of the `git` pack. */

/** `packs.git` */
export interface GitSettings {
  readonly enabled: boolean;
  /** Folders whose repositories may be read, absolute. */
  readonly allowed: readonly string[];
  readonly timeoutMs: number;
  /** Largest answer of git that is read. */
  readonly maxOutputBytes: number;
}
