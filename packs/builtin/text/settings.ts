/** What the config says of the `text` pack. */

/** `packs.text` */
export interface TextSettings {
  readonly enabled: boolean;
  readonly timeoutMs: number;
  /** What one regular expression or template may take. */
  readonly patternTimeoutMs: number;
  /** Memory that one call may take. */
  readonly memoryMb: number;
}
