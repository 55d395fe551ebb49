/** `ot.reload`: takes in the configuration as it is on disk now (OT-14). */

import type { JsonObject } from "#base";
import { PackError } from "#packs";

/** Result of loading the configuration again. */
export type Reloaded =
  | {
    readonly kind: "reloaded";
    /** By section, what changed; names alone. */
    readonly changed: JsonObject;
    readonly warnings: readonly string[];
  }
  /** It is wrong: the one before stays in use. */
  | { readonly kind: "refused"; readonly problems: readonly string[] };

/** Loads the configuration and returns the changes. As YAML, the first line is `OK:
 * Configuration reloaded`. Throws `PackError`. */
export async function reloadConfig(load: () => Promise<Reloaded>): Promise<JsonObject> {
  const outcome = await load();
  if (outcome.kind === "refused") {
    const { problems } = outcome;
    throw new PackError(
      "tool_error",
      `Cannot reload the configuration: ${problems.join("; ")}: the one before stays in use`,
      { tool: "ot.reload", details: { problems: [...problems] } },
    );
  }
  const { changed, warnings } = outcome;
  return {
    OK: "Configuration reloaded",
    changed,
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  };
}
