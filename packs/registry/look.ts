/** Refusal of calls that do more than read. */

import type { Effect } from "../effect.ts";
import { PackError } from "../errors.ts";

/** Builds the error of a call that only a run may make. */
export function lookError(tool: string, effect: Effect): PackError {
  const does = effect === "destroy" ? "may destroy" : "writes";
  return new PackError(
    "read_only",
    `Cannot call "${tool}": it ${does}, and this is only a look: make the call in a run`,
    { tool, details: { effect } },
  );
}
