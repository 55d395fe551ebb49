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

export interface SearchResult {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly score: number;
}

/** Finds what matches a query, best first. */
export async function findAll(
  deps: SearchDeps,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<readonly SearchResult[]> {
  await within(deps.registry.settle(null), CONNECT_MS);
  const hits = await deps.finder.find(query, limit);
  return hits.map(({ name, kind, description, score }) => ({
    name,
    kind,
    description,
    score: Math.round(score * 1_000) / 1_000,
  }));
}

/** Responds to `?q=…&limit=…`. */
export async function search(deps: SearchDeps, params: URLSearchParams): Promise<Response> {
  const query = params.get("q")?.trim() ?? "";
  if (query === "") {
    throw new HttpError("bad_request", 'Cannot search: "q" is missing: use /search?q=…');
  }
  const limit = limitOf(params.get("limit"));
  const results = await findAll(deps, { query, limit });
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
