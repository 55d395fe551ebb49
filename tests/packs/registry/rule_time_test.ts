/** Rules whose expressions take long: other work goes on, runs take turns, and what is undecided asks. */

import assert from "node:assert/strict";
import { threadCpuUsage } from "node:process";
import { silent } from "#base";
import {
  type Args,
  type CallOptions,
  type CallRule,
  createLocalPack,
  createPolicy,
  createRegistry,
  PackError,
} from "#packs";
import { compileWhen } from "../../../packs/registry/rules/when.ts";

const NUMBERS = JSON.stringify(Array.from({ length: 30 }, (_, at) => at));
const LOOPS = ["a", "b", "c", "d", "e"].reduceRight(
  (inner, name) => `${NUMBERS}.all(${name}, ${inner})`,
  "a + b + c + d + e < 999",
);
/** Longer than an evaluation after which other work has its time. */
const SLOW_MS = 25;

/** A registry of one tool, with rules about its calls. */
function openRegistry(rules: readonly CallRule[]) {
  const spec = { name: "refund", description: "", inputSchema: { type: "object" } };
  const pack = createLocalPack("shop", [
    { spec, call: () => Promise.resolve({ value: "done" }) },
  ]);
  const registry = createRegistry([pack], { log: silent, policy: createPolicy({}, { rules }) });
  const call = (args: Args, options: CallOptions = {}) => {
    return registry.call("shop__refund", args, options).then(() => "made", codeOf);
  };
  return { call, [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]() };
}

function codeOf(error: unknown): string {
  assert.ok(error instanceof PackError, String(error));
  return error.code;
}

/** Counts the turns of timers. */
function countTurns() {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  return { turns: () => turns, [Symbol.dispose]: () => clearInterval(timer) };
}

function waste(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms;);
}

/** Runs `evaluate` before each evaluation of an expression. */
function watched(text: string, evaluate: () => void): CallRule {
  const when = compileWhen(text);
  assert.ok(typeof when === "function");
  return {
    then: "warned",
    when(facts) {
      evaluate();
      return when(facts);
    },
  };
}

Deno.test("other work runs between expressions that take long", async (t) => {
  const long = Array.from({ length: 10_000 }, (_, at) => at);
  const cases: [name: string, text: string, args: Args][] = [
    ["loops over literals", LOOPS, {}],
    ["loops over long lists", "args.l.all(x, args.l.all(y, args.l.all(z, z >= 0.0)))", { l: long }],
    ["a regular expression", "args.text.matches('^(a+)+b$')", { text: "a".repeat(40) }],
  ];
  for (const [name, text, args] of cases) {
    await t.step(name, async () => {
      using counted = countTurns();
      const seen: number[] = [];
      await using registry = openRegistry(
        Array.from({ length: 2 }, () => watched(text, () => seen.push(counted.turns()))),
      );
      const calls = ["r_1", "r_2", "r_1", "r_2"].map((run) => registry.call(args, origin(run)));
      assert.deepEqual(new Set(await Promise.all(calls)), new Set(["needs_confirmation"]));
      assert.deepEqual([seen.length, new Set(seen).size], [8, 8], String(seen));
    });
  }
});

Deno.test("other work runs between many expressions that take a little each", async () => {
  using counted = countTurns();
  const last = { turn: -1, endedAt: 0, usedMs: 0 };
  const seen: number[] = [];
  const when = () => {
    const [turn, startedAt] = [counted.turns(), performance.now()];
    // Time between two of one turn is of others who compute beside this thread.
    const used = turn === last.turn ? Math.max(0, last.usedMs - (startedAt - last.endedAt)) : 0;
    seen.push(used);
    waste(4);
    const endedAt = performance.now();
    Object.assign(last, { turn, endedAt, usedMs: used + endedAt - startedAt });
    return false;
  };
  await using registry = openRegistry(Array.from({ length: 10 }, () => ({ when, then: "ask" })));
  const origins = Array.from({ length: 10 }, () => origin("r_1"));
  await Promise.all(origins.map((options) => registry.call({}, options)));
  assert.ok(seen.length === 100 && seen.every((usedMs) => usedMs < 20), String(seen));
});

Deno.test("an expression that used its time is not tried again for the call", () => {
  const reads: number[] = [];
  const args = {
    get l() {
      const { user, system } = threadCpuUsage();
      reads.push(user + system);
      return [1];
    },
  };
  const when = compileWhen(`args.l.all(x, ${LOOPS})`);
  assert.ok(typeof when === "function");
  const about = { server: "s", client: "cli", project: "/p", effect: "read" as const };
  assert.throws(() => when({ args: args as unknown as Args, tool: "shop.refund", ...about }));
  const used = reads.slice(1).map((at, index) => at - (reads[index] ?? 0));
  // One that had no processor is: less than half of its time of 100 ms, counted in steps of 10 ms.
  assert.ok(reads.length > 0 && used.every((us) => us < 70_000), String(used));
});

Deno.test("runs take turns: one call waits for one of a run with many", async () => {
  const evaluated: string[] = [];
  const when: CallRule["when"] = ({ args }) => {
    evaluated.push(String(args.from));
    waste(SLOW_MS);
    return false;
  };
  await using registry = openRegistry([{ when, then: "ask" }]);
  const many = Array.from({ length: 8 }, () => registry.call({ from: "many" }, origin("r_1")));
  const one = registry.call({ from: "one" }, origin("r_2"));
  assert.deepEqual(new Set(await Promise.all([one, ...many])), new Set(["made"]));
  assert.ok(evaluated.indexOf("one") <= 2, String(evaluated));
});

Deno.test("the end of a run ends its calls that wait for an expression", async () => {
  const ended = new AbortController();
  let evaluations = 0;
  const when = () => {
    evaluations++;
    waste(SLOW_MS);
    return false;
  };
  await using registry = openRegistry([{ when, then: "ask" }]);
  const options = { ...origin("r_1"), signal: ended.signal };
  const calls = Array.from({ length: 8 }, () => registry.call({}, options));
  await Promise.race(calls);
  ended.abort();
  const codes = await Promise.all(calls);
  assert.ok(codes.filter((code) => code === "cancelled").length >= 6, String(codes));
  assert.ok(evaluations <= 2, `${evaluations} evaluations`);
});

/** Options of a call of this run. */
function origin(run: string): CallOptions {
  return { origin: { run } };
}
