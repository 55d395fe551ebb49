/** Calls that wait for a gateway, and those whose gateway ended. */

import type { JsonObject } from "#base";
import { LOOK_TOOL, RUN_TOOL } from "#gateway/mcp";

/** Progress of a call that waits. */
export const WAITING = "Starting the gateway";
/** Tools whose program may have ended before it called another. */
export const PROGRAM_TOOLS: readonly string[] = [RUN_TOOL, LOOK_TOOL];

/** Builds the result of the call; it can be repeated where its program had called no tool. */
export function lostCall(hasCalled: boolean): JsonObject {
  const text = hasCalled
    ? "Cannot finish the call: the gateway ended: earlier calls may have had effects: check " +
      "them, then repeat it; another gateway has taken over"
    : "Cannot finish the call: the gateway ended before a tool was called; another one has taken " +
      "over. Try again.";
  const error = { code: "unavailable", retryable: !hasCalled };
  return { content: [{ type: "text", text }], isError: true, _meta: { error } };
}
