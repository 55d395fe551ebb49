/** Help texts, from the table of commands. */

import { type CommandSpec, GLOBAL_OPTIONS } from "../command_spec.ts";
import type { Context } from "../context.ts";
import { manPage, manualText, optionRows, type Row } from "./manual.ts";

/** Runs `toolscript help [COMMAND | TOPIC]`: help for a command, else for tools. */
export async function help(context: Context): Promise<number> {
  const { operands, options, print, commands } = context;
  const name = operands.join(" ");
  if (options.man === true) {
    await print.data(manPage(commands, context.io.version));
    return 0;
  }
  const matching = commands.filter((spec) => `${spec.name} `.startsWith(`${name} `));
  // As JSON the output is always the value of `ot.help`.
  if (options.json === true || (name !== "" && matching.length === 0)) {
    const { topic } = await import("../tools/topic.ts");
    const code = await topic(context, name);
    const { closest } = await import("#packs/nearest");
    const near = closest(name, commands.map((spec) => spec.name));
    if (near && options.json !== true) await print.say(`For the command: toolscript help ${near}`);
    return code;
  }
  await print.data(name === "" ? manualText(commands) : matching.map(helpFor).join("\n"));
  return 0;
}

/** Text of `toolscript GROUP --help`: help for each command of the group. */
export function helpForGroup(
  group: string,
  commands: readonly CommandSpec[],
): string | undefined {
  const matching = commands.filter((spec) => spec.name.startsWith(`${group} `));
  return matching.length === 0 ? undefined : matching.map(helpFor).join("\n");
}

/** Text of `toolscript --help`. */
export function overview(commands: readonly CommandSpec[]): string {
  return [
    "Use every tool of every MCP server from a few lines of TypeScript.",
    "",
    "Usage: toolscript COMMAND [OPTION…]",
    "       toolscript FILE.ts [ARGUMENT…]",
    "",
    "Commands:",
    table(commands.map(({ name, about }) => ({ term: name, about }))),
    "",
    "Options:",
    table(optionRows(GLOBAL_OPTIONS)),
    "",
  ].join("\n");
}

/** Text of `toolscript COMMAND --help`. */
export function helpFor(spec: CommandSpec): string {
  const options = [...optionRows(spec.options ?? {}), ...optionRows(GLOBAL_OPTIONS)];
  const usage = `Usage: toolscript ${spec.name} ${spec.operands ?? ""}`.trimEnd();
  return [`${spec.about}.`, "", usage, "", "Options:", table(options), ""].join("\n");
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ term }) => term.length));
  return rows.map(({ term, about }) => `  ${term.padEnd(width)}  ${about}`).join("\n");
}
