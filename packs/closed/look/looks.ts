/** Looks at the disk for what is closed. */

import { findOnPath } from "../../builtin/kit/find_on_path.ts";
import { createGitReader } from "../git/reader.ts";
import type { ReadRules } from "../read_rules.ts";
import { type ClosedSources, rulesOf, unreadInodes } from "../rules.ts";
import { createSearcher } from "../search.ts";
import type { WriteRules } from "../write_rules.ts";

/** Looks, of which each uses what the one before read and has not changed since. */
export interface Looks extends AsyncDisposable {
  /** Rules for changes. */
  rules(sources: ClosedSources): Promise<WriteRules>;
  /** Files that may not be read under another name. */
  inodes(sources: ClosedSources): Promise<ReadRules["inodes"]>;
}

export interface LooksDeps {
  /** Variables of the gateway. */
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Limit of the folders that one search looks at, and of the entries that it compares. */
  readonly mostSearched?: number;
  /** Finds git (in a system folder or on `PATH`); tests go without it. */
  readonly findGit?: (project: string) => string | undefined;
}

/** Makes looks in this process, which takes what memory they need, and as long as they last. */
export function createLooks(
  { environment, now, mostSearched, findGit = gitOnPath(environment) }: LooksDeps,
): Looks {
  const reader = createGitReader({ findGit, now });
  const searcher = createSearcher({ now, most: mostSearched });
  return {
    rules: (sources) =>
      rulesOf(sources, { environment, search: searcher(), read: reader(sources.project) }),
    inodes: (sources) => unreadInodes(sources, { search: searcher(), most: mostSearched }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function gitOnPath(environment: LooksDeps["environment"]) {
  return (project: string) => findOnPath("git", { environment, project });
}
