/** `POST /run`: its time for a client, and the times of its stages from the gateway. */

import type { RunReply } from "#runtime";
import { type BenchGateway, makePlace, startBenchGateway } from "./gateway.ts";
import { pause, ratioOf, repeat, summarize } from "./measure.ts";
import { oneCall } from "./scripts.ts";
import type { Row } from "./table.ts";

/** Until a process that replaces the one used last is warm. */
const REFILL_MS = 200;

interface Timed {
  readonly ms: number;
  readonly timing: RunReply["timing"];
}

export interface RunsOptions {
  readonly what: string;
  readonly script: (turn: number) => string;
  readonly runs: number;
  readonly baseline?: number;
  /** True for rows with the stages, too. */
  readonly stages?: boolean;
}

/** Runs one after another, each with a warm process waiting for it. */
export async function measureRuns(gateway: BenchGateway, options: RunsOptions): Promise<Row[]> {
  const { what, script, runs, baseline, stages = false } = options;
  const timed = await repeat((turn) => timedRun(gateway, script(turn)), {
    runs,
    warmUp: 5,
    pauseMs: REFILL_MS,
  });
  const whole = summarize(timed.map(({ ms }) => ms));
  const row: Row = { what, unit: "ms", ...whole, ratio: ratioOf(baseline, whole.median) };
  return stages ? [row, ...stageRows(timed)] : [row];
}

/** The first run of gateways that have just started. */
export async function measureCold(
  { starts, baseline }: { readonly starts: number; readonly baseline?: number },
): Promise<Row[]> {
  await using place = await makePlace();
  const cold = await repeat(async (turn) => {
    await using gateway = await startBenchGateway(place);
    const { ms, timing } = await timedRun(gateway, oneCall(turn));
    return { ms, timing, listening: gateway.listeningMs, ready: gateway.readyMs };
  }, { runs: starts, pauseMs: REFILL_MS });
  const first = summarize(cold.map(({ ms }) => ms));
  return [
    { what: "gateway start to open port", unit: "ms", ...summarize(cold.map((c) => c.listening)) },
    { what: "gateway start to ready", unit: "ms", ...summarize(cold.map((c) => c.ready)) },
    { what: "first run, one call", unit: "ms", ...first, ratio: ratioOf(baseline, first.median) },
  ];
}

/** One run and its time, its answer read. */
export async function timedRun(gateway: BenchGateway, script: string): Promise<Timed> {
  const since = performance.now();
  const { timing } = await gateway.run(script);
  return { ms: performance.now() - since, timing };
}

/** Runs a second, from clients that each send the next when the last was answered. */
export async function measureRate(
  gateway: BenchGateway,
  { clients, ms, rounds }: {
    readonly clients: number;
    readonly ms: number;
    readonly rounds: number;
  },
): Promise<Row> {
  const rates = await repeat(async (round) => {
    let runs = 0;
    const since = performance.now();
    const client = async () => {
      while (performance.now() - since < ms) {
        await gateway.run(oneCall(round * 100_000 + runs));
        runs++;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return runs / (performance.now() - since) * 1000;
  }, { runs: rounds, warmUp: 1 });
  await pause(REFILL_MS);
  const what = `runs, one call each, ${clients} ${clients === 1 ? "client" : "clients"}`;
  return { what, unit: "/s", ...summarize(rates) };
}

function stageRows(timed: readonly Timed[]): Row[] {
  const stages = ["parse", "check", "hand_over", "execute"] as const;
  return stages.map((stage) => ({
    what: `  of it ${stage}`,
    unit: "ms",
    ...summarize(timed.map(({ timing }) => timing[stage])),
  }));
}
