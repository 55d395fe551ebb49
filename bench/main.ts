/** Measures the whole program on this machine: `deno task bench [GROUP …] [--json]`. */

import { join } from "node:path";
import { type BenchGateway, makePlace, type Place, startBenchGateway } from "./gateway.ts";
import { measureHostile } from "./hostile.ts";
import { measureMany } from "./many_tools.ts";
import { measureMcp } from "./mcp.ts";
import { measureMemory } from "./memory.ts";
import { repeat, summarize } from "./measure.ts";
import { print, progress } from "./output.ts";
import { BASELINE, measureBaseline, measureCommandLine } from "./processes.ts";
import { measureCold, measureRate, measureRuns } from "./runs.ts";
import { measurePage } from "./page.ts";
import * as scripts from "./scripts.ts";
import { measureSearch } from "./search/measure.ts";
import { formatNumber, formatTable, type Row } from "./table.ts";

const RUNS = 100;
const FEWER_RUNS = 30;
const STARTS = 5;
/** Factor by which a warm run with one call should be faster than the baseline. */
const AIM = 70;
const WARM = "one call, POST /run";

/** Resources of a group: opened at the first use, ended with the benchmark. */
interface Bench {
  readonly place: () => Promise<Place>;
  readonly gateway: () => Promise<BenchGateway>;
  /** Median of the baseline, where it was measured. */
  readonly baseline: () => number | undefined;
}

type Group = (bench: Bench) => Promise<ReadonlyMap<string, readonly Row[]>>;

const GROUPS: Readonly<Record<string, Group>> = {
  plain: one("Plain Deno", async ({ gateway }) => await measureBaseline(await gateway(), 10)),
  run: one("POST /run, warm, type-checked", measureWarm),
  rate: one("Throughput", async ({ gateway }) => await measureThroughput(await gateway())),
  cli: one("Command line, whole process", async ({ place, gateway, baseline }) => {
    await using alone = await makePlace();
    await gateway();
    const options = { shared: await place(), alone, runs: 10, baseline: baseline() };
    return await measureCommandLine(options);
  }),
  mcp: one("MCP over stdio, warm, type-checked", async () => {
    await using place = await makePlace();
    return await measureMcp(place);
  }),
  hostile: one(
    "Hostile commands of 200 KB",
    async ({ gateway }) => await measureHostile(await gateway()),
  ),
  cold: one("Cold", ({ baseline }) => measureCold({ starts: STARTS, baseline: baseline() })),
  many: async ({ baseline }) => {
    const parts = new Map<string, readonly Row[]>();
    for (const tools of [1_000, 10_000]) {
      const options = { tools, runs: FEWER_RUNS, baseline: baseline() };
      parts.set(`${tools.toLocaleString("en")} tools`, await measureMany(options));
    }
    return parts;
  },
  memory: one("Memory of all processes of a project", measureMemory),
  page: one("First byte of the page, 1,000 runs and 50 servers", measurePage),
  search: one("Search over the tools of public servers", measureSearch),
};

/** A group of one part. */
function one(title: string, measure: (bench: Bench) => Promise<readonly Row[]>): Group {
  return async (bench) => new Map([[title, await measure(bench)]]);
}

async function measureWarm({ gateway, place, baseline }: Bench): Promise<Row[]> {
  const common = { baseline: baseline(), runs: FEWER_RUNS };
  const files = join((await place()).project, "files");
  const plan = [
    { ...common, what: "1+1", script: scripts.sum, runs: RUNS, stages: true },
    { ...common, what: WARM, script: scripts.oneCall, runs: RUNS, stages: true },
    { ...common, what: "ten calls in a row", script: scripts.tenInARow },
    { ...common, what: "ten calls at once", script: scripts.tenAtOnce },
    { ...common, what: "chain of 51 calls", script: scripts.chain(files) },
  ];
  const rows: Row[] = [];
  for (const options of plan) rows.push(...await measureRuns(await gateway(), options));
  return rows;
}

async function measureThroughput(gateway: BenchGateway): Promise<Row[]> {
  const rows: Row[] = [];
  for (const inFlight of [1, 32]) {
    const script = scripts.callsPerSecond(inFlight, 1000);
    const replies = await repeat((turn) => gateway.run(script(turn)), { runs: 3, pauseMs: 200 });
    const what = `tool calls of one script, ${inFlight === 1 ? "in a row" : "32 in flight"}`;
    rows.push({ what, unit: "/s", ...summarize(replies.map(({ value }) => Number(value))) });
  }
  for (const clients of [1, 4]) {
    rows.push(await measureRate(gateway, { clients, ms: 1500, rounds: 3 }));
  }
  return rows;
}

async function measureGroups(names: readonly string[]): Promise<Map<string, readonly Row[]>> {
  const parts = new Map<string, readonly Row[]>();
  await using opened = new AsyncDisposableStack();
  const use = <T extends AsyncDisposable>(open: () => Promise<T>) => {
    let opening: Promise<T> | undefined;
    return () => opening ??= open().then((part) => opened.use(part));
  };
  const place = use(makePlace);
  const bench: Bench = {
    place,
    gateway: use(async () => await startBenchGateway(await place())),
    baseline: () => rowOf(parts, BASELINE)?.median,
  };
  for (const [name, group] of Object.entries(GROUPS)) {
    if (!names.includes(name)) continue;
    progress(`${name} …`);
    for (const [title, rows] of await group(bench)) parts.set(title, rows);
  }
  progress("");
  return parts;
}

function rowOf(parts: ReadonlyMap<string, readonly Row[]>, name: string): Row | undefined {
  return [...parts.values()].flat().find(({ what }) => what === name);
}

/** Row of the figure that the project aims at. */
function conclusion(ratio: number): string {
  return `A warm run with type check and one tool call is ${formatNumber(ratio)} times faster ` +
    `than the baseline (aim: ${AIM})`;
}

const isJson = Deno.args.includes("--json");
const groups = Deno.args.filter((argument) => argument !== "--json");
const groupNames = Object.keys(GROUPS);
const foreign = groups.find((name) => !groupNames.includes(name));
if (foreign === undefined) {
  const parts = await measureGroups(groups.length === 0 ? groupNames : groups);
  const ratio = rowOf(parts, WARM)?.ratio;
  if (isJson) {
    const rows = [...parts].flatMap(([part, rows]) => rows.map((row) => ({ part, ...row })));
    print(JSON.stringify(rows));
  } else {
    print(formatTable(parts));
    if (ratio !== undefined) print(`\n${conclusion(ratio)}`);
  }
} else {
  print(`Cannot measure "${foreign}": no such group: there are ${groupNames.join(", ")}`);
  Deno.exitCode = 2;
}
