/** Finds lines in a text: in what a path selects, by a regular expression, or by likeness. */

/// <reference lib="webworker" />
import { bounded } from "#base/bounded";
import { decodeText, eachLine } from "../../reply/lines.ts";
import { matchingLines, pickLines } from "./pick_lines.ts";
import type { LinePage, SearchAnswer, SearchRequest } from "./search_types.ts";

addEventListener("message", async ({ data }: MessageEvent<SearchRequest>) => {
  const answer = await find(data).then(
    (lines): SearchAnswer => ({ kind: "found", page: lines }),
    (error): SearchAnswer => ({ kind: "refused", reason: String(error.message) }),
  );
  postMessage(answer);
});
postMessage("ready");

/** Longer than the caller waits for an answer. */
const GIVE_UP_MS = 2_000;

async function find(request: SearchRequest): Promise<LinePage> {
  const { path, search, fuzzy, context } = request;
  const whole = decodeText(request.bytes);
  const text = path === undefined ? whole : await selected(whole, path);
  if (search === undefined) return pickLines(eachLine(text), request);
  if (fuzzy) return pickLines(await alike(text, search), request);
  const pattern = new RegExp(search);
  const matching = () => pickLines(matchingLines(eachLine(text), { pattern, context }), request);
  return bounded(matching, GIVE_UP_MS);
}

async function selected(text: string, path: string): Promise<string> {
  const { queryJson } = await import("./query_json.ts");
  return bounded(() => queryJson(text, path), GIVE_UP_MS);
}

/** Lines that resemble the words, the most similar first. */
async function alike(text: string, search: string): Promise<readonly string[]> {
  const { default: Fuse } = await import("fuse.js");
  const options = { ignoreLocation: true, threshold: 0.4, includeScore: true };
  const searchAll = () => new Fuse([...eachLine(text)], options).search(search.slice(0, 200));
  return bounded(searchAll, GIVE_UP_MS).map(({ item }) => item);
}
