/** Settings of the `llm` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, pack, timeout, trimmed } from "../../rules/makers.ts";

export const LLM = pack("The pack llm: transforms values with a model; off without an endpoint", {
  base_url: trimmed("Address of an OpenAI-compatible API, as `https://api.openai.com/v1`"),
  model: trimmed("Its model"),
  api_key: trimmed("Its key, where it needs one"),
  timeout: timeout("Seconds that one reply of the model may take", 50),
  max_input_kb: count("Largest texts of one call together, thousands of characters", {
    default: 400,
    max: 1_000_000,
    unit: "thousand_characters",
  }),
  max_tokens: count("Most tokens of a reply where a call sets none; the model decides without"),
  temperature: count("Temperature where a call sets none; the model decides without", {
    min: 0,
    max: 2,
    whole: false,
  }),
});
export type LlmSettings = Settings<typeof LLM>;

/** Tells that the pack has all that it needs. */
export function isLlmReady(
  settings: LlmSettings,
): settings is LlmSettings & { readonly baseUrl: string; readonly model: string } {
  const { baseUrl, model } = settings;
  return baseUrl !== undefined && model !== undefined && URL.canParse(baseUrl);
}
