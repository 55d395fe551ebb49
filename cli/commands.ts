/** Every command and option, described once: parsing and help are made from this table. */

import type { Command } from "./context.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What its value is called in the help. */
  readonly value?: string;
  readonly about: string;
}

export interface CommandSpec {
  /** As it is typed: `gateway start`. */
  readonly name: string;
  readonly operands: string;
  readonly about: string;
  /** How many operands it takes, at most. */
  readonly most: number;
  /** Everything after the first operand, or after `-e CODE`, belongs to the script. */
  readonly script?: boolean;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly load: () => Promise<Command>;
}

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  config: { type: "string", value: "FILE", about: "Use this configuration file" },
  gateway: { type: "string", value: "URL", about: "Use the gateway at this address" },
  json: { type: "boolean", about: "Print data as JSON" },
  verbose: { type: "boolean", about: "Say more; show stack traces" },
  quiet: { type: "boolean", about: "Say nothing but errors" },
  "no-color": { type: "boolean", about: "No colours (also: NO_COLOR)" },
  help: { type: "boolean", short: "h", about: "Show help" },
  version: { type: "boolean", short: "V", about: "Show the version" },
} as const satisfies Record<string, OptionSpec>;

const SESSION: OptionSpec = {
  type: "string",
  value: "ID",
  about: "The agent's session that it belongs to",
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "exec",
    operands: "FILE | -e CODE | - [ARGUMENT…]",
    about: "Run a toolscript; its value goes to stdout as JSON",
    most: 1,
    script: true,
    options: {
      eval: { type: "string", short: "e", value: "CODE", about: "Run this code" },
      timeout: { type: "string", value: "S", about: "Seconds that it may take" },
    },
    load: async () => (await import("./exec/exec.ts")).exec,
  },
  {
    name: "run",
    operands: "COMMAND | -",
    about: "Run one command as an agent would send it; its reply goes to stdout",
    most: 1,
    options: {
      timeout: { type: "string", value: "S", about: "Seconds that it may take" },
      format: { type: "string", value: "F", about: "json, json_h, yml, yml_h or raw" },
      sanitize: { type: "boolean", about: "Mark the reply as data, not instructions" },
      explain: { type: "boolean", about: "Print the rewritten code and run nothing" },
    },
    load: async () => (await import("./run/run.ts")).run,
  },
  {
    name: "lint",
    operands: "FILE | -",
    about: "Check a toolscript without running it: its imports, the four lists, deno lint",
    most: 1,
    options: {},
    load: async () => (await import("./lint/lint.ts")).lint,
  },
  {
    name: "list",
    operands: "[PACK]",
    about: "List tools, all or those of one server or pack",
    most: 1,
    options: {},
    load: async () => (await import("./tools/list.ts")).list,
  },
  {
    name: "result",
    operands: "HANDLE",
    about: "Read on in a result that was too large to send whole",
    most: 1,
    options: {
      offset: { type: "string", value: "N", about: "The first line, counted from 1" },
      limit: { type: "string", value: "N", about: "Lines at most (100)" },
      tail: { type: "string", value: "N", about: "The last lines instead" },
      search: { type: "string", value: "REGEX", about: "Only lines that match" },
      fuzzy: { type: "boolean", about: "Lines like the search, best first" },
      context: { type: "string", value: "N", about: "Lines around each that matches" },
      path: { type: "string", value: "PATH", about: "A JSON path: what it selects" },
    },
    load: async () => (await import("./tools/result.ts")).result,
  },
  {
    name: "search",
    operands: "QUERY",
    about: "Search tools, servers, snippets and aliases, by what they are for",
    most: Infinity,
    options: { limit: { type: "string", value: "N", about: "How many at most (10)" } },
    load: async () => (await import("./tools/search.ts")).search,
  },
  {
    name: "stats",
    operands: "",
    about: "Show what was run and called, and what it saved",
    most: 0,
    options: {
      period: { type: "string", value: "P", about: "day, week, month or all (all)" },
      tool: { type: "string", value: "NAME", about: "Only this tool" },
      output: { type: "string", value: "FILE", about: "Also write a report as HTML" },
    },
    load: async () => (await import("./stats/stats.ts")).stats,
  },
  {
    name: "types",
    operands: "",
    about: "Print the typed module that toolscripts import",
    most: 0,
    options: {
      filter: { type: "string", value: "A,B__C", about: "Only these servers, tools or globs" },
      out: { type: "string", value: "FILE", about: "Write it to a file" },
    },
    load: async () => (await import("./tools/types.ts")).types,
  },
  {
    name: "mcp",
    operands: "",
    about: "Speak MCP on stdin and stdout, for an agent",
    most: 0,
    options: {},
    load: async () => (await import("./mcp/mcp.ts")).mcp,
  },
  {
    name: "gateway start",
    operands: "",
    about: "Start the gateway of this project",
    most: 0,
    options: {
      port: { type: "string", value: "N", about: "Port, 0 for a free one" },
      host: { type: "string", value: "H", about: "Address to listen on" },
      detach: { type: "boolean", about: "Return when it answers" },
      session: SESSION,
    },
    load: async () => (await import("./gateway/start.ts")).start,
  },
  {
    name: "gateway status",
    operands: "",
    about: "Show the gateways that run",
    most: 0,
    options: {},
    load: async () => (await import("./gateway/status.ts")).status,
  },
  {
    name: "gateway stop",
    operands: "",
    about: "Stop the gateway of this project",
    most: 0,
    options: { all: { type: "boolean", about: "Stop every gateway" } },
    load: async () => (await import("./gateway/stop.ts")).stop,
  },
  {
    name: "gateway reload",
    operands: "",
    about: "Have the gateway of this project take in its configuration anew",
    most: 0,
    options: {},
    load: async () => (await import("./gateway/reload.ts")).reload,
  },
  {
    name: "hook session-start",
    operands: "",
    about: "For an agent's hook: start or reuse its session's gateway",
    most: 0,
    options: {
      timeout: { type: "string", value: "S", about: "Seconds to wait for the gateway (1.6)" },
    },
    load: async () => (await import("./hook/session_start.ts")).sessionStart,
  },
  {
    name: "hook session-end",
    operands: "",
    about: "For an agent's hook: stop its session's gateway",
    most: 0,
    options: {},
    load: async () => (await import("./hook/session_end.ts")).sessionEnd,
  },
  {
    name: "init",
    operands: "",
    about: "Set up this project: its configuration, with the servers of other clients",
    most: 0,
    options: {
      home: { type: "boolean", about: "In the home folder, for all projects" },
      "claude-desktop": { type: "boolean", about: "Take the servers of Claude Desktop too" },
    },
    load: async () => (await import("./init/init.ts")).init,
  },
  {
    name: "init pack",
    operands: "NAME",
    about: "Make a pack of your own that works, with its test",
    most: 1,
    options: {
      python: { type: "boolean", about: "In Python" },
      home: { type: "boolean", about: "In the home folder, for all projects" },
    },
    load: async () => (await import("./init/init_pack.ts")).initPack,
  },
  {
    name: "trust",
    operands: "",
    about: "Show what this project would start and read, and trust it",
    most: 0,
    options: {
      yes: { type: "boolean", about: "Say yes without being asked" },
      revoke: { type: "boolean", about: "Take it back" },
    },
    load: async () => (await import("./trust/trust.ts")).trust,
  },
  {
    name: "doctor",
    operands: "",
    about: "Check that everything works, and say how to mend what does not",
    most: 0,
    options: {
      timeout: { type: "string", value: "S", about: "Seconds that it may take (60)" },
      fix: { type: "boolean", about: "Mend what needs no decision" },
    },
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  },
  {
    name: "help",
    operands: "[COMMAND | TOPIC]",
    about: "Show help for a command, a tool, a server, or whatever is like the topic",
    most: Infinity,
    options: {},
    load: async () => (await import("./help.ts")).help,
  },
];
