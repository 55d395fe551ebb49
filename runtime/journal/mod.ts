/** The journal: the last runs of a gateway, for those who look at them. */

export { type Excerpt, excerpt } from "./excerpt.ts";
export { createJournal, type Journal } from "./journal.ts";
export type {
  JournalCall,
  JournalEvent,
  RunDetails,
  RunFacets,
  RunFilter,
  RunSummary,
} from "./types.ts";
