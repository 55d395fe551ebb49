/** Searches in workers, so that no pattern and no large folder holds up the gateway. */

import { createJobWorkers } from "../kit/job_workers.ts";
import { hasRulesAbove } from "./ignore_rules.ts";
import type { ContentFound, ContentRequest, NamesFound, NamesRequest } from "./protocol.ts";

/** What a caller is to do about a search that took too long. */
export const SEARCH_ADVICE = "search a smaller folder, or for a simpler pattern";

export interface Searcher extends AsyncDisposable {
  names(request: NamesRequest, signal: AbortSignal): Promise<NamesFound>;
  content(request: ContentRequest, signal: AbortSignal): Promise<ContentFound>;
  /** Whether ignore files above a folder leave it out. */
  isLeftOut(folder: string, signal: AbortSignal): Promise<boolean>;
}

export interface SearcherOptions {
  readonly timeoutMs: number;
}

/** Makes a searcher; no worker runs before the first search. */
export function createSearcher({ timeoutMs }: SearcherOptions): Searcher {
  const workers = createJobWorkers({ module: new URL("./worker.ts", import.meta.url) });
  const options = { what: "search", advice: SEARCH_ADVICE, timeoutMs };
  return {
    async names(input, signal) {
      return await workers.run({ kind: "names", input }, { ...options, signal }) as NamesFound;
    },
    async content(input, signal) {
      return await workers.run({ kind: "content", input }, { ...options, signal }) as ContentFound;
    },
    async isLeftOut(input, signal) {
      if (!hasRulesAbove(input)) return false;
      return await workers.run({ kind: "leftOut", input }, { ...options, signal }) as boolean;
    },
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}
