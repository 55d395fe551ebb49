/** `toolscript list [PACK]`: the tools of servers and packs. */

import { escapeUnseen, isObject } from "#base";
import { type Client, GatewayError } from "../client.ts";
import { connect } from "../gateway_connection.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools, type ListedTool, unknownPack } from "./ready.ts";
import { namesTable } from "./table.ts";

interface ListedPack {
  readonly name: string;
  readonly problem?: string;
  /** True while its project is not trusted. */
  readonly isUntrusted?: boolean;
}

export async function list(context: Context): Promise<number> {
  const { operands: [pack], options, print, io } = context;
  await using connection = await connect(context);
  const { client } = connection;
  const all = await fetchTools(client, print);
  const packs = await listPacks(client, { tools: all, name: pack });
  const names = packs.map(({ name }) => name);
  if (pack !== undefined && !names.includes(pack)) {
    throw new CliError(3, await unknownPack(pack, { names, verb: "list" }));
  }
  const isOfPack = ({ server }: ListedTool) => pack === undefined || server === pack;
  const tools = [...all, ...packs.filter(({ isUntrusted }) => isUntrusted).map(untrustedRow)]
    .filter(isOfPack);
  if (options.json === true) await print.json(tools);
  else if (tools.length > 0) await print.data(namesTable(tools, io.stdout.columns));
  else await print.say("No tools");
  for (const { name, problem } of packs) {
    if (problem === undefined || (pack !== undefined && pack !== name)) continue;
    await print.warn(escapeUnseen(`No tools of "${name}": ${problem}`));
  }
  return 0;
}

/** Lists servers and packs; disabled ones only if `name` is not one of the others. */
async function listPacks(
  client: Client,
  { tools, name }: { readonly tools: readonly ListedTool[]; readonly name?: string },
): Promise<ListedPack[]> {
  const status = await client.peek("/status", 5_000);
  const packs = isObject(status)
    ? [...readStates(status.servers), ...readStates(status.workers)]
    : [];
  const names = new Set(packs.map(({ name }) => name));
  const others = new Set(tools.map(({ server }) => server).filter((name) => !names.has(name)));
  packs.push(...[...others].map((name) => ({ name })));
  if (name === undefined || names.has(name) || others.has(name)) return packs;
  return [...packs, ...await fetchOff(client)];
}

/** Row of a server or pack whose tools are unknown, since its project is not trusted. */
function untrustedRow({ name }: ListedPack): ListedTool {
  const description = "untrusted: toolscript trust";
  return { name, server: name, description, source: "untrusted" };
}

/** Reads the state of each server or worker, with the reason why it has no tools. */
function readStates(states: unknown): ListedPack[] {
  if (!isObject(states)) return [];
  return Object.entries(states).map(([name, about]) => {
    const { status, tools, error } = isObject(about) ? about : {};
    const isMissing = tools === 0 && (status === "disconnected" || status === "needs-auth");
    if (status === "untrusted") return { name, isUntrusted: true };
    return isMissing ? { name, problem: String(error ?? status) } : { name };
  });
}

/** Lists built-in packs without tools, which are not configured. */
async function fetchOff(client: Client): Promise<ListedPack[]> {
  const packs = await client.callOt("packs").catch((error) => {
    if (error instanceof GatewayError) return undefined; // The security lists may refuse the call.
    throw error;
  });
  return (Array.isArray(packs) ? packs : []).filter(isObject).filter(({ tool_count }) =>
    tool_count === 0
  )
    .map(({ name, problem }) => ({
      name: String(name),
      problem: typeof problem === "string" ? problem : undefined,
    }));
}
