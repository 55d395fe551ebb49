/** Tables in the docs: settings from the rules of the configuration, commands from their table. */

import { dirname, relative } from "node:path";
import { markdownTable } from "markdown-table";
import type { ObjectRule, Rule } from "#packs/rules";
import { COMMANDS } from "../cli/commands.ts";
import { GLOBAL_OPTIONS, type OptionSpec } from "../cli/command_spec.ts";
import { CONFIG, SERVER } from "../config/schema.ts";

const DOCS = new URL("../docs/", import.meta.url);

/** A table between its markers: `<!-- settings: packs.web -->`, `<!-- commands: all -->` or
 * `<!-- commands: options -->`, and `<!-- end -->`. */
const TABLE = /(?<=^<!-- (?:settings|commands): (?<section>\S+) -->\n)[^]*?(?=^<!-- end -->$)/m;

export interface PageWithTables {
  readonly url: URL;
  readonly current: string;
  /** The text as it must be. */
  readonly text: string;
}

/** Pages below `docs/` that have such tables. */
export function pagesWithTables(folder = DOCS): PageWithTables[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) return pagesWithTables(url);
    const current = name.endsWith(".md") ? Deno.readTextFileSync(url) : "";
    if (!TABLE.test(current)) return [];
    return [{ url, current, text: withTables(current, relative(DOCS.pathname, url.pathname)) }];
  });
}

/** The page with every table as its rules are now; `path` is that of the page below `docs/`. */
export function withTables(page: string, path: string): string {
  return page.replace(new RegExp(TABLE, "gm"), (_, section: string, at: number) => {
    if (page.slice(0, at).endsWith(`<!-- commands: ${section} -->\n`)) return commandTable(section);
    const rows = rowsOf(ruleOf(section)).map(([key, rule]) => [
      `\`${key}\``,
      defaultText(rule),
      rule.about + linkText(rule, path),
    ]);
    return `\n${markdownTable([["key", "default", "meaning"], ...rows])}\n\n`;
  });
}

/** The table of all commands, or of the options that every command has. */
function commandTable(section: string): string {
  const rows = section === "options" ? [["option", "meaning"], ...optionRows(GLOBAL_OPTIONS)] : [
    ["command", "meaning"],
    ...COMMANDS.flatMap((
      { name, operands = "", about, options = {} },
    ) => [
      [code(`toolscript ${name} ${operands}`.trim()), about],
      ...optionRows(options),
    ]),
  ];
  return `\n${markdownTable(rows)}\n\n`;
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): string[][] {
  return Object.entries(options).map(([name, { short, value, about }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`;
    return [code(short === undefined ? long : `-${short}, ${long}`), about];
  });
}

/** Code in a cell of a table. */
function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** The rule of a section: `all`, `servers`, or a path of keys. */
function ruleOf(section: string): ObjectRule {
  if (section === "all") return CONFIG;
  if (section === "servers") return SERVER;
  const rule = section.split(".").reduce<Rule | undefined>(
    (rule, key) => rule?.kind === "object" ? rule.keys[key] : undefined,
    CONFIG,
  );
  if (rule?.kind === "object") return rule;
  throw new Error(`Cannot write the table "${section}": the configuration has no such section`);
}

/** Keys with their rules; those of a section inside by their paths. */
function rowsOf({ keys }: ObjectRule): (readonly [string, Rule])[] {
  return Object.entries(keys).filter(([key]) => key !== "$schema").flatMap(([key, rule]) =>
    rule.kind === "object" && !rule.rest
      ? rowsOf(rule).map(([name, inner]) => [`${key}.${name}`, inner] as const)
      : [[key, rule] as const]
  );
}

function defaultText(rule: Rule): string {
  if (rule.kind === "number" && rule.auto) return "`auto`";
  if (rule.default === undefined || rule.default === "") return "none";
  return typeof rule.default === "number" ? String(rule.default) : `\`${rule.default}\``;
}

function linkText({ see }: Rule, path: string): string {
  if (see === undefined) return "";
  const [file = "", anchor] = see.split("#");
  const target = (file === path ? "" : relative(dirname(path), file)) +
    (anchor === undefined ? "" : `#${anchor}`);
  return `: [${file === path ? "below" : file}](${target})`;
}
