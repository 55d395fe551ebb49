/** What the config says of the `data` pack. */

/** `packs.data` */
export interface DataSettings {
  readonly enabled: boolean;
  readonly timeoutMs: number;
  /** Largest text that one call reads or gives. */
  readonly maxBytes: number;
  /** Memory that one call may take. */
  readonly memoryMb: number;
}
