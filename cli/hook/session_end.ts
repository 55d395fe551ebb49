/** `toolscript hook session-end`: stops the gateway of an agent's session. */

import { findGateways } from "#gateway/running";
import type { Context } from "../context.ts";
import { stopGateway } from "../gateway/stop.ts";
import { readHookInput } from "./input.ts";

/** Short, since the agent has ended: no client waits for running programs. */
const PATIENCE_MS = 1_000;

export async function sessionEnd({ io }: Context): Promise<number> {
  const { session } = await readHookInput(io);
  const gateways = (await findGateways(io.home)).filter((entry) =>
    entry.shared && entry.session === session
  );
  await Promise.all(gateways.map((entry) => stopGateway(io, entry, PATIENCE_MS)));
  return 0;
}
