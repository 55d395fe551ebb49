/** Searches in workers, so that no pattern and no large folder blocks the gateway. */

import { createJobWorkers } from "../../jobs/workers.ts";
import { hasRulesAbove } from "./ignore_rules.ts";
import type { ContentMatches, ContentRequest, NameMatches, NamesRequest } from "./protocol.ts";

/** Way out for a search that takes too long. */
export const SEARCH_ADVICE = "search a smaller folder, or for a simpler pattern";

export interface Searcher extends AsyncDisposable {
  names(request: NamesRequest, signal: AbortSignal): Promise<NameMatches>;
  content(request: ContentRequest, signal: AbortSignal): Promise<ContentMatches>;
  /** True if ignore files above a folder ignore it. */
  isIgnored(folder: string, signal: AbortSignal): Promise<boolean>;
}

export interface SearcherOptions {
  readonly timeoutMs: number;
}

/** Makes a searcher; no worker runs before the first search. */
export function createSearcher({ timeoutMs }: SearcherOptions): Searcher {
  const module = new URL("./worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, readsFiles: true, timeoutMs, advice: SEARCH_ADVICE });
  const what = "search";
  return {
    names: (input, signal) => workers.run({ kind: "names", input }, { what, signal }),
    content: (input, signal) => workers.run({ kind: "content", input }, { what, signal }),
    async isIgnored(input, signal) {
      if (!hasRulesAbove(input)) return false;
      return await workers.run({ kind: "leftOut", input }, { what, signal });
    },
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}
