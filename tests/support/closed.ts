/** What a configuration closes to programs, as the gateway makes it. */

import type { Config } from "#config";
import {
  type ClosedPaths,
  createClosedPaths,
  createLookProcess,
  createLooks,
  type LooksDeps,
} from "#packs";

export interface ClosingOptions extends Partial<Omit<LooksDeps, "environment">> {
  /** Variables beside those of this process (none). */
  readonly variables?: Readonly<Record<string, string>>;
  /** True for looks in a process of their own, as the gateway makes them (false). */
  readonly isApart?: boolean;
}

/** Makes it; looks at the disk at the first question. */
export function closedOf(
  config: Pick<Config, "closed">,
  { variables = {}, now = Date.now, isApart = false, ...more }: ClosingOptions = {},
): ClosedPaths {
  const environment = { ...Deno.env.toObject(), ...variables };
  const deps = { environment, now, ...more };
  const looks = isApart ? createLookProcess(deps) : createLooks(deps);
  return createClosedPaths({ sources: () => config.closed, looks, now });
}
