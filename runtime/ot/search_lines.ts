/** Searches lines in a worker, so that no pattern can hold up the event loop. */

import { PackError } from "#packs";
import type { Found, SearchRequest } from "./search_types.ts";

const TIME_LIMIT_MS = 1_000;
/** What loading the worker may take beside. */
const LOAD_MS = 4_000;

export interface SearchOptions extends Omit<SearchRequest, "text"> {
  readonly signal?: AbortSignal;
}

/** The lines that match, from `offset`, at most `limit` of them. Throws `PackError`. */
export async function searchLines(
  text: string,
  { signal, search, fuzzy, offset, limit }: SearchOptions,
): Promise<Found> {
  if (!fuzzy) check(search);
  const worker = new Worker(import.meta.resolve("./search_worker.ts"), {
    type: "module",
    name: "line search",
  });
  const { promise, resolve, reject } = Promise.withResolvers<Found>();
  const end = () => reject(failed(search, "the run has ended", "cancelled"));
  let timer = setTimeout(() => reject(tooSlow(search)), LOAD_MS);
  worker.onmessage = ({ data }: MessageEvent<Found | "ready">) => {
    if (data !== "ready") return resolve(data);
    clearTimeout(timer);
    timer = setTimeout(() => reject(tooSlow(search)), TIME_LIMIT_MS);
    worker.postMessage({ text, search, fuzzy, offset, limit } satisfies SearchRequest);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(failed(search, "the search failed", "internal"));
  };
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    worker.terminate();
  }
}

function check(search: string): void {
  try {
    new RegExp(search);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failed(search, `${reason}: escape it, or use fuzzy=true`, "invalid_arguments");
  }
}

function tooSlow(search: string): PackError {
  const limit = `it took longer than ${TIME_LIMIT_MS / 1_000} s`;
  return failed(search, `${limit}: use a simpler pattern`, "timeout");
}

function failed(
  search: string,
  why: string,
  code: "cancelled" | "internal" | "invalid_arguments" | "timeout",
): PackError {
  const shown = search.length > 100 ? `${search.slice(0, 100)}…` : search;
  return new PackError(code, `Cannot search for "${shown}": ${why}`, { tool: "ot.result" });
}
