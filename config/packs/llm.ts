/** Settings of the `llm` pack. */

import type { LlmSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { count, flag, seconds, text } from "../rule_makers.ts";

export const LLM = {
  kind: "object",
  about: "The pack llm: transforms values with a language model; off without an endpoint",
  keys: {
    enabled: flag("false switches the pack off"),
    base_url: text("Address of an OpenAI-compatible API, as https://api.openai.com/v1"),
    model: text("Its model"),
    api_key: text("Its key, where it wants one, as ${secret:OPENAI_API_KEY}"),
    timeout: seconds("Seconds that one answer may take (50)", 0.001),
    max_input_kb: count("Largest input of one call, thousands of characters (400)", 1, 1_000_000),
    max_tokens: count("Most tokens of an answer, where a call does not say (the model's own)"),
    temperature: {
      kind: "number",
      about: "Where a call does not say (the model's own)",
      min: 0,
      max: 2,
    },
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveLlm(raw: Infer<typeof LLM>): LlmSettings {
  return {
    enabled: raw.enabled ?? true,
    baseUrl: raw.base_url?.trim() || undefined,
    model: raw.model?.trim() || undefined,
    apiKey: raw.api_key?.trim() || undefined,
    timeoutMs: (raw.timeout ?? 50) * 1000,
    maxInputChars: (raw.max_input_kb ?? 400) * 1000,
    maxTokens: raw.max_tokens,
    temperature: raw.temperature,
  };
}
