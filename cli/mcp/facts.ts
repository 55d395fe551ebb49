/** Facts by which `npm/bridge/` serves a client before it has a gateway, and after it lost one. */

import type { JsonObject } from "#base";
import type { Config } from "#config";
import {
  buildInstructions,
  type FirstAnswers,
  firstAnswers,
  LOOK_TOOL,
  type McpAbout,
  RUN_TOOL,
} from "#gateway/mcp";
import { configuredPacks, configuredPurpose } from "#packs/configured";

export interface BridgeFacts {
  readonly answers: FirstAnswers;
  /** Results of calls whose gateway ended. */
  readonly lost: { readonly called: JsonObject; readonly uncalled: JsonObject };
  /** Tools whose program may have ended before it called another. */
  readonly programs: readonly string[];
  /** Progress of a call that waits for its gateway. */
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
    programs: [RUN_TOOL, LOOK_TOOL],
    waiting: "Starting the gateway",
    maxBytes: maxBodyBytes,
    graceMs,
  };
}

function lostCall(hasCalled: boolean): JsonObject {
  const text = hasCalled
    ? "Cannot finish the call: the gateway ended: earlier calls may have had effects: check " +
      "them, then repeat it; another gateway has taken over"
    : "Cannot finish the call: the gateway ended before a tool was called; another one has taken " +
      "over. Try again.";
  const error = { code: "unavailable", retryable: !hasCalled };
  return { content: [{ type: "text", text }], isError: true, _meta: { error } };
}

export interface AboutOptions {
  readonly home: string;
  readonly version: string;
  /** True where the packs of the project are not in the configuration. */
  readonly isOpen?: boolean;
}

/** Builds what a client hears of this server, from the configuration alone. */
export function aboutOf(config: Config, { home, version, isOpen }: AboutOptions): McpAbout {
  const { prompts, servers, cacheDir } = config;
  const sources = { texts: prompts.packs, servers, cacheDir };
  const names = configuredPacks({ ...config, home, packs: { ...config.packs } });
  const packs = names.map((name) => ({ name, purpose: configuredPurpose(name, sources) }));
  return {
    version,
    direct: config.direct.length > 0,
    look: config.mcp.look,
    askTimeoutMs: config.security.askTimeoutMs,
    instructions: buildInstructions({ packs, extra: prompts.instructions, isOpen }),
  };
}
