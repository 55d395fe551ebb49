/** Options of a request to an API. */

export interface ApiOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** What the error begins with: `Cannot search`. */
  readonly what: string;
  /** `Brave Search` */
  readonly service: string;
  /** The settings that a refused request is about: `packs.brave.api_key`. */
  readonly keySetting: string;
  readonly timeoutSetting: string;
  /** Never shown, whatever the API answers. */
  readonly secret: string | undefined;
}
