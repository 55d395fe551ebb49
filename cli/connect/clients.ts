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
}

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
  },
  "claude-desktop": {
    format: "json",
    key: "mcpServers",
    user: (machine) => join(settingsFolder(machine), "Claude", "claude_desktop_config.json"),
    sign: (machine) => join(settingsFolder(machine), "Claude"),
    entry: plain,
  },
  cursor: {
    format: "json",
    key: "mcpServers",
    project: join(".cursor", "mcp.json"),
    user: ({ home }) => join(home, ".cursor", "mcp.json"),
    sign: ({ home }) => join(home, ".cursor"),
    entry: plain,
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
  },
  vscode: {
    format: "json",
    key: "servers",
    project: join(".vscode", "mcp.json"),
    user: (machine) => join(settingsFolder(machine), "Code", "User", "mcp.json"),
    sign: (machine) => join(settingsFolder(machine), "Code"),
    entry: stdio,
  },
  gemini: {
    format: "json",
    key: "mcpServers",
    project: join(".gemini", "settings.json"),
    user: ({ home }) => join(home, ".gemini", "settings.json"),
    sign: ({ home }) => join(home, ".gemini"),
    entry: plain,
    read: ({ httpUrl, ...entry }) => httpUrl === undefined ? entry : { ...entry, url: httpUrl },
  },
  opencode: {
    format: "json",
    key: "mcp",
    project: "opencode.json",
    user: (machine) => join(xdgFolder(machine), "opencode", "opencode.json"),
    sign: (machine) => join(xdgFolder(machine), "opencode"),
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    read: readOpencode,
  },
  windsurf: {
    format: "json",
    key: "mcpServers",
    user: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    sign: ({ home }) => join(home, ".codeium", "windsurf"),
    entry: plain,
    read: ({ serverUrl, ...entry }) =>
      serverUrl === undefined ? entry : { ...entry, url: serverUrl },
  },
  zed: {
    format: "json",
    key: "context_servers",
    project: join(".zed", "settings.json"),
    user: (machine) => join(zedFolder(machine), "settings.json"),
    sign: zedFolder,
    entry: (start) => ({ source: "custom", ...plain(start), env: {} }),
    read: ({ source: _, ...entry }) => isObject(entry.command) ? { ...entry.command } : entry,
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
