/** Measures the whole program on this machine: `deno task bench [--json]`. */

import { join } from "node:path";
import { type BenchGateway, makePlace, type Place, startBenchGateway } from "./gateway.ts";
import { measureMany } from "./many_tools.ts";
import { repeat, summarise } from "./measure.ts";
import { print, progress } from "./output.ts";
import { type Baseline, measureBaseline, measureCommandLine } from "./processes.ts";
import { measureCold, measureRate, measureRuns } from "./runs.ts";
import * as scripts from "./scripts.ts";
import { formatNumber, formatTable, type Row } from "./table.ts";

const RUNS = 100;
const FEWER_RUNS = 30;
const STARTS = 5;
/** How many times faster than the baseline a warm run with one call shall be. */
const AIM = 70;
const WARM = "one call";

const parts = new Map<string, readonly Row[]>();

async function part(title: string, measure: () => Promise<readonly Row[]>): Promise<void> {
  progress(`${title} …`);
  parts.set(title, await measure());
}

async function measureWarm(
  { gateway, place, median }: { gateway: BenchGateway; place: Place; median: number },
): Promise<Row[]> {
  const common = { baseline: median, runs: FEWER_RUNS };
  const files = join(place.project, "files");
  const plan = [
    { ...common, what: "1+1", script: scripts.sum, runs: RUNS, stages: true },
    { ...common, what: WARM, script: scripts.oneCall, runs: RUNS, stages: true },
    { ...common, what: "ten calls in a row", script: scripts.tenInARow },
    { ...common, what: "ten calls at once", script: scripts.tenAtOnce },
    { ...common, what: "chain of 51 calls", script: scripts.chain(files) },
  ];
  const rows: Row[] = [];
  for (const options of plan) rows.push(...await measureRuns(gateway, options));
  return rows;
}

async function measureThroughput(gateway: BenchGateway): Promise<Row[]> {
  const rows: Row[] = [];
  for (const inFlight of [1, 32]) {
    const script = scripts.callsPerSecond(inFlight, 1000);
    const replies = await repeat((turn) => gateway.run(script(turn)), { runs: 3, pauseMs: 200 });
    const what = `tool calls of one script, ${inFlight === 1 ? "in a row" : "32 in flight"}`;
    rows.push({ what, unit: "/s", ...summarise(replies.map(({ value }) => Number(value))) });
  }
  for (const clients of [1, 4]) {
    rows.push(await measureRate(gateway, { clients, ms: 1500, rounds: 3 }));
  }
  return rows;
}

async function measureAll(): Promise<void> {
  await using place = await makePlace();
  await using alone = await makePlace();
  let median = 0;
  {
    await using gateway = await startBenchGateway(place);
    const measured: Baseline = await measureBaseline(gateway, 10);
    median = measured.median;
    parts.set("Plain Deno", measured.rows);
    await part("POST /run, warm, type-checked", () => measureWarm({ gateway, place, median }));
    await part("Throughput", () => measureThroughput(gateway));
    const options = { shared: place, alone, runs: 10, baseline: median };
    await part("Command line, whole process", () => measureCommandLine(options));
  }
  await part("Cold", () => measureCold({ starts: STARTS, baseline: median }));
  for (const tools of [1_000, 10_000]) {
    const title = `${tools.toLocaleString("en")} tools`;
    await part(title, () => measureMany({ tools, runs: FEWER_RUNS, baseline: median }));
  }
}

/** The figure that the project is held to. */
function conclusion(): string {
  const row = [...parts.values()].flat().find(({ what }) => what === WARM);
  const ratio = row?.ratio ?? 0;
  return `A warm run with type check and one tool call is ${formatNumber(ratio)} times faster ` +
    `than the baseline (aim: ${AIM})`;
}

progress("Plain Deno …");
await measureAll();
progress("");
if (Deno.args.includes("--json")) {
  const rows = [...parts].flatMap(([part, rows]) => rows.map((row) => ({ part, ...row })));
  print(JSON.stringify(rows));
} else {
  print(formatTable(parts));
  print("");
  print(conclusion());
}
