/** Search in folders, for the packs that offer it. */

export type {
  ContentFound,
  ContentRequest,
  FileCount,
  Kind,
  Match,
  NamesFound,
  Pattern,
} from "./protocol.ts";
export { createSearcher, SEARCH_ADVICE, type Searcher } from "./searcher.ts";
