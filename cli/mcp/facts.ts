/** Facts by which `npm/bridge/` serves a client before it has a gateway, and after it lost one. */

import type { JsonObject } from "#base";
import type { Config } from "#config";
import { type FirstAnswers, firstAnswers, type McpAbout } from "#gateway/mcp";
import { lostCall, PROGRAM_TOOLS, WAITING } from "./lost_call.ts";

export interface BridgeFacts {
  readonly answers: FirstAnswers;
  readonly lost: { readonly called: JsonObject; readonly uncalled: JsonObject };
  readonly programs: readonly string[];
  readonly waiting: string;
  readonly maxBytes: number;
  readonly graceMs: number;
}

/** Builds the facts of a configuration. */
export async function factsOf(
  { gateway: { maxBodyBytes, graceMs } }: Config,
  about: McpAbout,
): Promise<BridgeFacts> {
  return {
    answers: await firstAnswers(about),
    lost: { called: lostCall(true), uncalled: lostCall(false) },
    programs: PROGRAM_TOOLS,
    waiting: WAITING,
    maxBytes: maxBodyBytes,
    graceMs,
  };
}
