/** Every key of `onetool.yaml`, described once. */

import {
  any,
  choice,
  count,
  effects,
  either,
  flag,
  folder,
  list,
  map,
  megabytes,
  path,
  seconds,
  section,
  type Settings,
  text,
  texts,
  timeout,
} from "#packs/rules";
import { PACKS } from "#packs/settings";
import type { Rule } from "#packs/rules";
import { GRANTS, TRANSPORTS } from "#packs/server";
import { SECURITY } from "./security_schema.ts";

const TYPES = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];

const OAUTH = section("Sign-in at the server; a server that refuses with 401 needs none of it", {
  grant: choice("How a token is got; else `authorization_code`, in a browser", GRANTS),
  client_id: text("This client at the authorization server; else it is registered"),
  client_secret: text("Secret of the client, as a reference: `${secret:NAME}`"),
  private_key: text("Private key of the client, PEM or JWK, as a reference; it signs instead"),
  client_metadata_url: text("Address of the document that describes this client"),
  scope: text("Scope to ask for; else the server names it"),
  metadata_url: text("Metadata of the authorization server, where they are not found"),
  redirect_port: count("Port of this machine that the browser comes back to", { max: 65_535 }),
});

export const SERVER = section("One MCP server: a program (`command`) or an address (`url`)", {
  command: text("Program to start; it is called over stdin and stdout"),
  args: texts("Arguments of the program"),
  env: map("Environment of the program, beside what every program gets", text("Its value")),
  cwd: folder("Working directory of the program; the project, or a folder of Toolscript's own", {
    see: "servers.md#packages",
  }),
  url: text("Address of the server, instead of a command"),
  headers: map("Headers of every request to the address", text("Its value")),
  oauth: OAUTH,
  accounts: texts("Accounts at the server: each has a pack, `name` and `name_account`", {
    see: "sign-in.md#accounts",
  }),
  tls: section("Certificates of the connection to the address, as PEM files", {
    ca: path("Authorities beside those that the system trusts"),
    cert: path("Certificate that Toolscript shows to the server, with its chain"),
    key: path("Private key of that certificate"),
  }),
  type: choice("Transport; else stdio with a command, http and then sse with a url", TYPES),
  transport: choice("The same as `type`", TYPES),
  include: texts("Glob patterns of the tools to keep; an empty list keeps all"),
  exclude: texts("Glob patterns of the tools to leave out, also of those in `include`"),
  timeout: timeout("Seconds that one call may take, the start of the server included", 30),
  idle_timeout: timeout("Seconds without a call after which the program is stopped", 600),
  external: flag("Replies are text from outside; else `true` with a url"),
  learn: flag("`false` learns no types from its results", {
    default: true,
    see: "toolscripts.md#learned-results",
  }),
  effects: effects(),
  keep_alive: flag("Never stop the program for being idle", { default: false }),
  enabled: flag("`false` switches the server off", { default: true }),
  disabled: flag("`true` switches the server off", { default: false }),
});

const SERVERS = {
  ...map("MCP servers by name", SERVER),
  keys: { pattern: "^[A-Za-z0-9_-]+$", say: 'letters, digits, "_" and "-"' },
};

const PARAM = section("A parameter of a snippet", {
  default: any("Value where a call passes none"),
  description: text("Description for the caller"),
  type: choice("Type of its value", ["string", "number", "integer", "boolean", "array", "object"]),
  required: flag("`false`: a call may leave it out"),
});

const SNIPPETS = {
  ...map(
    "Commands with parameters, by name",
    section("One snippet", {
      description: text("Description of its effect", { default: "" }),
      params: map("Its parameters", PARAM),
      body: text("The command, a template", { default: "" }),
    }),
    { see: "commands.md#snippets" },
  ),
  verbatim: true,
};

const PROJECT = {
  ...section("A folder: its path, or its path with attributes", {
    path: path("Its path"),
    attrs: map("Attributes", any("A value")),
  }),
  short: "path",
};

const PROMPTS = {
  ...section("Texts for the agent", {
    instructions: text("Text for the agent, added to the instructions of the MCP server", {
      default: "",
    }),
    packs: map("Text about a pack, by its name; `ot.help` shows it", text("Its text")),
  }),
  verbatim: true,
};

const SECRETS = {
  ...section("Secrets of the home folder; of effect in its configuration alone", {
    lend: map(
      "Projects that may read a secret of the home folder, by the name of the secret",
      either("Paths of projects, or globs of them", [
        text("A path, or a glob"),
        texts("Paths, or globs"),
      ]),
      { see: "security.md#trust-in-a-project" },
    ),
  }),
  verbatim: true,
};

const COMMANDS = {
  ...map(
    "Programs whose first line of output `${cmd:NAME}` stands for, by name",
    texts("The program and its arguments"),
    { see: "servers.md#secrets" },
  ),
  verbatim: true,
};

