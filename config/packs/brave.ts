/** Settings of the `brave` pack. */

import type { BraveSettings } from "#packs";
import type { Infer, ObjectRule } from "../rule.ts";
import { count, flag, seconds, text } from "../rule_makers.ts";

export const BRAVE = {
  kind: "object",
  about: "The pack brave: searches with Brave Search; off without a key",
  keys: {
    enabled: flag("false switches the pack off"),
    api_key: text("Key of the Brave Search API, as ${secret:BRAVE_API_KEY}"),
    base_url: text("Address of the API (https://api.search.brave.com/res/v1)"),
    timeout: seconds("Seconds that one request may take (20)", 0.001),
    concurrent: count("Requests that a batch makes at the same time (1)", 1, 50),
    country: text("Where results come from, where a call does not say: US, DE, …"),
    language: text("Language of results, where a call does not say: en, de, …"),
  },
} as const satisfies ObjectRule;

/** The settings with every default filled in. */
export function resolveBrave(raw: Infer<typeof BRAVE>): BraveSettings {
  return {
    enabled: raw.enabled ?? true,
    apiKey: raw.api_key?.trim() || undefined,
    baseUrl: raw.base_url ?? "https://api.search.brave.com/res/v1",
    timeoutMs: (raw.timeout ?? 20) * 1000,
    concurrent: raw.concurrent ?? 1,
    country: raw.country,
    language: raw.language,
  };
}
