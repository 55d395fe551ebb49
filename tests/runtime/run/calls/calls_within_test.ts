/** Calls within calls: they wait for one another's places, and never for those around them. */

import assert from "node:assert/strict";
import { silent, untraced } from "#base";
import { type CallOptions, callWithin, createLocalPack, createRegistry } from "#packs";
import { createRunCalls, type RunCallsOptions } from "../../../../runtime/run/calls/calls.ts";

const IN_FLIGHT = 3;
const BRANCHES = 5;

/** Calls of a tool that calls itself `BRANCHES` times at once, down to this level. */
function openTree(reads: { promise: Promise<void> } = { promise: Promise.resolve() }) {
  const open = [0, 0, 0, 0];
  const most = [0, 0, 0, 0];
  const spec = { name: "grow", description: "", inputSchema: { type: "object" } };
  async function grow({ level }: { level: number }, options: CallOptions): Promise<number> {
    open[level] = (open[level] ?? 0) + 1;
    most[level] = Math.max(most[level] ?? 0, open[level] ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const call = { pack: "tree", tool: "grow", arguments: { level: level - 1 } };
    const length = level === 0 ? 0 : BRANCHES;
    const inner = { ...options, readsOn: () => reads.promise };
    const parts = Array.from({ length }, () => callWithin(registry, call, inner));
    const counts = (await Promise.all(parts)).map(({ value }) => Number(value));
    open[level] = (open[level] ?? 0) - 1;
    return counts.reduce((sum, count) => sum + count, 1);
  }
  const call = async (args: object, options: CallOptions) => ({
    value: await grow(args as { level: number }, options),
  });
  const registry = createRegistry([createLocalPack("tree", [{ spec, call }])], { log: silent });
  const { signal } = new AbortController();
  const calls = createRunCalls({
    registry,
    signal,
    span: untraced,
    now: () => 0,
    warned: new Set(),
    lease: { end: () => {} },
    limits: { calls: 1_000, inFlight: IN_FLIGHT },
    questions: { hooks: () => ({}) },
    peer: {},
    onWarning: () => {},
    onEvent: () => {},
  } as unknown as RunCallsOptions);
  const start = (level: number) =>
    calls.call({ wire: "tree__grow", args: () => () => ({ level }) }, signal);
  return { start, most, [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]() };
}

Deno.test("a few calls within calls are made at once, at each depth", async () => {
  await using tree = openTree();
  const outcomes = await Promise.all(Array.from({ length: BRANCHES }, () => tree.start(3)));
  assert.deepEqual(outcomes.map(({ value }) => value), Array(BRANCHES).fill(156));
  assert.deepEqual(tree.most, Array(4).fill(IN_FLIGHT));
});

Deno.test("calls within calls wait for a caller that does not read", async () => {
  const reads = Promise.withResolvers<void>();
  await using tree = openTree(reads);
  const outcome = tree.start(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(tree.most, [0, 1, 0, 0]);
  reads.resolve();
  assert.equal((await outcome).value, 6);
});
