/** What the config says of the `data` pack. */

/** `packs.data` */
export interface DataSettings {
  readonly enabled: boolean;
  readonly timeoutMs: number;
  /** Largest file that one call reads, largest text that it gives. */
  readonly maxBytes: number;
  /** Largest value that one call gives. */
  readonly maxResultBytes: number;
  /** Memory that one call may take. */
  readonly memoryMb: number;
}
