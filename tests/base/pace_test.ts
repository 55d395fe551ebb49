import assert from "node:assert/strict";
import { createPace } from "#base";

/** Takes as long as work after which other work has its time. */
function slow<T>(value: T): T {
  for (const start = performance.now(); performance.now() - start < 25;);
  return value;
}

Deno.test("createPace() does work in turns, and settles as the work does", async () => {
  const pace = createPace();
  assert.equal(await pace(() => "at once"), "at once");
  const fail = () => {
    throw new TypeError(slow("it failed"));
  };
  const clients = ["a", "a", "b"];
  const done: string[] = [];
  const results = await Promise.allSettled([
    pace(fail, { client: "a" }),
    pace(fail, { client: "a" }),
    ...clients.map((client) => pace(() => slow(done.push(client)), { client })),
  ]);
  assert.deepEqual(results.map(({ status }) => status === "fulfilled"), [
    false,
    false,
    true,
    true,
    true,
  ]);
  assert.deepEqual(done, ["b", "a", "a"]);
});

Deno.test("createPace() drops work whose signal is aborted, and goes on", async () => {
  const pace = createPace();
  const stop = new AbortController();
  const done: string[] = [];
  const work = (name: string) => () => slow(done.push(name));
  const dropped = [
    pace(work("first")),
    pace(work("dropped"), stop),
    pace(work("last")),
  ];
  stop.abort(new Error("It has ended"));
  await assert.rejects(pace(work("late"), stop), /It has ended/);
  const results = await Promise.allSettled(dropped);
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(done, ["first", "last"]);
});
