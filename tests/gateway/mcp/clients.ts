/** Real MCP clients in front of a gateway, over each transport and in both eras of the protocol. */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFacts } from "../../../release/bridge_facts.ts";
import manifest from "../../../deno.json" with { type: "json" };
import { createBoundedFetch } from "../../../packs/mcp/connect/bounded_fetch.ts";

export type Era = "modern" | "legacy";
export const ERAS: readonly Era[] = ["modern", "legacy"];

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What a client of the older era opens a connection with. */
export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

export interface TestClient extends AsyncDisposable {
  readonly client: Client;
}

type ClientOptions = ConstructorParameters<typeof Client>[1];

export function newClient(era: Era, options: ClientOptions = {}): Client {
  return new Client({ name: "test", version: "1" }, {
    versionNegotiation: era === "modern" ? { mode: { pin: "2026-07-28" } } : { mode: "legacy" },
    ...options,
  });
}

/** A client connected to `/mcp` of a gateway. Deno's own `fetch` closes an aborted stream only while
 * its Response can be reached, so a cancel would now and then not be sent. */
export async function overHttp(
  gateway: { readonly url: string; readonly token: string },
  client: Client,
): Promise<TestClient> {
  const headers = { authorization: `Bearer ${gateway.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
    requestInit: { headers },
    fetch: createBoundedFetch(fetch, { maxBytes: Infinity }),
  });
  await client.connect(transport);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await transport.terminateSession().catch(() => {}); // there are none in the newer era
      await client.close();
    },
  };
}

export interface Folders {
  readonly home: string;
  readonly project: string;
}

/** The command that a client starts `toolscript mcp` with. */
export function stdioCommand(args: readonly string[] = []): { command: string; args: string[] } {
  const flags = ["run", "-A", "--quiet", "--no-check"];
  return { command: Deno.execPath(), args: [...flags, `${ROOT}main.ts`, "mcp", ...args] };
}

/** Ways from a client to its gateway: Deno, or the npm package's bridge in Node. */
export type Way = "deno" | "node";
export const WAYS: readonly Way[] = ["deno", "node"];

let bridgeFile: Promise<string> | undefined;

/** The command that a client starts `toolscript mcp` with, one way or the other. */
export async function mcpCommand(
  way: Way,
  args: readonly string[] = [],
): Promise<{ command: string; args: string[] }> {
  if (way === "deno") return stdioCommand(args);
  const file = await (bridgeFile ??= writeBridge());
  return { command: "node", args: [`${ROOT}tests/support/bridge.cjs`, file, ...args] };
}

/** The bridge over another program than Toolscript. */
export async function bridgeOver(
  [command = "", ...args]: string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env"> = {},
): Promise<Deno.Command> {
  const file = await writeBridge({ command, args });
  return new Deno.Command("node", {
    ...options,
    args: [`${ROOT}tests/support/bridge.cjs`, file],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  });
}

/** Writes what the bridge takes from its package. */
async function writeBridge(
  program: { readonly command: string; readonly args: readonly string[] } = ofThisTree(),
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-facts-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const facts = await packageFacts(manifest.version, folder);
  const file = join(folder, "bridge.json");
  await Deno.writeTextFile(file, JSON.stringify({ ...program, facts }));
  return file;
}

function ofThisTree(): { command: string; args: string[] } {
  const { command, args } = stdioCommand();
  return { command, args: args.slice(0, args.indexOf("mcp")) };
}

export function stdioEnvironment({ home }: Pick<Folders, "home">): Record<string, string> {
  const own = Deno.env.toObject();
  const denoDir = own.DENO_DIR ?? `${own.XDG_CACHE_HOME ?? `${own.HOME}/.cache`}/deno`;
  return { TOOLSCRIPT_TRUST: "all", ...own, HOME: home, DENO_DIR: denoDir };
}

/** A client that started `toolscript mcp` in a project. */
export async function overStdio(
  folders: Folders,
  client: Client,
  way: Way = "deno",
): Promise<TestClient> {
  await startNoGateway(folders.home);
  const transport = new StdioClientTransport({
    ...await mcpCommand(way),
    cwd: folders.project,
    env: stdioEnvironment(folders),
    stderr: "pipe",
  });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Lets `toolscript mcp` start no gateway for other clients, which would outlive the test; it uses one
 * that runs. */
export async function startNoGateway(home: string): Promise<void> {
  const file = join(home, ".onetool", "onetool.yaml");
  await Deno.mkdir(dirname(file), { recursive: true });
  try {
    await Deno.writeTextFile(file, "gateway: { share: false }\n", { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** The text of a result. */
export function textOf(result: { readonly content?: unknown }): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  return blocks.flatMap((block) => block.type === "text" ? [String(block.text)] : []).join("\n");
}