/** Limits of a run; a smaller number is always narrower. */
export const LIMITS = {
  timeout: timeout("Seconds that a run may take", 60),
  cpu: seconds("Seconds of processor time", { default: 30, min: 1, unit: "processor_seconds" }),
  memory_mb: count("Memory above an empty process, MB", { default: 512, max: 1_048_576 }),
  output_mb: megabytes("Stdout and stderr together, MB; the returned value, too", { default: 4 }),
  calls: count("Tool calls of one run", { default: 1000 }),
  in_flight: count("Tool calls at the same time; further ones wait", { default: 32 }),
  call_mb: megabytes("Arguments of one call, MB", { default: 1 }),
  concurrent: count("Runs at the same time; `auto`: twice the processors, at least 4", {
    max: 1024,
    auto: ({ cores }) => Math.max(4, cores * 2),
  }),
  queue: count("Runs that may wait; further ones are refused as `busy`", { default: 100, min: 0 }),
  pool: count("Processes kept warm while many runs come, 12 MB each; `auto`: 16 at most", {
    max: 1024,
    auto: () => 16,
  }),
} as const satisfies Readonly<Record<string, Rule>>;

const SANDBOX = section("Limits of one run, and how many there are", {
  ...LIMITS,
  check: choice(
    "A program that could not be type-checked in time runs with a warning; `strict` refuses it",
    ["warn", "strict"],
    { default: "warn" },
  ),
});

const LOGGING = section("Log of a gateway about runs, calls and servers", {
  level: choice(
    "Lowest level that is written; else `info` in files, `warning` on stderr",
    ["debug", "info", "warning", "error", "off"],
  ),
  file: path("A file for the log, relative to the project"),
  format: choice("JSON lines or words; `auto`: words on stderr, JSON in files", [
    "auto",
    "json",
    "text",
  ], { default: "auto" }),
  max_mb: megabytes("Size at which the next file begins, MB", { default: 5 }),
  files: count("Files that are kept", { default: 3, max: 100 }),
});

export const CONFIG = section("Configuration of Toolscript", {
  $schema: text("JSON Schema of this file, for editors"),
  servers: SERVERS,
  mcpServers: { ...SERVERS, about: "The same as `servers`" },
  direct: texts("Servers, or tools as `server.tool`, that MCP clients see beside `run`"),
  include: either("Files merged below this one, relative to it", [
    text("A file"),
    texts("Files, the later over the earlier"),
  ]),
  alias: map("Short names for tools", text("A tool or an alias"), { see: "commands.md#aliases" }),
  snippets: SNIPPETS,
  projects: map("Folders by name", PROJECT, { see: "commands.md#projects" }),
  prompts: PROMPTS,
  docs: section("Addresses of the documentation that help points to", {
    base_url: text(
      "Address before the name of a pack; without it, only packs that OneTool has as well have one",
    ),
    packs: map("Name of a pack's page, or an address, by pack", text("Its page")),
  }),
  security: SECURITY,
  mcp: section("Tools that MCP clients see", {
    look: flag("`false` takes `look` away, which runs programs that only read", {
      default: true,
      see: "effects.md#look",
    }),
  }),
  secrets: SECRETS,
  commands: COMMANDS,
  output: section("Replies that are too large to send whole", {
    max_inline_size: count("Bytes of a reply that are sent whole; larger ones are stored", {
      default: 50_000,
      min: 0,
      unit: "bytes",
    }),
    preview_lines: count("Lines of a stored reply that are sent", { default: 10, min: 0 }),
    result_ttl: seconds("Seconds that a stored reply is kept", { default: 3600 }),
  }),
  logging: LOGGING,
  stats: section("Statistics of runs and calls", {
    enabled: flag("`false` records nothing", { default: true, see: "statistics.md" }),
    keep_days: count("Days that they are kept", { default: 365, max: 36_500, unit: "days" }),
  }),
  types: section("Types of tools for programs", {
    learn: flag("`false` learns no types from results", {
      default: true,
      see: "toolscripts.md#learned-results",
    }),
  }),
  packs: PACKS,
  workers: section("Packs in processes of their own", {
    idle_timeout: timeout("Seconds without a call after which the process of a pack stops", 600),
  }),
  sandbox: SANDBOX,
  notify: section("Files for messages to topics", {
    topics: list(
      "Files by topic; the first whose `pattern` matches gets the message",
      section("One topic", {
        pattern: text("Glob pattern"),
        file: path("Relative to the project"),
      }),
      { see: "operations.md#messages" },
    ),
  }),
  gateway: section("The server", {
    host: text("Address to listen on", { default: "127.0.0.1" }),
    port: count("Port to listen on, 0 for a free one", { default: 0, min: 0, max: 65_535 }),
    max_body_mb: megabytes("Largest request, and largest stdin of a run, MB", {
      default: 16,
      max: 1024,
    }),
    share: flag("`false`: each `toolscript mcp` has a gateway of its own", { default: true }),
    linger: seconds("Seconds that a gateway started by `toolscript mcp` outlives its last client", {
      default: 60,
    }),
    grace: seconds("Seconds for runs in progress at the end", { default: 10 }),
  }),
});

/** The configuration after the check, defaults filled in. */
export type CheckedConfig = Settings<typeof CONFIG>;
export type CheckedServer = Settings<typeof SERVER>;
