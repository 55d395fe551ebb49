/** What the config says of the `llm` pack. */

/** `packs.llm` */
export interface LlmSettings {
  readonly enabled: boolean;
  /** Below it is `/chat/completions`; without one, or without a model, the pack is off. */
  readonly baseUrl?: string;
  readonly model?: string;
  /** Not every endpoint wants one. */
  readonly apiKey?: string;
  readonly timeoutMs: number;
  /** Largest input of one call. */
  readonly maxInputChars: number;
  /** Most tokens of an answer, where a call does not say. */
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** Whether all is there that the pack needs. */
export function isLlmReady(
  settings: LlmSettings,
): settings is LlmSettings & { readonly baseUrl: string; readonly model: string } {
  const { baseUrl, model } = settings;
  return baseUrl !== undefined && model !== undefined && URL.canParse(baseUrl);
}
