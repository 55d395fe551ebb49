/** Every key of `onetool.yaml`, described once. */

import { PACKS } from "./pack_rules.ts";
import type { Infer, ObjectRule } from "./rule.ts";
import { amount, any, count, flag, seconds, text, texts } from "./rule_makers.ts";

function countOrAuto(about: string) {
  const auto = { kind: "choice", about: "By the machine", of: ["auto"] } as const;
  return { kind: "either", about, of: [count("How many", 1, 1024), auto] } as const;
}

const SERVER_NAME = {
  pattern: "^[A-Za-z0-9_-]+$",
  say: 'letters, digits, "_" and "-"',
} as const;

export const SERVER = {
  kind: "object",
  about: "One MCP server: a program (command) or an address (url)",
  keys: {
    command: text("The program to start; its tools come over stdin and stdout"),
    args: texts("Arguments of the program"),
    env: { kind: "map", about: "Environment of the program", values: text("Its value") },
    cwd: text("Working directory of the program, relative to the project"),
    url: text("Address of the server, http or https"),
    headers: { kind: "map", about: "Sent with every request", values: text("Its value") },
    type: {
      kind: "choice",
      about: "How to reach it; by itself: stdio with a command, http then sse with a url",
      of: ["stdio", "http", "streamable-http", "streamableHttp", "sse"],
    },
    transport: {
      kind: "choice",
      about: "The same as type",
      of: ["stdio", "http", "streamable-http", "streamableHttp", "sse"],
    },
    include: texts("Glob patterns of the tools to keep; none keeps all"),
    exclude: texts("Glob patterns of the tools to leave out"),
    timeout: seconds("Seconds that one call may take (30)", 0.001),
    idle_timeout: seconds("Seconds without a call after which the program is ended (600)", 0.001),
    external: flag("Whether its answers are text from outside; by itself: true with a url"),
    keep_alive: flag("Never end the program for being idle"),
    enabled: flag("false switches the server off"),
    disabled: flag("true switches the server off"),
  },
} as const satisfies ObjectRule;

const SERVERS = {
  kind: "map",
  about: "MCP servers by name",
  keys: SERVER_NAME,
  values: SERVER,
} as const;

const PARAM = {
  kind: "object",
  about: "A parameter of a snippet",
  keys: {
    default: any("Used when the call does not give it"),
    description: text("What it is for"),
    type: {
      kind: "choice",
      about: "What it takes",
      of: ["string", "number", "integer", "boolean", "array", "object"],
    },
    required: flag("Whether it must be given"),
  },
} as const;

const SNIPPETS = {
  kind: "map",
  about: "Commands with parameters, by name",
  verbatim: true,
  values: {
    kind: "object",
    about: "One snippet",
    keys: {
      description: text("What it does"),
      params: { kind: "map", about: "Its parameters", values: PARAM },
      body: text("The command, a template"),
    },
  },
} as const;

const PROJECTS = {
  kind: "map",
  about: "Folders by name",
  values: {
    kind: "either",
    about: "A folder",
    of: [text("Its path"), {
      kind: "object",
      about: "A folder with attributes",
      keys: {
        path: text("Its path"),
        attrs: { kind: "map", about: "Attributes", values: any("A value") },
      },
    }],
  },
} as const;

const SECURITY = {
  kind: "object",
  about: "What commands and tool calls may do",
  keys: {
    enabled: flag("false switches the four lists off"),
    blocked: texts("Patterns that are refused"),
    ask: texts("Patterns that a person is asked about"),
    warned: texts("Patterns that are warned about"),
    allow: texts("Patterns taken out of the default lists"),
    sanitize: {
      kind: "choice",
      about: "Which replies are marked as data without being asked to (off)",
      of: ["off", "external"],
    },
    ask_timeout: seconds("Seconds that a question waits for its answer (120)"),
  },
} as const;

const SANDBOX = {
  kind: "object",
  about: "Limits of one run, and how many there are",
  keys: {
    timeout: seconds("Wall time, seconds (60)", 0.001),
    cpu: seconds("CPU time, seconds (30)", 1),
    memory_mb: count("Memory above an empty process, MB (512)", 1, 1_048_576),
    output_mb: amount("Output, and the returned value, MB (4)"),
    calls: count("Tool calls of one run (1000)"),
    in_flight: count("Tool calls at the same time (32)"),
    call_mb: amount("Arguments of one call, MB (1)"),
    concurrent: countOrAuto("Runs at the same time (auto)"),
    queue: count("Runs that may wait (100)", 0),
    pool: countOrAuto("Processes kept warm, at most (auto)"),
    check: {
      kind: "choice",
      about: "Whether a program that could not be type-checked in time runs with a warning (warn)",
      of: ["warn", "strict"],
    },
  },
} as const;

