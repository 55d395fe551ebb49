import { deepEqual, equal, rejects } from "node:assert/strict";
import {
  type CallOptions,
  createLocalPack,
  createPolicy,
  createRegistry,
  type LocalTool,
  PackError,
  type PolicyLists,
} from "#packs";

/** A registry of tools that fail `failures` times. */
function open(failures: number, { lists = {}, retryable = true }: {
  readonly lists?: PolicyLists;
  readonly retryable?: boolean;
} = {}) {
  const times: number[] = [];
  const tool = (name: string, annotations: Record<string, boolean>): LocalTool => ({
    spec: { name, description: "", inputSchema: { type: "object" }, annotations },
    call: () => {
      times.push(performance.now());
      if (times.length > failures) return Promise.resolve({ value: "done" });
      return Promise.reject(new PackError("tool_error", `failure ${times.length}`, { retryable }));
    },
  });
  const pack = createLocalPack("shop", [
    tool("get", { readOnlyHint: true }),
    tool("put", { idempotentHint: true }),
    tool("buy", {}),
    tool("drop", { readOnlyHint: true, destructiveHint: true }),
  ]);
  const registry = createRegistry([pack], { log: () => {}, policy: createPolicy(lists) });
  return {
    times,
    call: (wire: string, options: CallOptions = {}) => registry.call(wire, {}, options),
  };
}

Deno.test("Registry.call() repeats a call that reads, with growing pauses", async () => {
  const { call, times } = open(2);
  equal((await call("shop__get", { retry: 2 })).value, "done");
  const [first = 0, second = 0, third = 0] = times;
  equal(times.length, 3);
  equal(second - first >= 99 && third - second >= 199, true, String(times));
});

Deno.test("Registry.call() repeats what is idempotent, and nothing else that changes", async () => {
  equal((await open(1).call("shop__put", { retry: 1 })).value, "done");
  for (const wire of ["shop__buy", "shop__drop"]) {
    const { call, times } = open(1);
    await rejects(call(wire, { retry: 5 }), /failure 1/);
    equal(times.length, 1);
  }
});

Deno.test("Registry.call() repeats as often as it is told, and only what may pass", async () => {
  const often = open(9);
  await rejects(often.call("shop__get", { retry: 1 }), /failure 2/);
  equal(often.times.length, 2);
  const final = open(9, { retryable: false });
  await rejects(final.call("shop__get", { retry: 5 }), /failure 1/);
  equal(final.times.length, 1);
  const once = open(9);
  await rejects(once.call("shop__get"), /failure 1/);
  equal(once.times.length, 1);
});

Deno.test("Registry.call() asks once for a call and its repetitions", async () => {
  const { call } = open(1, { lists: { ask: ["shop.get"] } });
  const questions: string[] = [];
  const ask: CallOptions["ask"] = ({ tool }) => {
    questions.push(tool);
    return Promise.resolve("allowed");
  };
  equal((await call("shop__get", { retry: 1, ask })).value, "done");
  deepEqual(questions, ["shop.get"]);
});

Deno.test("Registry.call() does not repeat what is blocked", async () => {
  const { call, times } = open(0, { lists: { blocked: ["shop.get"] } });
  await rejects(call("shop__get", { retry: 3 }), { code: "blocked" });
  equal(times.length, 0);
});

Deno.test("Registry.call() ends the pause before a repetition with its signal", async () => {
  const { call, times } = open(9);
  const stop = new AbortController();
  const called = setInterval(() => times.length > 0 && stop.abort(), 1);
  await rejects(call("shop__get", { retry: 10, signal: stop.signal }), /failure 1/);
  clearInterval(called);
  equal(times.length, 1);
});
