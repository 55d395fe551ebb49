/** Manual of the program: its sections, as text for a terminal and as the source of a man page. */

import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "../command_spec.ts";

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** Terms with what they mean; `below` are those of a term of their own. */
  readonly rows: readonly Row[];
}

export interface Row {
  readonly term: string;
  readonly about: string;
  readonly below?: readonly Row[];
}

const FILES: readonly Row[] = [
  { term: ".onetool/onetool.yaml", about: "Configuration of the project" },
  { term: ".onetool/secrets.yaml", about: "Its secrets, mode 0600" },
  { term: ".onetool/tools/", about: "Its packs" },
  { term: "~/.onetool/onetool.yaml", about: "Configuration for all projects" },
  { term: "~/.onetool/trust.json", about: "Projects that are trusted, with hashes" },
  { term: "~/.onetool/run/", about: "Running gateways" },
  { term: "~/.onetool/cache/", about: "What can be made again" },
];

const ENVIRONMENT: readonly Row[] = [
  { term: "TOOLSCRIPT_CONFIG", about: "Configuration file to use, as --config" },
  { term: "TOOLSCRIPT_GATEWAY_URL", about: "Gateway to use, as --gateway" },
  { term: "TOOLSCRIPT_TOKEN", about: "Token for that gateway" },
  { term: "TOOLSCRIPT_TRUST", about: "all: trust every project, for CI and containers" },
  { term: "TOOLSCRIPT_LOG", about: "Level of the log" },
  { term: "TOOLSCRIPT_LOG_FILE", about: "File of the log" },
  { term: "CLAUDE_PROJECT_DIR", about: "Project of toolscript mcp, after --project" },
  { term: "NO_COLOR", about: "Print no colors" },
];

const EXIT_CODES: readonly Row[] = [
  { term: "0", about: "Done" },
  { term: "1", about: "The program or command failed" },
  { term: "2", about: "Wrong usage or configuration" },
  { term: "3", about: "Nothing there: no gateway, no such result" },
  { term: "130", about: "Interrupted" },
];

const ABOUT = "Use every tool of every MCP server from a few lines of TypeScript";

function sections(commands: readonly CommandSpec[]): readonly Section[] {
  const section = (title: string, rows: readonly Row[]) => ({ title, lines: [], rows });
  const usage = ["toolscript COMMAND [OPTION…]", "toolscript FILE.ts [ARGUMENT…]"];
  return [
    { title: "NAME", lines: [`toolscript - ${ABOUT}`], rows: [] },
    { title: "SYNOPSIS", lines: usage, rows: [] },
    section("COMMANDS", commands.map(commandRow)),
    section("OPTIONS OF EVERY COMMAND", optionRows(GLOBAL_OPTIONS)),
    section("FILES", FILES),
    section("ENVIRONMENT", ENVIRONMENT),
    section("EXIT STATUS", EXIT_CODES),
  ];
}

function commandRow(spec: CommandSpec): Row {
  const term = `${spec.name} ${spec.operands ?? ""}`.trimEnd();
  return { term, about: spec.about, below: optionRows(spec.options ?? {}) };
}

/** Rows of options, as they are written on the command line. */
export function optionRows(options: Readonly<Record<string, OptionSpec>>): readonly Row[] {
  return Object.entries(options).map(([name, { short, value, about }]) => ({
    term: `${short === undefined ? "" : `-${short}, `}--${name}${value ? ` ${value}` : ""}`,
    about,
  }));
}

/** Text of the manual. */
export function manualText(commands: readonly CommandSpec[]): string {
  const parts = sections(commands).map(({ title, lines, rows }) =>
    [title, ...lines.map((line) => `  ${line}`), ...rows.flatMap((row) => rowLines(row, "  "))]
      .join("\n")
  );
  return `${parts.join("\n\n")}\n`;
}

function rowLines({ term, about, below = [] }: Row, indent: string): string[] {
  const width = 30 - indent.length;
  const line = term.length < width
    ? [`${indent}${term.padEnd(width)}${about}`]
    : [`${indent}${term}`, `${" ".repeat(30)}${about}`];
  return [...line, ...below.flatMap((row) => rowLines(row, `${indent}  `))];
}

/** Source of the man page, for `man`. */
export function manPage(commands: readonly CommandSpec[], version: string): string {
  const requests = sections(commands).flatMap(({ title, lines, rows }) => [
    request("SH", title),
    ...lines.flatMap((line) => [roff(line), request("br")]),
    ...rows.flatMap(rowRequests),
  ]);
  return `${[request("TH", "TOOLSCRIPT", "1", "", version), ...requests].join("\n")}\n`;
}

function rowRequests({ term, about, below = [] }: Row): string[] {
  const nested = below.length === 0
    ? []
    : [request("RS"), ...below.flatMap(rowRequests), request("RE")];
  return [request("TP"), request("B", term), roff(about), ...nested];
}

/** A line that formats; its arguments are text. */
function request(name: string, ...args: readonly string[]): string {
  return [`.${name}`, ...args.map((arg) => `"${roff(arg).replaceAll('"', "\\(dq")}"`)].join(" ");
}

/** Escapes text so that no part of it formats. */
function roff(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("\\", "\\e").replaceAll("-", "\\-")
    .replaceAll("…", "...");
  return /^[.']/.test(line) ? `\\&${line}` : line;
}
