/** What the config says of the `web` pack. */

/** `packs.web` */
export interface WebSettings {
  readonly enabled: boolean;
  /** Hosts and address ranges that may be asked although they are not public. */
  readonly allowPrivate: readonly string[];
  /** What one page may take, redirects included. */
  readonly timeoutMs: number;
  /** Largest page, unpacked. */
  readonly maxBytes: number;
  /** How long a page is good for a second look. */
  readonly cacheTtlMs: number;
  readonly cacheBytes: number;
  /** Pages that one batch asks for at the same time. */
  readonly concurrent: number;
  readonly userAgent: string;
  readonly robots: "obey" | "ignore";
  /** Memory that reading one page may take. */
  readonly memoryMb: number;
}
