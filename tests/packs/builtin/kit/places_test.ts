/** Places of a pack's calls: one run leaves some to the others. */

import { deepEqual, rejects } from "node:assert/strict";
import { createSemaphore } from "#base";
import type { Args } from "#packs";
import { createBuiltinPack, defineTool } from "../../../../packs/builtin/kit/mod.ts";
import { text } from "../../../../packs/builtin/kit/params.ts";

/** A pack whose calls end by `end`; `begun` has the names of those that work or did. */
function waitingPack() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits",
    params: { name: text("Its name") },
    effect: "read",
    run: ({ name }) => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
  });
  const pack = createBuiltinPack("p", [tool], {
    description: "",
    places: createSemaphore(3, 2),
  });
  const call = (name: string, run: string, signal?: AbortSignal) => {
    return pack.call("wait", { name } as Args, { signal, origin: { run } });
  };
  return { begun, call, end: (name: string) => ends.get(name)?.() };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("calls of one run leave a place to those of another", async () => {
  const { begun, call, end } = waitingPack();
  const calls = ["a1", "a2", "a3", "a4"].map((name) => call(name, "r_a"));
  calls.push(call("b1", "r_b"));
  await settle();
  deepEqual(begun, ["a1", "a2", "b1"]);
  end("b1");
  await settle();
  deepEqual(begun, ["a1", "a2", "b1"]);
  end("a2");
  await settle();
  deepEqual(begun, ["a1", "a2", "b1", "a3"]);
  for (const name of ["a1", "a3", "a4"]) {
    end(name);
    await settle();
  }
  deepEqual((await Promise.all(calls)).map(({ value }) => value), ["a1", "a2", "a3", "a4", "b1"]);
});

Deno.test("a call that waits for a place ends with its run", async () => {
  const { begun, call, end } = waitingPack();
  const run = new AbortController();
  const calls = ["a1", "a2", "a3"].map((name) => call(name, "r_a", run.signal));
  const ends = Promise.allSettled(calls);
  await settle();
  run.abort();
  await rejects(calls[2] ?? Promise.resolve(), { name: "PackError", code: "cancelled" });
  for (const name of ["a1", "a2"]) end(name);
  await ends;
  deepEqual(begun, ["a1", "a2"]);
});
