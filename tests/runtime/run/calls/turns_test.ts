/** Arguments of calls that take long to parse: other work goes on between them. */

import assert from "node:assert/strict";
import { silent, untraced } from "#base";
import { createLocalPack, createRegistry, PackError } from "#packs";
import { createRunCalls, type RunCallsOptions } from "../../../../runtime/run/calls/calls.ts";

/** Longer than work after which other work has its time. */
const SLOW_MS = 25;

function openCalls(signal: AbortSignal) {
  const spec = { name: "get", description: "", inputSchema: { type: "object" } };
  const pack = createLocalPack("shop", [{
    spec,
    call: ({ at }) => Promise.resolve({ value: at ?? 0 }),
  }]);
  const registry = createRegistry([pack], { log: silent });
  const calls = createRunCalls({
    registry,
    signal,
    span: untraced,
    now: () => 0,
    warned: new Set(),
    lease: { end: () => {} },
    limits: { calls: 1_000, inFlight: 2 },
    questions: { hooks: () => ({}) },
    peer: {},
    onWarning: () => {},
    onEvent: () => {},
  } as unknown as RunCallsOptions);
  return { calls, [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]() };
}

function slowly<T>(value: T): T {
  for (const start = performance.now(); performance.now() - start < SLOW_MS;);
  return value;
}

Deno.test("between calls whose arguments take long to parse, other work has its turn", async () => {
  const end = new AbortController();
  await using it = openCalls(end.signal);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    const calls = Array.from({ length: 10 }, (_, at) => {
      const wire = at % 2 ? "shop__get" : "shop__missing";
      return it.calls.call({ wire, args: () => () => slowly({ at }) }, end.signal);
    });
    const outcomes = await Promise.allSettled(calls);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 5);
  } finally {
    clearInterval(timer);
  }
  assert.ok(turns > 10, `${turns} turns`);
});

Deno.test("a call that waits for its turn ends with the run, its arguments unread", async () => {
  const end = new AbortController();
  await using it = openCalls(end.signal);
  let parsed = 0;
  const args = () => () => slowly({ at: ++parsed });
  const calls = Array.from(
    { length: 4 },
    () => it.calls.call({ wire: "shop__get", args }, end.signal),
  );
  await calls[0];
  it.calls.end();
  const outcomes = await Promise.allSettled(calls);
  assert.ok(parsed < 4, `${parsed} parsed`);
  const last = outcomes.at(-1);
  assert.ok(last?.status === "rejected" && last.reason instanceof PackError);
  assert.equal(last.reason.code, "cancelled");
});
