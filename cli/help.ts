/** Help texts, from the table of commands. */

import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./commands.ts";
import type { Context } from "./context.ts";
import { UnknownWord } from "./parse.ts";

/** `toolscript help [COMMAND]`. */
export async function help({ operands, print }: Context): Promise<number> {
  const name = operands.join(" ");
  const exact = COMMANDS.filter((spec) => spec.name === name);
  const matching = exact.length > 0
    ? exact
    : COMMANDS.filter((spec) => spec.name.startsWith(`${name} `));
  if (name !== "" && matching.length === 0) {
    throw new UnknownWord("command", name, COMMANDS.map((spec) => spec.name));
  }
  await print.data(name === "" ? overview() : matching.map(helpFor).join("\n"));
  return 0;
}

/** What `toolscript --help` prints. */
export function overview(): string {
  const commands = COMMANDS.map((spec) => [spec.name, spec.about] as const);
  return [
    "Use every tool of every MCP server from a few lines of TypeScript.",
    "",
    "Usage: toolscript COMMAND [OPTION…]",
    "       toolscript FILE.ts [ARGUMENT…]",
    "",
    "Commands:",
    table(commands),
    "",
    "Options:",
    table(Object.entries(GLOBAL_OPTIONS).map(optionRow)),
    "",
  ].join("\n");
}

/** What `toolscript COMMAND --help` prints. */
export function helpFor(spec: CommandSpec): string {
  const own = Object.entries(spec.options);
  const options = [...own, ...Object.entries<OptionSpec>(GLOBAL_OPTIONS)];
  const usage = `Usage: toolscript ${spec.name} ${spec.operands}`.trimEnd();
  return [`${spec.about}.`, "", usage, "", "Options:", table(options.map(optionRow)), ""]
    .join("\n");
}

function optionRow([name, spec]: readonly [string, OptionSpec]): readonly [string, string] {
  const short = spec.short === undefined ? "" : `-${spec.short}, `;
  const value = spec.value === undefined ? "" : ` ${spec.value}`;
  return [`${short}--${name}${value}`, spec.about];
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
