/** Tokens of a model's context that the definitions of tools take, before and after. */

import { isObject, type JsonObject, messageOf } from "#base";
import type { Config } from "#config";
import { type McpBackend, type McpExchange, ownTools } from "#gateway/mcp";
import { createClient } from "../client.ts";
import { loadWhole } from "../config.ts";
import type { Context } from "../context.ts";
import { withTrialGateway } from "../doctor/trial.ts";
import { interruptible } from "../interruptible.ts";
import { countTokens, definitionOf } from "../tokens.ts";
import { fetchTools } from "../tools/ready.ts";

/** Starts the servers once, and prints the tokens that their tools take and those of Toolscript's
 * own. Starts nothing without the person's trust. Resolves with 130 when interrupted, else with 0. */
export async function compareTokens(context: Context): Promise<number> {
  const { io, print } = context;
  return await interruptible(io, async (signal) => {
    try {
      const text = await compare(context, signal);
      if (text !== undefined) await print.say(text);
    } catch (error) {
      const why = messageOf(error);
      await print.warn(`Cannot count the tokens of the servers: ${why}`);
    }
    return 0;
  });
}

async function compare(context: Context, signal: AbortSignal): Promise<string | undefined> {
  const { io, print } = context;
  const config = await loadWhole(context);
  const names = config.servers.filter(({ enabled }) => enabled).map(({ name }) => name);
  if (names.length === 0 || config.trust.kind === "untrusted") return undefined;
  return await withTrialGateway(io, { config: offering(config, names) }, async (gateway) => {
    await fetchTools(createClient({ ...gateway, fetch: io.fetch }), print);
    return await comparison(gateway.mcp, signal);
  });
}

/** Configuration that offers the servers' own tools, as they are without Toolscript. */
function offering(config: Config, direct: readonly string[]): Config {
  return { ...config, direct };
}

async function comparison(mcp: McpBackend, signal: AbortSignal): Promise<string> {
  const exchange: McpExchange = { signal, capabilities: {}, meta: {}, onLog: () => {} };
  const { tools } = await mcp.handle({ method: "tools/list", params: {} }, exchange);
  const all = (Array.isArray(tools) ? tools : []).filter(isObject) as JsonObject[];
  const names = new Set(ownTools({ look: true }).map(({ name }) => name));
  const [own, others] = [true, false].map((isOwn) =>
    all.filter(({ name }) => names.has(name) === isOwn).map(definitionOf)
  );
  const before = await countTokens((others ?? []).join("\n"));
  const after = await countTokens([mcp.about().instructions, ...own ?? []].join("\n"));
  return `Tokens that an agent reads before its first word: ${before} for ${others?.length} tools, ` +
    `now ${after} for ${own?.length}`;
}
