/**
 * The main job on one page: two real MCP servers from npm behind a gateway, and a toolscript that
 * calls them from inside the sandbox. Nothing is configured, nothing is kept.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump } from "js-yaml";
import { loadConfig } from "#config";
import type { RunEvent, RunReply } from "#runtime";
import importMap from "../import_map.json" with { type: "json" };
import { startGateway } from "../main.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SCRIPT = "knowledge.ts";

const terminal = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
const dim = (text: string) => terminal ? `\x1b[2m${text}\x1b[0m` : text;
const bold = (text: string) => terminal ? `\x1b[1m${text}\x1b[0m` : text;

await using folder = await temporaryFolder();
const notes = join(HERE, "notes");
await Deno.mkdir(join(folder.path, ".onetool"));
await Deno.writeTextFile(
  join(folder.path, ".onetool", "onetool.yaml"),
  dump({
    servers: {
      filesystem: server("filesystem", [notes]),
      memory: { ...server("memory"), env: { MEMORY_FILE_PATH: join(folder.path, "graph.jsonl") } },
    },
  }),
);

say(bold("1. A gateway with two MCP servers from npm"));
const home = folder.path;
const config = await loadConfig({ env: {}, home, cwd: folder.path });
await using gateway = await openGateway();
await connected();

say(bold(`\n2. The toolscript, examples/${SCRIPT}`));
const script = await Deno.readTextFile(join(HERE, SCRIPT));
say(dim(script.trimEnd().replaceAll(/^/gm, "  ")));

say(
  bold("\n3. It runs in a sandbox: type-checked first, then every call goes through the gateway"),
);
const reply = await run();

say(bold("\n4. What goes back to the agent"));
say(`  ${reply.text}`);
if (reply.ok) {
  const { check } = reply.timing;
  say(
    dim(
      `  ${reply.calls} calls, ${reply.ms.toFixed(0)} ms, of which type check ${
        check.toFixed(0)
      } ms`,
    ),
  );
}
Deno.exitCode = reply.ok ? 0 : 1;

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Server in the version that the project's tests use. */
function server(name: "filesystem" | "memory", args: readonly string[] = []) {
  const specifier = importMap.imports[`@modelcontextprotocol/server-${name}`];
  const config = join(HERE, "..", "deno.json");
  const flags = ["run", "--allow-all", "--quiet", `--config=${config}`];
  return { command: Deno.execPath(), args: [...flags, specifier, ...args] };
}

async function openGateway() {
  const log = (level: string, message: string) => {
    if (level === "error") say(`  ${message}`);
  };
  const load = () => Promise.resolve(config);
  const options = { load, shared: false, lazy: false, session: null, log };
  const running = await startGateway({ config, home, ...options });
  return { ...running, [Symbol.asyncDispose]: () => running.close() };
}

/** Waits until every server is connected; the first time they are installed first. */
async function connected(): Promise<void> {
  for (let waited = 0; !(await isReady()); waited++) {
    if (waited === 10) say(dim("  installing the servers from npm, once …"));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const status = await (await fetch(`${gateway.url}/status`)).json();
  for (
    const [name, { status: state, tools, error }] of Object.entries<Record<string, unknown>>(
      status.servers,
    )
  ) {
    say(`  ${name}: ${state}, ${error ?? `${tools} tools`}`);
  }
}

async function isReady(): Promise<boolean> {
  const response = await fetch(`${gateway.url}/ready`);
  await response.body?.cancel();
  return response.ok;
}

/** Runs the script and shows its events as they come. */
async function run(): Promise<RunReply> {
  const response = await fetch(`${gateway.url}/run`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${gateway.token}`,
      "content-type": "application/json",
      accept: "application/x-ndjson",
    },
    body: JSON.stringify({ script, file: SCRIPT, cwd: HERE, args: [notes] }),
  });
  const names = new Map<string, string>();
  for await (const event of events(response)) {
    if (event.type === "stdout") say(`  | ${event.data.trimEnd()}`);
    if (event.type === "call") names.set(event.id, event.tool);
    if (event.type === "called") {
      say(`  ${event.ok ? "✓" : "✗"} ${names.get(event.id)} ${dim(`${event.ms.toFixed(1)} ms`)}`);
    }
    if (event.type === "result") return event;
  }
  throw new Error("The gateway ended the answer before the result");
}

async function* events(response: Response): AsyncGenerator<RunEvent> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

async function temporaryFolder() {
  const path = await Deno.makeTempDir({ prefix: "toolscript-demo-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
