/** Table of all commands and options, used for parsing and for help. */

import { AUTH_COMMANDS, AUTH_RENEW } from "./auth/commands.ts";
import { FORMATS } from "#runtime/formats";
import type { CommandSpec, OptionSpec } from "./command_spec.ts";

const SESSION: OptionSpec = {
  value: "ID",
  about: "Session of the agent that uses the gateway",
};

const PLAN: OptionSpec = {
  inline: true,
  about: "Make a plan, and call only what reads; --plan=ID runs a plan",
};

const LOOK: OptionSpec = {
  about: "Refuse every call that is not read-only, and list those",
};
const WAIT: OptionSpec = {
  about: "Without a terminal, wait for answers on the page of the gateway",
};

const CLIENT_OPTIONS = {
  project: { about: "Use the project's file of each client" },
  user: { about: "Use the user's file of each client" },
  "dry-run": { about: "Print the changes as a diff, and write nothing" },
} as const satisfies Record<string, OptionSpec>;

const MCP_OPTIONS = {
  project: { value: "DIR", about: "Serve the project of this folder" },
  private: { about: "Use no gateway of other clients, and start none for them" },
} as const satisfies Record<string, OptionSpec>;

/** For `npm/bridge/`. */
const MCP_OPEN: CommandSpec = {
  name: "mcp open",
  about: "Find or start the gateway for `toolscript mcp`",
  options: MCP_OPTIONS,
  load: ["./mcp/open.ts", "open"],
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "exec",
    operands: "FILE | -e CODE | - [ARGUMENT…]",
    about: "Run a toolscript; its value goes to stdout as JSON",
    most: 1,
    script: true,
    options: {
      eval: { short: "e", value: "CODE", about: "Run this code" },
      timeout: { value: "S", about: "Time limit in seconds" },
      wait: WAIT,
      plan: PLAN,
      look: LOOK,
    },
    load: ["./exec/exec.ts", "exec"],
  },
  {
    name: "run",
    operands: "COMMAND | -",
    about: "Run one command as an agent would send it; its reply goes to stdout",
    most: 1,
    options: {
      timeout: { value: "S", about: "Time limit in seconds" },
      wait: WAIT,
      plan: PLAN,
      look: LOOK,
      format: { value: "F", about: FORMATS.join(", ") },
      sanitize: { about: "Mark the reply as data, not instructions" },
      explain: { about: "Print the rewritten code and run nothing" },
    },
    load: ["./run/run.ts", "run"],
  },
  {
    name: "lint",
    operands: "FILE | -",
    about: "Check a toolscript without running it: its imports, the four lists, deno lint",
    most: 1,
    load: ["./lint/lint.ts", "lint"],
  },
  {
    name: "list",
    operands: "[PACK]",
    about: "List tools, all or those of one server or pack",
    most: 1,
    load: ["./tools/list.ts", "list"],
  },
  {
    name: "effects",
    operands: "[SERVER]",
    about: "Show what tools do, read, write or destroy, and who says so",
    most: 1,
    load: ["./tools/effects.ts", "effects"],
  },
  {
    name: "result",
    operands: "HANDLE",
    about: "Read a result that was too large to send whole",
    most: 1,
    options: {
      offset: { value: "N", about: "First line, counted from 1" },
      limit: { value: "N", about: "Lines at most (100)" },
      tail: { value: "N", about: "Read the last N lines" },
      search: { value: "REGEX", about: "Print only lines that match" },
      fuzzy: { about: "Match similar lines too, best first" },
      context: { value: "N", about: "Lines around each match" },
      path: { value: "PATH", about: "Print what this JSON path selects" },
    },
    load: ["./tools/result.ts", "result"],
  },
  {
    name: "search",
    operands: "QUERY",
    about: "Search tools, servers, snippets and aliases by purpose",
    most: Infinity,
    options: { limit: { value: "N", about: "Results at most (10)" } },
    load: ["./tools/search.ts", "search"],
  },
  {
    name: "ui",
    about: "Open the page of this project's gateway in the browser",
    options: { "no-browser": { about: "Print its address, which is good once and for 60 s" } },
    load: ["./ui/ui.ts", "ui"],
  },
  {
    name: "stats",
    about: "Show statistics of runs and calls, and the tokens they saved",
    options: {
      period: { value: "P", about: "day, week, month or all (all)" },
      tool: { value: "NAME", about: "Count this tool only" },
      output: { value: "FILE", about: "Write an HTML report, too" },
    },
    load: ["./stats/stats.ts", "stats"],
  },
  {
    name: "audit",
    about: "Show what was asked, answered, refused and lent",
    options: { since: { value: "TIME", about: "Not before: 30m, 2h, 7d, 4w or a date" } },
    load: ["./audit/audit.ts", "audit"],
  },
  {
    name: "types",
    about: "Print the typed module that toolscripts import",
    options: {
      filter: {
        value: "A,B__C",
        about: "Print these servers, tools or globs only",
      },
      out: { value: "FILE", about: "Write the module to a file" },
    },
    load: ["./tools/types.ts", "types"],
  },
  {
    name: "mcp",
    about: "Speak MCP on stdin and stdout, for an agent",
    options: MCP_OPTIONS,
    load: ["./mcp/mcp.ts", "mcp"],
  },
  {
    name: "connect",
    operands: "[CLIENT…]",
    about: "Put Toolscript into MCP clients, all that are found or those named",
    most: Infinity,
    options: {
      ...CLIENT_OPTIONS,
      move: { about: "Take their servers over into onetool.yaml" },
    },
    load: ["./connect/connect.ts", "connect"],
  },
  {
    name: "disconnect",
    operands: "[CLIENT…]",
    about: "Take Toolscript out of MCP clients, and put back what was moved",
    most: Infinity,
    options: CLIENT_OPTIONS,
    load: ["./connect/disconnect.ts", "disconnect"],
  },
  {
    name: "token",
    about: "Print the token of this project's gateway",
    options: { headers: { about: "Print it as HTTP headers in JSON" } },
    load: ["./gateway/token.ts", "token"],
  },
  {
    name: "gateway start",
    about: "Start the gateway of this project",
    options: {
      port: { value: "N", about: "Port to listen on, 0 for a free one" },
      host: { value: "H", about: "Address to listen on" },
      detach: { about: "Run in the background; return when it is ready" },
      auto: { about: "End gateway.linger seconds after the last MCP client has left" },
      session: SESSION,
    },
    load: ["./gateway/start.ts", "start"],
  },
  {
    name: "pins",
    about: "Show the tools that changed since they were first seen",
    load: ["./pins/pins.ts", "pins"],
  },
  {
    name: "pins accept",
    operands: "SERVER[.TOOL]…",
    about: "Accept tools as they are now",
    most: Infinity,
    load: ["./pins/accept.ts", "accept"],
  },
  {
    name: "gateway status",
    about: "Show the running gateways",
    load: ["./gateway/status.ts", "status"],
  },
  {
    name: "gateway stop",
    about: "Stop the gateway of this project",
    options: { all: { about: "Stop every gateway" } },
    load: ["./gateway/stop.ts", "stop"],
  },
  {
    name: "gateway reload",
    about: "Reload the configuration of this project's gateway",
    load: ["./gateway/reload.ts", "reload"],
  },
  {
    name: "hook session-start",
    about: "For an agent's hook: start or reuse its session's gateway",
    options: {
      timeout: { value: "S", about: "Seconds to wait for the gateway (1.6)" },
    },
    load: ["./hook/session_start.ts", "sessionStart"],
  },
  {
    name: "hook session-end",
    about: "For an agent's hook: stop its session's gateway",
    load: ["./hook/session_end.ts", "sessionEnd"],
  },
  {
    name: "init",
    about: "Set up this project: write its configuration, import servers of other clients",
    options: {
      home: { about: "Use the home folder, for all projects" },
      "claude-desktop": { about: "Import the servers of Claude Desktop, too" },
    },
    load: ["./init/init.ts", "init"],
  },
  {
    name: "init pack",
    operands: "NAME",
    about: "Create a working pack and its test, to be changed",
    most: 1,
    options: {
      python: { about: "Write it in Python" },
      home: { about: "Use the home folder, for all projects" },
    },
    load: ["./init/init_pack.ts", "initPack"],
  },
  {
    name: "trust",
    about: "Show what this project would start and read, and trust it",
    options: {
      yes: { about: "Trust without a question" },
      revoke: { about: "Revoke the trust" },
    },
    load: ["./trust/trust.ts", "trust"],
  },
  ...AUTH_COMMANDS,
  {
    name: "doctor",
    about: "Check that everything works, and print a fix for each problem",
    options: {
      timeout: { value: "S", about: "Time limit in seconds (60)" },
      fix: { about: "Fix problems that need no decision" },
    },
    load: ["./doctor/doctor.ts", "doctor"],
  },
  {
    name: "help",
    operands: "[COMMAND | TOPIC]",
    about: "Show the manual, help for a command, a tool or a server, or search for the topic",
    most: Infinity,
    options: { man: { about: "Print the manual as the source of a man page" } },
    load: ["./help/help.ts", "help"],
  },
  {
    name: "completion",
    operands: "bash | zsh | fish",
    about: "Print the script that completes commands and options in a shell",
    most: 1,
    load: ["./completion/completion.ts", "completion"],
  },
  {
    name: "demo",
    about: "Run an example with two real MCP servers, in a temporary folder",
    load: ["./demo/demo.ts", "demo"],
  },
];

/** The same with those that no help lists. */
export const ALL_COMMANDS: readonly CommandSpec[] = [...COMMANDS, AUTH_RENEW, MCP_OPEN];
