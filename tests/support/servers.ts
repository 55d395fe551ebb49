/** Real MCP servers for tests: how the pinned ones are started, by hand-written ones of our own too. */

import { fileURLToPath } from "node:url";
import type { HttpServer, StdioServer } from "#packs";
import { freePort } from "./port.ts";
import importMap from "../../import_map.json" with { type: "json" };

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const FIXTURES = new URL("../fixtures/mcp/", import.meta.url);

type PinnedServer = "everything" | "filesystem" | "memory";
type Changes = Partial<StdioServer>;

/** Command and arguments that start a pinned server with the project's lock file and cache; also
 * what a config needs: `{ command, args }`. */
export function pinnedCommand(
  server: PinnedServer,
  args: readonly string[] = [],
): { command: string; args: string[] } {
  const specifier = importMap.imports[`@modelcontextprotocol/server-${server}`];
  const flags = ["run", "--allow-all", "--quiet", `--config=${CONFIG}`];
  return { command: Deno.execPath(), args: [...flags, specifier, ...args] };
}

export function everything(changes: Changes = {}): StdioServer {
  return stdioServer({ name: "everything", ...pinnedCommand("everything"), ...changes });
}

/** Gives access to `folder`. */
export function filesystem(folder: string, changes: Changes = {}): StdioServer {
  return stdioServer({ name: "filesystem", ...pinnedCommand("filesystem", [folder]), ...changes });
}

/** Keeps its graph in `file`. */
export function memory(file: string, changes: Changes = {}): StdioServer {
  const env = { MEMORY_FILE_PATH: file };
  return stdioServer({ name: "memory", ...pinnedCommand("memory"), env, ...changes });
}

/** A server of ours, from `tests/fixtures/mcp/`, that misbehaves as `mode` says. */
export function fixture(mode: string, changes: Changes = {}): StdioServer {
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock"];
  const file = fileURLToPath(new URL("server.ts", FIXTURES));
  return stdioServer({
    name: "fixture",
    command: Deno.execPath(),
    args: [...args, file, mode],
    ...changes,
  });
}

/** Command and arguments of a server that answers with what a gateway must bound. */
export function hostileCommand(): { command: string; args: string[] } {
  const file = fileURLToPath(new URL("hostile_server.ts", FIXTURES));
  return { command: Deno.execPath(), args: ["run", "--quiet", "--no-config", "--no-lock", file] };
}

const ASKING = ["run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`];
const ASKING_FILE = fileURLToPath(new URL("asking_server.ts", FIXTURES));

/** Command and arguments of a server that asks and logs in the midst of its calls. */
export function askingCommand(
  protocol: "legacy" | "modern" = "legacy",
): { command: string; args: string[] } {
  return { command: Deno.execPath(), args: [...ASKING, ASKING_FILE, protocol] };
}

export interface AskingServer extends AsyncDisposable {
  readonly url: string;
}

/** The same over HTTP, on a free port. */
export async function askingOverHttp(protocol: "legacy" | "modern"): Promise<AskingServer> {
  const { command, args } = askingCommand(protocol);
  const child = new Deno.Command(command, {
    args: [...args, "http"],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  while (!printed.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error("Cannot start the asking server: it ended");
    printed += value;
  }
  return {
    url: printed.trim(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

export function stdioServer(
  server: Partial<StdioServer> & Pick<StdioServer, "name" | "command">,
): StdioServer {
  return {
    kind: "stdio",
    enabled: true,
    external: false,
    learn: true,
    include: [],
    exclude: [],
    timeoutMs: 20_000,
    args: [],
    env: {},
    cwd: Deno.cwd(),
    idleTimeoutMs: 600_000,
    keepAlive: false,
    ...server,
  };
}

export function httpServer(server: Partial<HttpServer> & Pick<HttpServer, "url">): HttpServer {
  return {
    kind: "http",
    name: "remote",
    enabled: true,
    external: false,
    learn: true,
    include: [],
    exclude: [],
    timeoutMs: 20_000,
    headers: {},
    ...server,
  };
}

export interface RemoteServer extends AsyncDisposable {
  readonly url: string;
  /** What the server has printed so far. */
  log(): string;
}

/** server-everything over HTTP, on a free port. */
export async function everythingOverHttp(
  mode: "streamableHttp" | "sse" = "streamableHttp",
  at: number | Promise<number> = freePort(),
): Promise<RemoteServer> {
  const port = await at;
  const { command, args } = pinnedCommand("everything", [mode]);
  const child = new Deno.Command(command, {
    args,
    env: { PORT: String(port) },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const url = `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
  let printed = "";
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) printed += text;
  };
  const followed = Promise.all([follow(child.stdout), follow(child.stderr)]);
  let over = false;
  void child.status.then(() => over = true);
  while (!/on port/.test(printed)) {
    if (over) throw new Error(`Cannot start server-everything: it ended: ${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url,
    log: () => printed,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await followed;
    },
  };
}

/** Command and arguments of a server that lists the tools of a JSON file. */
export function listingCommand(file: string): { command: string; args: string[] } {
  const server = fileURLToPath(new URL("../../bench/many_tools_server.ts", import.meta.url));
  const flags = ["run", "--allow-read", "--quiet", "--no-config", "--no-lock"];
  return { command: Deno.execPath(), args: [...flags, server, file] };
}

/** Command and arguments of a server whose every text is markup. */
export function markupCommand(): { command: string; args: string[] } {
  const file = fileURLToPath(new URL("markup_server.ts", FIXTURES));
  return { command: Deno.execPath(), args: ["run", "--quiet", "--no-config", "--no-lock", file] };
}

/** Command and arguments of a shop, which keeps a journal of the writes that were made. */
export function shopCommand(): { command: string; args: string[] } {
  const file = fileURLToPath(new URL("shop_server.ts", FIXTURES));
  return { command: Deno.execPath(), args: ["run", "--quiet", "--no-config", "--no-lock", file] };
}
