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
  const places = createSemaphore(1, 1);
  await rejects(places.acquire(AbortSignal.abort(new Error("stopped")), undefined), /stopped/);
  const leave = await places.acquire(undefined, undefined);
  const stop = new AbortController();
  const waiting = places.acquire(stop.signal, undefined);
  stop.abort(new Error("left"));
  await rejects(waiting, /left/);
  leave();
  equal(typeof await places.acquire(undefined, undefined), "function");
});

Deno.test("createSemaphore() frees one place, however often it is left", async () => {
  const places = createSemaphore(1, 1);
  const leave = await places.acquire(undefined, undefined);
  leave();
  leave();
  await places.acquire(undefined, undefined);
  let isIn = false;
  void places.acquire(undefined, undefined).then(() => isIn = true);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  equal(isIn, false);
});

Deno.test("createSemaphore() gives owners turns, and one that leaves keeps none", async () => {
  const places = createSemaphore(1, 1);
  const entered: string[] = [];
  const stop = new AbortController();
  const enter = async (name: string, owner: string | undefined, signal?: AbortSignal) => {
    using _place = await places.acquire(signal, owner);
    entered.push(name);
  };
  const first = await places.acquire(undefined, "a");
  const waiting = ["a2", "a3", "a4", "b1", "b2"].map((name) => enter(name, name[0]));
  const left = enter("d1", "d", stop.signal);
  waiting.push(enter("nobody 1", undefined), enter("nobody 2", undefined), enter("a5", "a"));
  stop.abort(new Error("left"));
  await rejects(left, /left/);
  first();
  await Promise.all(waiting);
  deepEqual(entered, ["b1", "nobody 1", "nobody 2", "a2", "b2", "a3", "a4", "a5"]);
});

Deno.test("createSemaphore() lets all in that wait before one that was there comes again", async () => {
  const places = createSemaphore(2, 1);
  const entered: string[] = [];
  const held = [await places.acquire(undefined, "a"), await places.acquire(undefined, "c")];
  const waiting = ["a2", "a3", "c2", "c3", "b1", "d1"].map(async (name) => {
    using _place = await places.acquire(undefined, name[0]);
    entered.push(name);
    await Promise.resolve();
  });
  for (const leave of held) leave();
  await Promise.all(waiting);
  deepEqual(entered.slice(0, 2), ["b1", "d1"]);
});
