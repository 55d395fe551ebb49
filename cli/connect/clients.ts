/** The MCP clients that Toolscript can be put into: their files, and the form of an entry in them. */

import { join } from "node:path";
import { isObject } from "#base";

export const CLIENTS = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "codex",
  "vscode",
  "gemini",
  "opencode",
  "windsurf",
  "zed",
] as const;
export type ClientName = typeof CLIENTS[number];

/** Name of the entry. */
export const OWN_NAME = "toolscript";

export type Entry = Readonly<Record<string, unknown>>;

/** Machine of the user, as far as the places of files depend on it. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly os: string;
}

/** Command line that starts Toolscript for a client. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** The first words between a client and a server, as far as clients differ. */
export interface Handshake {
  /** Version of the protocol that it asks for. */
  readonly protocol: string;
  /** Milliseconds that it waits for a server: its default. */
  readonly limitMs: number;
  /** Milliseconds of the entry or of the environment, which go before the default. */
  readonly ownLimitMs?: (entry: Entry, env: Machine["env"]) => number;
  /** True where a server gets a few variables alone, not all that the client has. */
  readonly isBareEnv?: boolean;
}

export interface Client {
  readonly format: "json" | "toml";
  /** Key of the map of servers. */
  readonly key: string;
  /** The project's file, relative; missing where the client has none. */
  readonly project?: string;
  readonly user: (machine: Machine) => string;
  /** Folder or file that exists where the client is installed. */
  readonly sign: (machine: Machine) => string;
  /** The user's file is the default: the client reads a project's only once it is trusted. */
  readonly isUserFirst?: boolean;
  /** Entry that starts Toolscript. */
  readonly entry: (start: Start) => Entry;
  /** A server's entry in the words of `mcpServers`. */
  readonly read?: (entry: Entry) => Entry;
  readonly handshake: Handshake;
}

/** Time limit of the SDK for one request, where a client sets none of its own. */
const SDK_MS = 60_000;

const plain = ({ command, args }: Start): Entry => ({ command, args });
const stdio = (start: Start): Entry => ({ type: "stdio", ...plain(start) });

export const CLIENT_TABLE: Readonly<Record<ClientName, Client>> = {
  "claude-code": {
    format: "json",
    key: "mcpServers",
    project: ".mcp.json",
    user: ({ home }) => join(home, ".claude.json"),
    sign: ({ home }) => join(home, ".claude.json"),
    entry: (start) => ({ ...stdio(start), alwaysLoad: true }),
    handshake: {
      protocol: "2025-11-25",
      limitMs: 30_000,
      ownLimitMs: (_, env) => Number(env.MCP_TIMEOUT),
    },
  },
  "claude-desktop": {
    format: "json",
    key: "mcpServers",
    user: (machine) => join(settingsFolder(machine), "Claude", "claude_desktop_config.json"),
    sign: (machine) => join(settingsFolder(machine), "Claude"),
    entry: plain,
    handshake: { protocol: "2025-06-18", limitMs: SDK_MS, isBareEnv: true },
  },
  cursor: {
    format: "json",
    key: "mcpServers",
    project: join(".cursor", "mcp.json"),
    user: ({ home }) => join(home, ".cursor", "mcp.json"),
    sign: ({ home }) => join(home, ".cursor"),
    entry: plain,
    handshake: { protocol: "2025-06-18", limitMs: SDK_MS },
  },
  codex: {
    format: "toml",
    key: "mcp_servers",
    project: join(".codex", "config.toml"),
    user: (machine) => join(codexHome(machine), "config.toml"),
    sign: codexHome,
    isUserFirst: true,
    entry: (start) => ({ ...plain(start), startup_timeout_sec: 30, tool_timeout_sec: 600 }),
    read: ({ http_headers: headers, ...entry }) => ({ ...entry, ...(headers ? { headers } : {}) }),
    handshake: {
      protocol: "2025-06-18",
      limitMs: 10_000,
      ownLimitMs: (entry) => Number(entry.startup_timeout_sec) * 1_000,
      isBareEnv: true,
    },
  },
  vscode: {
    format: "json",
    key: "servers",
    project: join(".vscode", "mcp.json"),
    user: (machine) => join(settingsFolder(machine), "Code", "User", "mcp.json"),
    sign: (machine) => join(settingsFolder(machine), "Code"),
    entry: stdio,
    handshake: { protocol: "2025-11-25", limitMs: SDK_MS },
  },
  gemini: {
    format: "json",
    key: "mcpServers",
    project: join(".gemini", "settings.json"),
    user: ({ home }) => join(home, ".gemini", "settings.json"),
    sign: ({ home }) => join(home, ".gemini"),
    entry: plain,
    read: ({ httpUrl, ...entry }) => httpUrl === undefined ? entry : { ...entry, url: httpUrl },
    handshake: {
      protocol: "2025-11-25",
      limitMs: 600_000,
      ownLimitMs: (entry) => Number(entry.timeout),
    },
  },
  opencode: {
    format: "json",
    key: "mcp",
    project: "opencode.json",
    user: (machine) => join(xdgFolder(machine), "opencode", "opencode.json"),
    sign: (machine) => join(xdgFolder(machine), "opencode"),
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    read: readOpencode,
    handshake: {
      protocol: "2025-11-25",
      limitMs: 5_000,
      ownLimitMs: (entry) => Number(entry.timeout),
    },
  },
  windsurf: {
    format: "json",
    key: "mcpServers",
    user: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    sign: ({ home }) => join(home, ".codeium", "windsurf"),
    entry: plain,
    read: ({ serverUrl, ...entry }) =>
      serverUrl === undefined ? entry : { ...entry, url: serverUrl },
    handshake: { protocol: "2025-06-18", limitMs: SDK_MS },
  },
  zed: {
    format: "json",
    key: "context_servers",
    project: join(".zed", "settings.json"),
    user: (machine) => join(zedFolder(machine), "settings.json"),
    sign: zedFolder,
    entry: (start) => ({ source: "custom", ...plain(start), env: {} }),
    read: ({ source: _, ...entry }) => isObject(entry.command) ? { ...entry.command } : entry,
    handshake: {
      protocol: "2025-11-25",
      limitMs: SDK_MS,
      ownLimitMs: (entry) => Number(entry.timeout),
    },
  },
};

/** Opencode has one list for the program and its arguments. */
function readOpencode({ type: _, command, environment, ...entry }: Entry): Entry {
  const [program, ...args] = Array.isArray(command) ? command : [];
  return {
    ...entry,
    ...(program === undefined ? {} : { command: program, args }),
    ...(environment === undefined ? {} : { env: environment }),
  };
}

/** Folder of applications with a window. */
function settingsFolder({ home, env, os }: Machine): string {
  if (os === "darwin") return join(home, "Library", "Application Support");
  if (os === "windows") return env.APPDATA || join(home, "AppData", "Roaming");
  return env.XDG_CONFIG_HOME || join(home, ".config");
}

function xdgFolder({ home, env }: Machine): string {
  return env.XDG_CONFIG_HOME || join(home, ".config");
}

function zedFolder(machine: Machine): string {
  return machine.os === "windows"
    ? join(settingsFolder(machine), "Zed")
    : join(xdgFolder(machine), "zed");
}

function codexHome({ home, env }: Machine): string {
  return env.CODEX_HOME || join(home, ".codex");
}
