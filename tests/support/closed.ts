/** What a configuration closes to programs, as the gateway makes it. */

import type { Config } from "#config";
import { type ClosedPaths, type ClosedPathsDeps, createClosedPaths } from "#packs";

export interface ClosingOptions
  extends Partial<Pick<ClosedPathsDeps, "mostSearched" | "findGit" | "now">> {
  /** Variables beside those of this process (none). */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Makes it; looks at the disk at the first question. */
export function closedOf(
  config: Pick<Config, "closed">,
  { variables = {}, ...more }: ClosingOptions = {},
): ClosedPaths {
  const environment = { ...Deno.env.toObject(), ...variables };
  return createClosedPaths({
    sources: () => config.closed,
    ...{ environment, now: Date.now, ...more },
  });
}
