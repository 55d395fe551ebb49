/** Searches in workers, so that no pattern and no large folder blocks the gateway. */

import { createJobWorkers } from "../../jobs/workers.ts";
import type { Caller } from "../kit/mod.ts";
import { hasRulesAbove } from "./ignore_rules.ts";
import type { ContentMatches, ContentRequest, NameMatches, NamesRequest } from "./protocol.ts";

/** Way out for a search that takes too long. */
export const SEARCH_ADVICE = "search a smaller folder, or for a simpler pattern";

export interface Searcher extends AsyncDisposable {
  names(request: NamesRequest, caller: Caller): Promise<NameMatches>;
  content(request: ContentRequest, caller: Caller): Promise<ContentMatches>;
  /** True if ignore files above a folder ignore it. */
  isIgnored(folder: string, caller: Caller): Promise<boolean>;
}

export interface SearcherOptions {
  readonly timeoutMs: number;
}

/** Makes a searcher; no worker runs before the first search. */
export function createSearcher({ timeoutMs }: SearcherOptions): Searcher {
  const module = new URL("./worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, readsFiles: true, timeoutMs, advice: SEARCH_ADVICE });
  const search = <T>(kind: string, input: unknown, { signal, run }: Caller) =>
    workers.run<T>({ kind, input }, { what: "search", signal, run });
  return {
    names: (input, caller) => search("names", input, caller),
    content: (input, caller) => search("content", input, caller),
    async isIgnored(input, caller) {
      if (!hasRulesAbove(input)) return false;
      return await search("leftOut", input, caller);
    },
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}
