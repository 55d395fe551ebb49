import { deepEqual, equal, rejects } from "node:assert/strict";
import { createSemaphore } from "#base";

Deno.test("createSemaphore() lets one owner have its share, and others before those that wait", async () => {
  const places = createSemaphore(3, 1);
  const entered: string[] = [];
  const enter = (owner: string) =>
    places.acquire(undefined, owner).then((leave) => {
      entered.push(owner);
      return leave;
    });
  const first = await enter("a");
  const second = enter("a");
  const other = await enter("b");
  await enter("c");
  const later = enter("d");
  deepEqual(entered, ["a", "b", "c"]);
  other();
  (await later)();
  deepEqual(entered, ["a", "b", "c", "d"]);
  first();
  await second;
  deepEqual(entered, ["a", "b", "c", "d", "a"]);
});

Deno.test("createSemaphore() takes nobody in whose signal is aborted", async () => {
  const places = createSemaphore(1);
  await rejects(places.acquire(AbortSignal.abort(new Error("stopped"))), /stopped/);
  const leave = await places.acquire();
  const stop = new AbortController();
  const waiting = places.acquire(stop.signal);
  stop.abort(new Error("left"));
  await rejects(waiting, /left/);
  leave();
  equal(typeof await places.acquire(), "function");
});

Deno.test("createSemaphore() frees one place, however often it is left", async () => {
  const places = createSemaphore(1);
  const leave = await places.acquire();
  leave();
  leave();
  await places.acquire();
  let isIn = false;
  void places.acquire().then(() => isIn = true);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  equal(isIn, false);
});
