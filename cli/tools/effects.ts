/** `toolscript effects [SERVER]`: what tools do to the world, and who says so. */

import { escapeUnseen } from "#base";
import { connect } from "../gateway_connection.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools, type ListedTool, unknownPack } from "./ready.ts";

/** Where each effect comes from, for a person. */
const ORIGINS: Readonly<Record<string, string>> = {
  config: "the configuration",
  pack: "the pack",
  annotations: "its annotations",
  default: "nobody: it counts as write",
};

/** Prints the effects; exit code 3 where there is no such server or pack. */
export async function effects(context: Context): Promise<number> {
  const { operands: [name], options, print } = context;
  await using connection = await connect(context);
  const all = await fetchTools(connection.client, print);
  const tools = all.filter(({ server }) => name === undefined || server === name);
  if (name !== undefined && tools.length === 0) {
    const names = [...new Set(all.map(({ server }) => server))];
    throw new CliError(3, await unknownPack(name, { names, verb: "show the effects of" }));
  }
  if (options.json === true) await print.json(tools.map(toRow));
  else await print.data(tableOf(tools));
  const silent = tools.filter(({ effect_from }) => effect_from === "default");
  if (options.json !== true && silent.length > 0) {
    const { server = "", source = "" } = silent[0] ?? {};
    const key = source.startsWith("proxy:") ? "servers" : "packs";
    await print.say(
      `${silent.length} of ${tools.length} tools say nothing: declare them in ` +
        `${key}.${server}.effects, as "get_*": read`,
    );
  }
  return 0;
}

function toRow({ name, effect, effect_from }: ListedTool) {
  return { tool: name, effect, from: effect_from };
}

function tableOf(tools: readonly ListedTool[]): string {
  const names = tools.map(({ name }) => escapeUnseen(name));
  const width = Math.max(0, ...names.map(({ length }) => length));
  return tools.map(({ effect = "", effect_from = "" }, at) =>
    `${(names[at] ?? "").padEnd(width)}  ${effect.padEnd("destroy".length)}  ${
      ORIGINS[effect_from] ?? effect_from
    }`
  ).join("\n");
}
