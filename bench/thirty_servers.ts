/** Connects many public MCP servers at once, and says which answer, how fast, and at what cost.
 *
 * `deno run -A bench/thirty_servers.ts [name …] [--verbose]`; the first run installs the packages,
 * which takes minutes. */

import { join } from "node:path";
import type { Log } from "#base";
import { createServerPack, createWatcher, type ServerPack, type StdioServer } from "#packs";
import servers from "./servers.json" with { type: "json" };

interface Row {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly ms: number;
}

interface PublicServer {
  readonly name: string;
  /** With its version, as npm names it. */
  readonly package: string;
  readonly args: readonly string[];
  /** Dummy keys where one is merely required. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const EXPECTED = 30;
const CONNECT_TIMEOUT_MS = 600_000;
const SAMPLE_MS = 250;

const folder = await Deno.makeTempDir({ prefix: "toolscript-bench-" });
const log: Log = (level, message, facts) => {
  if (level !== "debug" && Deno.args.includes("--verbose")) {
    print(`${level}: ${message} ${JSON.stringify(facts)}`);
  }
};
const names = Deno.args.filter((argument) => !argument.startsWith("--"));
const all: readonly PublicServer[] = servers;
const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name));
const watcher = createWatcher({ log });
const packs = chosen.map(createPack);
const stopMeasuring = measureMemory();
const longestPause = measurePauses();
const rows = await Promise.all(packs.map(connect));
printTable(rows);
const connected = rows.filter(({ state }) => state === "connected").length;
const tools = rows.reduce((sum, row) => sum + row.tools, 0);
const slowest = Math.max(...rows.map(({ ms }) => ms));
print(`${connected} of ${rows.length} connected, ${tools} tools, ${slowest} ms`);
print(`peak memory of the servers: ${stopMeasuring()} MB; of this process: ${ownMemory()} MB`);
print(`longest pause of the event loop: ${longestPause()} ms`);
await Promise.all(packs.map((pack) => pack[Symbol.asyncDispose]()));
await watcher[Symbol.asyncDispose]();
await Deno.remove(folder, { recursive: true });
Deno.exit(connected >= Math.min(EXPECTED, rows.length) ? 0 : 1);

function createPack(server: PublicServer): ServerPack {
  const fill = (text: string) => text.replaceAll("{folder}", folder);
  const env = Object.entries(server.env).map(([name, value = ""]) => [name, fill(value)]);
  const flags = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock"];
  const config: StdioServer = {
    kind: "stdio",
    name: server.name,
    enabled: true,
    external: false,
    learn: true,
    include: [],
    exclude: [],
    timeoutMs: 60_000,
    command: Deno.execPath(),
    args: [...flags, `npm:${server.package}`, ...server.args.map(fill)],
    env: Object.fromEntries(env),
    cwd: folder,
    idleTimeoutMs: 600_000,
    keepAlive: true,
  };
  return createServerPack(config, {
    log,
    watcher,
    fetch,
    now: Date.now,
    cacheDir: join(folder, "cache"),
    environment: Deno.env.toObject(),
    clientVersion: "bench",
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
}

async function connect(pack: ServerPack): Promise<Row> {
  const start = performance.now();
  pack.start();
  await pack.settle();
  const { state, error } = pack.status();
  return {
    name: pack.name,
    state: error === null ? state : `${state}: ${error}`,
    tools: pack.tools().length,
    ms: Math.round(performance.now() - start),
  };
}

/** Samples the resident memory of all processes below this one; the function gives the peak. */
function measureMemory(): () => number {
  let peak = 0;
  let measuring = false;
  const timer = setInterval(async () => {
    if (measuring) return;
    measuring = true;
    peak = Math.max(peak, await memoryBelow(Deno.pid));
    measuring = false;
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return Math.round(peak / 1024);
  };
}

/** Kilobytes held by the descendants of a process. */
async function memoryBelow(root: number): Promise<number> {
  const columns = ["-A", "-o", "pid=,ppid=,rss="];
  const { stdout } = await new Deno.Command("ps", { args: columns }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n").map((row) =>
    row.trim().split(/\s+/).map(Number)
  );
  const below = new Set([root]);
  let sum = 0;
  for (let before = -1; below.size !== before;) {
    before = below.size;
    for (const [pid = 0, parent = 0, kilobytes = 0] of rows) {
      if (below.has(pid) || !below.has(parent)) continue;
      below.add(pid);
      sum += kilobytes;
    }
  }
  return sum;
}

function ownMemory(): number {
  return Math.round(Deno.memoryUsage().rss / 1024 / 1024);
}

/** Longest delay of a timer. */
function measurePauses(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return Math.round(longest);
  };
}

function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, state, tools, ms } of rows) {
    print(
      `${name.padEnd(width)}  ${String(tools).padStart(5)} tools  ${
        `${ms} ms`.padStart(9)
      }  ${state}`,
    );
  }
}

function print(line: string): void {
  // deno-lint-ignore no-console -- a program of its own, whose output this is
  console.log(line);
}
