/** Finds lines in a text, by a regular expression or by likeness. */

/// <reference lib="webworker" />
import { eachLine } from "../reply/lines.ts";
import type { Found, SearchRequest } from "./search_types.ts";

addEventListener("message", async ({ data }: MessageEvent<SearchRequest>) => {
  postMessage(data.fuzzy ? await byLikeness(data) : byPattern(data));
});
postMessage("ready");

function byPattern({ text, search, offset, limit }: SearchRequest): Found {
  const pattern = new RegExp(search);
  const lines: string[] = [];
  let at = 0;
  for (const line of eachLine(text)) {
    if (!pattern.test(line) || ++at < offset) continue;
    if (lines.length === limit) return { lines, more: true };
    lines.push(line);
  }
  return { lines, more: false };
}

/** The most alike first. */
async function byLikeness({ text, search, offset, limit }: SearchRequest): Promise<Found> {
  const { default: Fuse } = await import("fuse.js");
  const options = { ignoreLocation: true, threshold: 0.4, includeScore: true };
  const found = new Fuse([...eachLine(text)], options).search(search.slice(0, 200));
  const lines = found.slice(offset - 1, offset - 1 + limit).map(({ item }) => item);
  return { lines, more: found.length > offset - 1 + limit };
}
