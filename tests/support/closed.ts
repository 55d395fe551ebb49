/** What a configuration closes to programs, as the gateway makes it. */

import type { Config } from "#config";
import { type ClosedPaths, type ClosedPathsDeps, createClosedPaths } from "#packs";

export type ClosingOptions = Pick<ClosedPathsDeps, "mostSearched" | "findGit">;

/** Makes it; looks at the disk at the first question. */
export function closedOf(
  config: Pick<Config, "closed">,
  more: ClosingOptions = {},
): ClosedPaths {
  const environment = Deno.env.toObject();
  return createClosedPaths({
    sources: () => config.closed,
    ...{ environment, now: Date.now, ...more },
  });
}
