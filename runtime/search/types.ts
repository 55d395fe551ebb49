/** Items of a search and its hits. */

export type Kind = "tool" | "pack" | "snippet" | "alias";

/** One thing that has a name. */
export interface SearchItem {
  readonly kind: Kind;
  /** As it is shown: `github.create_issue`. */
  readonly name: string;
  /** As it is shown: one line. */
  readonly description: string;
  /** The name of its own, without its pack's: `create_issue`. */
  readonly own: string;
  /** Further description; only its beginning counts. */
  readonly text: string;
  /** Every spelling under which it can be looked up, in lower case. */
  readonly spellings: readonly string[];
  /** Names of parameters and their choices. */
  readonly parameters: readonly string[];
  /** Words that say least: examples of arguments, fields of results, a pack's instructions. */
  readonly hints?: readonly string[];
}

/** Things that come and go together: a pack's tools, all snippets. */
export interface SearchGroup {
  /** Unique among groups. */
  readonly name: string;
  /** Name of the pack that all items belong to; empty without one. */
  readonly context: string;
  /** Whose change means that the group has changed. */
  readonly version: unknown;
  /** Asked for one by one when the group is new or has changed. */
  readonly items: () => Iterable<SearchItem>;
}

export interface SearchHit extends SearchItem {
  /** Over 0, at most 1. */
  readonly score: number;
}
