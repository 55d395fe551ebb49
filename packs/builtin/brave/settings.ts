/** Settings of the `brave` pack. */

import type { Settings } from "../../rules/rule.ts";
import { count, pack, text, timeout, trimmed } from "../../rules/makers.ts";

export const BRAVE = pack("The pack brave: searches with Brave Search; off without a key", {
  api_key: trimmed("Key of the Brave Search API; without one the pack is off"),
  base_url: text("Address of the API", { default: "https://api.search.brave.com/res/v1" }),
  timeout: timeout("Seconds that one request may take", 20),
  concurrent: count("Requests that a batch makes at the same time", { default: 1, max: 50 }),
  country: text("Country of results where a call names none: `US`, `DE`"),
  language: text("Language of results where a call names none: `en`, `de`"),
});
export type BraveSettings = Settings<typeof BRAVE>;

/** Tells that the pack has all that it needs. */
export function isBraveReady(
  settings: BraveSettings,
): settings is BraveSettings & { readonly apiKey: string } {
  return settings.apiKey !== undefined;
}
