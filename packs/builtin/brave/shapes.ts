/** Results of the API, reduced to the fields worth reading. */

import { decodeHTML } from "entities";
import type { JsonObject } from "#base";
import { asList, asRecord, asText } from "../kit/values.ts";

/** Removes markup and entities from a text of the API. */
export function plain(value: unknown): string | undefined {
  const text = asText(value);
  return text && decodeHTML(text.replace(/<\/?strong>/g, "")).trim();
}

/** Drops undefined fields and empty lists. */
function present(fields: Readonly<Record<string, unknown>>): JsonObject {
  const some = Object.entries(fields).filter(([, value]) =>
    value !== undefined && !(Array.isArray(value) && value.length === 0)
  );
  return Object.fromEntries(some) as JsonObject;
}

/** Converts a page, a news item or a video. */
export function resultOf(value: unknown): JsonObject {
  const item = asRecord(value);
  const { meta_url, profile, video, extra_snippets } = item;
  const about = asRecord(video);
  return present({
    title: plain(item.title) ?? "",
    url: asText(item.url) ?? "",
    description: plain(item.description) ?? "",
    age: asText(item.age) ?? asText(item.page_age),
    source: asText(asRecord(profile).name) ?? asText(asRecord(meta_url).hostname),
    language: asText(item.language),
    duration: asText(about.duration),
    views: typeof about.views === "number" ? about.views : undefined,
    creator: asText(about.creator) ?? asText(about.publisher),
    extra_snippets: asList(extra_snippets).flatMap((snippet) => plain(snippet) ?? []),
  });
}

/** Converts an image. */
export function imageOf(value: unknown): JsonObject {
  const { title, url, source, thumbnail, properties } = asRecord(value);
  const about = asRecord(properties);
  return present({
    title: plain(title) ?? "",
    url: asText(about.url) ?? "",
    page: asText(url) ?? "",
    source: asText(source),
    thumbnail: asText(asRecord(thumbnail).src),
    width: typeof about.width === "number" ? about.width : undefined,
    height: typeof about.height === "number" ? about.height : undefined,
  });
}

/** Converts a business or another place. */
export function placeOf(value: unknown, description: string | undefined): JsonObject {
  const item = asRecord(value);
  const rating = asRecord(item.rating);
  const hours = asRecord(item.opening_hours);
  return present({
    name: plain(item.title ?? item.name) ?? "",
    url: asText(item.url),
    address: asText(asRecord(item.postal_address).displayAddress),
    phone: asText(asRecord(item.contact).telephone),
    rating: typeof rating.ratingValue === "number" ? rating.ratingValue : undefined,
    reviews: typeof rating.reviewCount === "number" ? rating.reviewCount : undefined,
    price_range: asText(item.price_range),
    categories: asList(item.categories).flatMap((one) => asText(one) ?? []),
    coordinates: asList(item.coordinates).filter((one) => typeof one === "number"),
    today: asList(hours.current_day).flatMap((one) => {
      const { opens, closes } = asRecord(one);
      return typeof opens === "string" && typeof closes === "string" ? [`${opens}-${closes}`] : [];
    }),
    description: plain(description),
  });
}

/** Joins the pieces of a summary to one text. */
export function summaryText(pieces: unknown): string {
  return asList(pieces).map((piece) => {
    const { type, data } = asRecord(piece);
    if (type === "token" && typeof data === "string") return data;
    if (type === "enum_item") {
      const { name, text } = asRecord(data);
      return `\n- ${[asText(name), asText(text)].filter(Boolean).join(": ")}`;
    }
    return type === "enum_end" ? "\n" : "";
  }).join("").trim();
}
