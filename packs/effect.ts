/** The effect of a tool, as its annotations tell it. */

import type { ToolSpec } from "./types.ts";

/** Effect of a tool: `read` changes nothing, `write` adds or changes, `destroy` may lose data. */
export type Effect = "read" | "write" | "destroy";

/** Effect of a tool; one that says nothing may write, one that claims both may destroy. */
export function effectOf({ annotations }: Pick<ToolSpec, "annotations">): Effect {
  if (annotations?.destructiveHint === true) return "destroy";
  return annotations?.readOnlyHint === true ? "read" : "write";
}

/** Tells whether a failed call may be made again: it changes nothing, or no more than once. */
export function mayRepeat(spec: Pick<ToolSpec, "annotations">): boolean {
  return effectOf(spec) === "read" || spec.annotations?.idempotentHint === true;
}
