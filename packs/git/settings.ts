/** What the config says of the `git` pack. */

import type { OwnFiles } from "../builtin/mod.ts";

/** `packs.git` */
export interface GitSettings {
  readonly enabled: boolean;
  /** Folders whose repositories may be read, absolute. */
  readonly allowed: readonly string[];
  /** What the gateway was configured by. */
  readonly own?: OwnFiles;
  readonly timeoutMs: number;
  /** Largest answer of git that is read. */
  readonly maxOutputBytes: number;
}
