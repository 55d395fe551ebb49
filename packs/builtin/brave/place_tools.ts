/** `brave.local_search`, `brave.summarize` and `brave.context`. */

import { type JsonObject, sleep } from "#base";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { list, NUMBER, object, TEXT, TEXT_OR_NULL } from "../kit/schemas.ts";
import { asList, asRecord, asText } from "../kit/values.ts";
import { PackError } from "../../errors.ts";
import { count, COUNTRY, FRESHNESS, LANGUAGE, QUERY } from "./params.ts";
import { type BraveParts, localeOf } from "./search_tools.ts";

const PLACE = {
  url: TEXT,
  address: TEXT,
  phone: TEXT,
  price_range: TEXT,
  rating: NUMBER,
  reviews: NUMBER,
  description: TEXT,
  categories: list(TEXT),
  coordinates: list(NUMBER),
  today: list(TEXT),
};
const PLAN = "Needs a plan that includes it.";
/** Polls for a summary that is not complete. */
const SUMMARY_TRIES = 20;
const SUMMARY_WAIT_MS = 500;

/** Makes the tools. */
export function placeTools(parts: BraveParts): BuiltinTool[] {
  return [localTool(parts), summarizeTool(parts), contextTool(parts)];
}

function localTool({ settings, client }: BraveParts): BuiltinTool {
  return defineTool({
    name: "local_search",
    description: "Searches businesses and other places, with address, phone, rating and hours. " +
      `Empty where the query names no place. ${PLAN}`,
    params: { query: QUERY, count: count(20), country: COUNTRY, search_lang: LANGUAGE },
    returns: list(object({ name: TEXT, ...PLACE }, Object.keys(PLACE))),
    examples: ['brave.local_search(query="coffee in Lisbon", count=3)'],
    effect: "read",
    openWorld: true,
    run: async ({ query, count, ...args }, { signal }) => {
      const search = { q: query, ...localeOf(settings, args), result_filter: "locations" };
      const answer = await client.get("web/search", search, signal);
      const ids = asList(asRecord(answer.locations).results)
        .flatMap((one) => asText(asRecord(one).id) ?? []).slice(0, count);
      if (ids.length === 0) return [];
      const places = await client.get("local/pois", { ids }, signal);
      const descriptions = await client.get("local/descriptions", { ids }, signal)
        .catch((error): Record<string, unknown> => {
          if (error instanceof PackError && !signal.aborted) return {}; // places without descriptions
          throw error;
        });
      const { placeOf } = await import("./shapes.ts");
      const texts = new Map(
        asList(descriptions.results).map(asRecord).map((one) =>
          [one.id, asText(one.description)] as const
        ),
      );
      return asList(places.results).map((one) => placeOf(one, texts.get(asRecord(one).id)));
    },
  });
}

function summarizeTool({ settings, client }: BraveParts): BuiltinTool {
  return defineTool({
    name: "summarize",
    description: `Answers a question with a summary of what the web says, and its sources. ${PLAN}`,
    params: { query: QUERY, country: COUNTRY, search_lang: LANGUAGE },
    returns: object({
      title: TEXT_OR_NULL,
      text: TEXT,
      sources: list(object({ title: TEXT, url: TEXT }, ["title"])),
      followups: list(TEXT),
    }),
    examples: ['brave.summarize(query="what is the second highest mountain").text'],
    effect: "read",
    openWorld: true,
    run: async ({ query, ...args }, { signal }) => {
      const search = { q: query, ...localeOf(settings, args), summary: 1 };
      const answer = await client.get("web/search", search, signal);
      const key = asText(asRecord(answer.summarizer).key);
      if (key === undefined) {
        const way = "ask a question, or use brave.web_search";
        throw new PackError("tool_error", `Cannot summarize: Brave Search has no summary: ${way}`);
      }
      return await summaryOf({ client }, key, signal);
    },
  });
}

async function summaryOf(
  { client }: Pick<BraveParts, "client">,
  key: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { plain, summaryText } = await import("./shapes.ts");
  for (let tries = 0; tries < SUMMARY_TRIES; tries++) {
    const answer = await client.get("summarizer/search", { key, entity_info: 1 }, signal);
    if (answer.status === "failed") break;
    if (answer.status === "complete") {
      const sources = asList(asRecord(answer.enrichments).context).map(asRecord);
      return {
        title: plain(answer.title) ?? null,
        text: summaryText(answer.summary),
        sources: sources.flatMap(({ title, url }) => {
          const address = asText(url);
          return address ? [{ title: plain(title) ?? "", url: address }] : [];
        }),
        followups: asList(answer.followups).flatMap((one) => asText(one) ?? []),
      };
    }
    await sleep(SUMMARY_WAIT_MS, signal);
  }
  throw new PackError("tool_error", "Cannot summarize: Brave Search gave no summary: try again", {
    retryable: true,
  });
}

function contextTool({ settings, client }: BraveParts): BuiltinTool {
  return defineTool({
    name: "context",
    description: "Searches the web and gives the passages that matter of each page, made for " +
      `models. ${PLAN}`,
    params: {
      query: QUERY,
      count: count(50, 20),
      maximum_number_of_tokens: p.byDefault(
        p.whole("Tokens that all passages may take", { minimum: 1_024, maximum: 32_768 }),
        8_192,
      ),
      country: COUNTRY,
      search_lang: LANGUAGE,
      freshness: FRESHNESS,
      enable_local: p.flag("Also places"),
    },
    returns: list(object({ title: TEXT, url: TEXT, snippets: list(TEXT) })),
    examples: ['brave.context(query="deno permissions", count=5)'],
    effect: "read",
    openWorld: true,
    run: async ({ query, ...args }, { signal }) => {
      const { plain } = await import("./shapes.ts");
      const search = { q: query, ...args, ...localeOf(settings, args) };
      const grounding = asRecord((await client.get("llm/context", search, signal)).grounding);
      const passages = [...asList(grounding.generic), ...asList(grounding.map)].map(asRecord);
      return passages.map(({ title, name, url, snippets }) => ({
        title: plain(title ?? name) ?? "",
        url: asText(url) ?? "",
        snippets: asList(snippets).flatMap((one) => asText(one) ?? []),
      }));
    },
  });
}
