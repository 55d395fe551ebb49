/** Scope of a sign-in. */

import { computeScopeUnion } from "@modelcontextprotocol/client";
import type { Credential } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";

/** Scope to ask for: the configured one and what the server asked for; if it asked for any, also
 * what was granted before. Undefined leaves the scope to the metadata. */
export function scopeFor(
  { settings }: Pick<AuthTarget, "settings">,
  credential: Credential | undefined,
): string | undefined {
  const { wanted: demand, tokens } = credential ?? {};
  return computeScopeUnion(settings.scope, demand, demand === undefined ? "" : tokens?.scope);
}
