/** `toolscript demo`: two real MCP servers from npm behind a gateway, and a toolscript that calls them
 * from inside the sandbox. Nothing is configured, nothing is kept. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, sleep } from "#base";
import { loadConfig } from "#config";
import type { RunReply } from "#runtime";
import { type Client, createClient } from "../client.ts";
import type { Context } from "../context.ts";
import { streamRun } from "../exec/stream.ts";
import { onFreePort } from "../gateway_connection.ts";
import { interruptible } from "../interruptible.ts";
import type { RunningGateway } from "../io.ts";

const PROGRAM = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLES = join(PROGRAM, "examples");
const SCRIPT = "knowledge.ts";
const POLL_MS = 200;
/** Waiting time after which a first installation is mentioned. */
const SLOW_MS = 2_000;

interface Demo extends Pick<Context, "io" | "print"> {
  readonly signal: AbortSignal;
}

export function demo({ io, print }: Context): Promise<number> {
  return interruptible(io, async (signal) => {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-demo-" }));
    try {
      return await show({ io, print, signal }, folder);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function show(demo: Demo, folder: string): Promise<number> {
  const { print, io } = demo;
  await print.data("1. A gateway with two MCP servers from npm");
  await using gateway = await openGateway(demo, folder);
  const client = createClient({ ...gateway, fetch: io.fetch });
  if (!(await connected(demo, client))) return 1;

  await print.data(`\n2. The toolscript, examples/${SCRIPT}`);
  const script = await Deno.readTextFile(join(EXAMPLES, SCRIPT));
  await print.data(script.trimEnd().replaceAll(/^/gm, "  "));

  await print.data(
    "\n3. It is type-checked, then it runs in a sandbox; the gateway makes its calls",
  );
  const reply = await run(demo, client, { script, file: SCRIPT });

  await print.data(`\n4. Reply to the agent\n  ${reply.text}`);
  if (!reply.ok) return 1;
  const [all, check] = [reply.ms, reply.timing.check].map((ms) => `${ms.toFixed(0)} ms`);
  await print.data(`  ${reply.calls} calls, ${all}, of which type check ${check}`);
  return 0;
}

async function openGateway(
  { io, print }: Demo,
  home: string,
): Promise<RunningGateway & AsyncDisposable> {
  const notes = join(EXAMPLES, "notes");
  const graph = { MEMORY_FILE_PATH: join(home, "graph.jsonl") };
  const { imports } = JSON.parse(await Deno.readTextFile(join(PROGRAM, "import_map.json")));
  const servers = {
    filesystem: server(imports["@modelcontextprotocol/server-filesystem"], notes),
    memory: { ...server(imports["@modelcontextprotocol/server-memory"]), env: graph },
  };
  await Deno.mkdir(join(home, ".onetool"));
  await Deno.writeTextFile(join(home, ".onetool", "onetool.yaml"), JSON.stringify({ servers }));
  const load = async () => onFreePort(await loadConfig({ env: {}, home, cwd: home }));
  const gateway = await io.startGateway({
    config: await load(),
    load,
    home,
    shared: false,
    lazy: false,
    session: null,
    log: (level, message) => {
      if (level === "error") void print.error(message);
    },
  });
  return { ...gateway, [Symbol.asyncDispose]: () => gateway.close() };
}

/** Server in the version of the import map, with the packages of the lock file. */
function server(specifier: string, ...args: readonly string[]) {
  const flags = ["run", "--allow-all", "--quiet", `--config=${join(PROGRAM, "deno.json")}`];
  return { command: Deno.execPath(), args: [...flags, specifier, ...args] };
}

/** Waits until both servers have connected or failed; the first time they are installed first.
 * Resolves with true if both are connected. */
async function connected({ io, print, signal }: Demo, client: Client): Promise<boolean> {
  const start = io.now();
  let isSlow = false;
  let servers = await serversOf(client, signal);
  while (servers.some(([, { status }]) => status === "connecting")) {
    if (!isSlow && io.now() - start > SLOW_MS) {
      isSlow = true;
      await print.data("  installing the servers from npm, once …");
    }
    await sleep(POLL_MS, signal);
    servers = await serversOf(client, signal);
  }
  for (const [name, { status, tools, error }] of servers) {
    await print.data(`  ${name}: ${status}, ${error ?? `${tools} tools`}`);
  }
  return servers.every(([, { status }]) => status === "connected");
}

async function serversOf(client: Client, signal: AbortSignal) {
  const status: unknown = await (await client.request("/status", { signal })).json();
  const servers = isObject(status) && isObject(status.servers) ? status.servers : {};
  return Object.entries(servers).map(([name, state]) =>
    [name, isObject(state) ? state : {}] as const
  );
}

/** Runs the script and shows its events as they come. */
function run(
  { print, signal }: Demo,
  client: Client,
  script: Readonly<Record<string, string>>,
): Promise<RunReply> {
  const names = new Map<unknown, unknown>();
  return streamRun(client, {
    body: { ...script, cwd: EXAMPLES, args: [join(EXAMPLES, "notes")] },
    signal,
    stdin: () => new Blob([]).stream(),
    async onEvent(event) {
      if (event.type === "stdout") await print.data(`  | ${String(event.data).trimEnd()}`);
      if (event.type === "call") names.set(event.id, event.tool);
      if (event.type !== "called") return;
      const ms = Number(event.ms).toFixed(1);
      await print.data(`  ${event.ok ? "✓" : "✗"} ${names.get(event.id)} ${ms} ms`);
    },
  });
}
