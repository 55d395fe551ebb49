/** `GET /search`: tools, packs, snippets and aliases that match a query, best first. */

import { within } from "#base";
import type { Registry } from "#packs";
import type { Finder } from "#runtime";
import { HttpError } from "./problem.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** Time limit for connecting servers; the tools of slower ones are not searched. */
const CONNECT_MS = 5_000;

export interface SearchDeps {
  readonly registry: Registry;
  readonly finder: Finder;
}

/** Responds to `?q=…&limit=…`. */
export async function search(deps: SearchDeps, params: URLSearchParams): Promise<Response> {
  const query = params.get("q")?.trim() ?? "";
  if (query === "") {
    throw new HttpError("bad_request", 'Cannot search: "q" is missing: use /search?q=…');
  }
  const limit = limitOf(params.get("limit"));
  await within(deps.registry.settle(null), CONNECT_MS);
  const hits = await deps.finder.find(query, limit);
  const results = hits.map(({ name, kind, description, score }) => ({
    name,
    kind,
    description,
    score: Math.round(score * 1_000) / 1_000,
  }));
  return Response.json({ results });
}

function limitOf(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new HttpError(
    "bad_request",
    `Cannot search: "limit" is ${JSON.stringify(text.slice(0, 40))}: it must be a whole number ` +
      `from 1 to ${MAX_LIMIT}`,
  );
}
