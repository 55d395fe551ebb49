/** What the config says of the `brave` pack. */

/** `packs.brave` */
export interface BraveSettings {
  readonly enabled: boolean;
  /** Without one the pack is off. */
  readonly apiKey?: string;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** Requests at the same time. */
  readonly concurrent: number;
  /** Taken where a call names none. */
  readonly country?: string;
  readonly language?: string;
}

/** Whether all is there that the pack needs. */
export function isBraveReady(
  settings: BraveSettings,
): settings is BraveSettings & { readonly apiKey: string } {
  return settings.apiKey !== undefined;
}