export const CONFIG = {
  kind: "object",
  about: "Configuration of Toolscript",
  keys: {
    $schema: text("For editors"),
    servers: SERVERS,
    mcpServers: { ...SERVERS, about: "The same as servers" },
    direct: texts(
      "Servers, or tools as server.tool, that an MCP client is also offered by themselves, beside run",
    ),
    include: {
      kind: "either",
      about: "Files merged below this one, relative to it",
      of: [text("A file"), texts("Files, the later over the earlier")],
    },
    alias: { kind: "map", about: "Short names for tools", values: text("A tool or an alias") },
    snippets: SNIPPETS,
    projects: PROJECTS,
    prompts: {
      kind: "object",
      about: "Texts for the agent",
      verbatim: true,
      keys: {
        instructions: text("Added to the instructions"),
        packs: { kind: "map", about: "By pack", values: text("Its text") },
      },
    },
    docs: {
      kind: "object",
      about: "Where the documentation is that help points to",
      keys: {
        base_url: text("What the pages' addresses begin with"),
        packs: { kind: "map", about: "By pack", values: text("Its page's name, or an address") },
      },
    },
    security: SECURITY,
    secrets: {
      kind: "object",
      about: "Secrets of the home folder; counts in its configuration alone",
      verbatim: true,
      keys: {
        lend: {
          kind: "map",
          about: "Projects that may read a secret, by its name",
          values: {
            kind: "either",
            about: "Paths of projects, or globs of them",
            of: [text("A path, or a glob"), texts("Paths, or globs")],
          },
        },
      },
    },
    output: {
      kind: "object",
      about: "Replies that are too large to send whole",
      keys: {
        max_inline_size: count("Bytes that are sent whole (50000)", 0),
        preview_lines: count("Lines of the preview (10)", 0),
        result_ttl: seconds("Seconds that a stored result is kept (3600)"),
      },
    },
    logging: {
      kind: "object",
      about: "What a gateway writes down of runs, calls and servers",
      keys: {
        level: {
          kind: "choice",
          about: "The least that is written (info in files, warning on stderr)",
          of: ["debug", "info", "warning", "error", "off"],
        },
        file: text("A file for it, relative to the project"),
        format: {
          kind: "choice",
          about: "JSON lines, or words; auto: words on stderr, JSON in files (auto)",
          of: ["auto", "json", "text"],
        },
        max_mb: amount("Size of a file at which the next is begun, MB (5)"),
        files: count("Files that are kept (3)", 1, 100),
      },
    },
    stats: {
      kind: "object",
      about: "Statistics of runs and calls",
      keys: {
        enabled: flag("Whether to keep them (true)"),
        keep_days: count("Days that they are kept (365)", 1, 36_500),
      },
    },
    packs: PACKS,
    workers: {
      kind: "object",
      about: "Packs in processes of their own",
      keys: { idle_timeout: seconds("Seconds without a call before one is ended (600)", 0.001) },
    },
    sandbox: SANDBOX,
    notify: {
      kind: "object",
      about: "Where messages to topics go",
      keys: {
        topics: {
          kind: "list",
          about: "The first that matches wins",
          items: {
            kind: "object",
            about: "One topic",
            keys: { pattern: text("Glob pattern"), file: text("Relative to the project") },
          },
        },
      },
    },
    gateway: {
      kind: "object",
      about: "The server",
      keys: {
        host: text("Address to listen on (127.0.0.1)"),
        port: count("Port to listen on, 0 for a free one (0)", 0, 65_535),
        max_body_mb: amount("Largest request, MB (16)", 1024),
        grace: seconds("Seconds for runs under way at the end (10)"),
      },
    },
  },
} as const satisfies ObjectRule;

/** A configuration as it was written: checked for shape, nothing filled in. */
export type RawConfig = Infer<typeof CONFIG>;
export type RawServer = Infer<typeof SERVER>;
