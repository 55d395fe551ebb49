import assert from "node:assert/strict";
import { abortable, createQueue, once, shared, sleep, within } from "#base";

const never = new Promise<never>(() => {});

Deno.test("abortable() settles as its promise does", async () => {
  const { signal } = new AbortController();
  assert.equal(await abortable(Promise.resolve(1), signal), 1);
  await assert.rejects(abortable(Promise.reject(new RangeError("own")), signal), RangeError);
});

Deno.test("abortable() rejects with the signal's reason, before and while it waits", async () => {
  const stop = new AbortController();
  const waiting = assert.rejects(abortable(never, stop.signal), /stopped/);
  stop.abort(new Error("stopped"));
  await waiting;
  await assert.rejects(abortable(never, stop.signal), /stopped/);
  await assert.rejects(abortable(Promise.resolve(1), stop.signal), /stopped/);
});

Deno.test("abortable() calls onAbort once, and only when the signal comes first", async () => {
  const stop = new AbortController();
  let calls = 0;
  const onAbort = () => new RangeError(`abort ${++calls}`);
  await abortable(Promise.resolve(1), stop.signal, { onAbort });
  const waiting = assert.rejects(abortable(never, stop.signal, { onAbort }), RangeError);
  stop.abort();
  await waiting;
  assert.equal(calls, 1);
});

Deno.test("abortable() handles a later rejection of its promise", async () => {
  const late = Promise.withResolvers<never>();
  await assert.rejects(abortable(late.promise, AbortSignal.abort(new Error("stopped"))), /stopped/);
  late.reject(new Error("an unhandled rejection would fail this test"));
  await sleep(1);
});

Deno.test("within() says whether its promise fulfills in time", async () => {
  assert.equal(await within(Promise.resolve("value"), 60_000), true);
  assert.equal(await within(never, 1), false);
  await assert.rejects(within(Promise.reject(new RangeError("own")), 60_000), RangeError);
});

Deno.test("within() handles a later rejection of its promise", async () => {
  const late = Promise.withResolvers<never>();
  assert.equal(await within(late.promise, 1), false);
  late.reject(new Error("an unhandled rejection would fail this test"));
  await sleep(1);
});

Deno.test("sleep() ends with its signal, and leaves no timer", async () => {
  const stop = new AbortController();
  const waiting = assert.rejects(sleep(60_000, stop.signal), /stopped/);
  stop.abort(new Error("stopped"));
  await waiting;
  await assert.rejects(sleep(0, stop.signal), /stopped/);
  await sleep(-1);
  await sleep(1, new AbortController().signal);
});

Deno.test("createQueue() runs one piece of work at a time, in order", async () => {
  const queue = createQueue();
  const events: string[] = [];
  const work = (name: string, ms: number) => async () => {
    events.push(`${name} begins`);
    await sleep(ms);
    events.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([queue(work("a", 5)), queue(work("b", 0)), queue(() => "c")]);
  assert.deepEqual(results, ["a", "b", "c"]);
  assert.deepEqual(events, ["a begins", "a ends", "b begins", "b ends"]);
});

Deno.test("shared() gives calls during one piece of work the result of the next", async () => {
  const begun: PromiseWithResolvers<string>[] = [];
  const work = shared(() => {
    const one = Promise.withResolvers<string>();
    begun.push(one);
    return one.promise;
  });
  const first = work();
  await sleep(1);
  const later = [work(), work()];
  await sleep(1);
  assert.equal(begun.length, 1);
  begun[0]?.reject(new Error("the first"));
  await assert.rejects(first, /the first/);
  await sleep(1);
  assert.equal(begun.length, 2);
  const last = work();
  begun[1]?.resolve("second");
  assert.deepEqual(await Promise.all(later), ["second", "second"]);
  await sleep(1);
  begun[2]?.resolve("third");
  assert.equal(await last, "third");
});

Deno.test("createQueue() goes on after work that fails, at once or later", async () => {
  const queue = createQueue();
  const failing = [
    queue(() => {
      throw new RangeError("at once");
    }),
    queue(() => Promise.reject(new RangeError("later"))),
  ];
  const after = queue(() => "after");
  for (const result of failing) await assert.rejects(result, RangeError);
  assert.equal(await after, "after");
});

Deno.test("once() runs its action at the first call only", () => {
  let calls = 0;
  const action = once(() => calls++);
  action();
  action();
  assert.equal(calls, 1);
});
