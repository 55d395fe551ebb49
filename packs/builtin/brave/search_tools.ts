/** `brave.web_search`, `brave.batch`, and the searches of news, videos and images. */

import type { JsonObject } from "#base";
import { mapEach } from "../kit/map_bounded.ts";
import type { PackError } from "../../errors.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, list, NUMBER, object, TEXT, TEXT_OR_NULL } from "../kit/schemas.ts";
import { asList, asRecord } from "../kit/values.ts";
import type { BraveClient, Query } from "./client.ts";
import { count, COUNTRY, FRESHNESS, LANGUAGE, OFFSET, QUERY, SAFESEARCH } from "./params.ts";
import type { BraveSettings } from "./settings.ts";

export interface BraveParts {
  readonly settings: BraveSettings;
  readonly client: BraveClient;
}

const EXTRAS = {
  age: TEXT,
  source: TEXT,
  language: TEXT,
  duration: TEXT,
  views: NUMBER,
  creator: TEXT,
  extra_snippets: list(TEXT),
};
const RESULTS = list(
  object({ title: TEXT, url: TEXT, description: TEXT, ...EXTRAS }, Object.keys(EXTRAS)),
);
const IMAGE = { source: TEXT, thumbnail: TEXT, width: NUMBER, height: NUMBER };
const KINDS = { news: RESULTS, videos: RESULTS, discussions: RESULTS, faq: RESULTS };
const WEB = {
  query: { ...TEXT, description: "The query with its spelling corrected" },
  results: RESULTS,
  ...KINDS,
  more: FLAG,
};
const WEB_PARAMS = {
  count: count(20),
  offset: OFFSET,
  country: COUNTRY,
  search_lang: LANGUAGE,
  freshness: FRESHNESS,
  safesearch: SAFESEARCH,
  result_filter: p.byDefault(
    p.texts("Kinds of results: web, news, videos, discussions, faq", {
      items: { type: "string", enum: ["web", "news", "videos", "discussions", "faq"] },
    }),
    ["web"],
  ),
  extra_snippets: p.flag("Further excerpts of each page, where the plan has them"),
  goggles: p.optional(p.texts("Goggles that rank the results, as addresses or definitions")),
};

/** Makes the tools. */
export function searchTools(parts: BraveParts): BuiltinTool[] {
  return [
    webTool(parts),
    batchTool(parts),
    kindTool(parts, "news", { what: "news articles", maximum: 50 }),
    kindTool(parts, "video", { what: "videos", maximum: 50 }),
    imageTool(parts),
  ];
}

/** Country and language of a call, or of the config. */
export function localeOf(
  { country, language }: BraveSettings,
  args: { readonly country?: string; readonly search_lang?: string },
): Query {
  return {
    country: (args.country ?? country)?.toUpperCase(),
    search_lang: (args.search_lang ?? language)?.toLowerCase(),
  };
}

async function searchWeb(
  { settings, client }: BraveParts,
  { query, result_filter, ...args }: {
    readonly query: string;
    readonly result_filter: readonly string[];
  } & Query,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { resultOf } = await import("./shapes.ts");
  const answer = await client.get("web/search", {
    q: query,
    ...args,
    ...localeOf(settings, args as Record<string, string>),
    text_decorations: false,
    result_filter: [...new Set(["query", ...result_filter])].join(","),
  }, signal);
  const about = asRecord(answer.query);
  const kinds = Object.keys(KINDS).flatMap((kind) => {
    const results = asList(asRecord(answer[kind]).results).map(resultOf);
    return results.length > 0 ? [[kind, results]] : [];
  });
  return {
    query: String(about.altered ?? about.original ?? query),
    results: asList(asRecord(answer.web).results).map(resultOf),
    ...Object.fromEntries(kinds),
    more: about.more_results_available === true,
  };
}

function webTool(parts: BraveParts): BuiltinTool {
  return defineTool({
    name: "web_search",
    description: "Searches the web: title, address and description of each page found",
    params: { query: QUERY, ...WEB_PARAMS },
    returns: object(WEB, Object.keys(KINDS)),
    examples: ['brave.web_search(query="deno permissions", count=5).results'],
    effect: "read",
    openWorld: true,
    run: (args, { signal }) => searchWeb(parts, args, signal),
  });
}

function batchTool(parts: BraveParts): BuiltinTool {
  return defineTool({
    name: "batch",
    description: "Searches the web for several things, as fast as the plan allows, in their " +
      "order. One that fails leaves the others alone: it has an error.",
    params: {
      queries: {
        ...p.texts("What to look for", {
          minItems: 1,
          maxItems: 50,
          items: { type: "string", minLength: 1, maxLength: 400 },
        }),
        required: true,
      },
      ...WEB_PARAMS,
    },
    returns: list(object({ ...WEB, error: TEXT_OR_NULL }, Object.keys(KINDS))),
    examples: ['brave.batch(queries=["deno", "node"], count=3)'],
    effect: "read",
    openWorld: true,
    run: ({ queries, ...args }, { signal, onProgress }) => {
      const { concurrent } = parts.settings;
      const failed = (query: string, { message }: PackError): JsonObject => {
        return { query, results: [], more: false, error: message };
      };
      return mapEach(queries, { concurrent, signal, onProgress, failed }, async (query) => {
        return { ...await searchWeb(parts, { query, ...args }, signal), error: null };
      });
    },
  });
}

function kindTool(
  { settings, client }: BraveParts,
  kind: "news" | "video",
  { what, maximum }: { readonly what: string; readonly maximum: number },
): BuiltinTool {
  return defineTool({
    name: `${kind}_search`,
    description: `Searches ${what}, with their age and source`,
    params: {
      query: QUERY,
      count: count(maximum),
      offset: OFFSET,
      country: COUNTRY,
      search_lang: LANGUAGE,
      freshness: FRESHNESS,
      safesearch: SAFESEARCH,
    },
    returns: RESULTS,
    examples: [`brave.${kind}_search(query="deno", freshness="pw")`],
    effect: "read",
    openWorld: true,
    run: async ({ query, ...args }, { signal }) => {
      const { resultOf } = await import("./shapes.ts");
      const search = { q: query, ...args, ...localeOf(settings, args) };
      const path = kind === "news" ? "news/search" : "videos/search";
      return asList((await client.get(path, search, signal)).results).map(resultOf);
    },
  });
}

function imageTool({ settings, client }: BraveParts): BuiltinTool {
  return defineTool({
    name: "image_search",
    description: "Searches images: url is the image, page the page that shows it",
    params: {
      query: QUERY,
      count: count(200),
      country: COUNTRY,
      search_lang: LANGUAGE,
      safesearch: p.choice("Whether adult content is left out", ["strict", "off"]),
    },
    returns: list(object({ title: TEXT, url: TEXT, page: TEXT, ...IMAGE }, Object.keys(IMAGE))),
    examples: ['brave.image_search(query="red panda", count=3)'],
    effect: "read",
    openWorld: true,
    run: async ({ query, ...args }, { signal }) => {
      const { imageOf } = await import("./shapes.ts");
      const search = { q: query, ...args, ...localeOf(settings, args) };
      return asList((await client.get("images/search", search, signal)).results).map(imageOf);
    },
  });
}
