/** Ranked search over tools and whatever else has a name. */

export { createSearchEngine, type SearchEngine } from "./engine.ts";
export { createHabits, type Habits } from "./habits.ts";
export { toolItem } from "./items.ts";
export type { Kind, SearchGroup, SearchHit, SearchItem } from "./types.ts";
