/** Parameters that the searches share, with the API's names. */

import * as p from "../kit/params.ts";

export const QUERY = p.text("What to look for; operators such as site: and quotes work", {
  minLength: 1,
  maxLength: 400,
});
export const COUNTRY = p.optional(p.text("Where results come from: US, DE, … or ALL", {
  pattern: "^[A-Za-z]{2,3}$",
}));
export const LANGUAGE = p.optional(p.text("Language of the results: en, de, zh-hans, …", {
  pattern: "^[A-Za-z-]{2,8}$",
}));
export const FRESHNESS = p.optional(p.text(
  "Only what is new: pd (a day), pw (a week), pm (a month), py (a year), or " +
    "2026-01-01to2026-06-30",
  { pattern: "^(?:p[dwmy]|\\d{4}-\\d{2}-\\d{2}to\\d{4}-\\d{2}-\\d{2})$" },
));
export const SAFESEARCH = p.choice("How adult content is left out", ["moderate", "strict", "off"]);
export const OFFSET = p.byDefault(
  p.whole("Page of results, from 0", { minimum: 0, maximum: 9 }),
  0,
);

/** Parameter for the number of results. */
export function count(maximum: number, fallback = 10) {
  return p.byDefault(p.whole("Results to give", { minimum: 1, maximum }), fallback);
}
