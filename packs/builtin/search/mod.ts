/** Search in folders, for the packs that offer it. */

export type {
  ContentMatches,
  ContentRequest,
  FileCount,
  Kind,
  Match,
  NameMatches,
  Pattern,
} from "./protocol.ts";
export { createSearcher, SEARCH_ADVICE, type Searcher } from "./searcher.ts";
