/** Bounds of what connections to PostgreSQL receive. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { idle } from "#base";
import { createTraffic } from "../../../../../packs/builtin/db/postgres/traffic.ts";

const MB = 2 ** 20;

/** A stream as the driver has it, with what was done to it. */
class Fake extends EventEmitter {
  flows = true;
  isDestroyed = false;
  pause() {
    this.flows = false;
  }
  resume() {
    this.flows = true;
  }
  destroy() {
    this.isDestroyed = true;
  }
}

/** Opens a bounded stream. */
function openStream(
  traffic: ReturnType<typeof createTraffic>,
  { maxBytes = 8 * MB, run, driver = () => {} }: {
    readonly maxBytes?: number;
    readonly run?: string;
    readonly driver?: () => void;
  } = {},
) {
  const stream = new Fake();
  const stopped: unknown[] = [];
  const bound = traffic.bound(run, (reason) => stopped.push(reason));
  bound.guard(stream).on("data", driver);
  bound.open(maxBytes);
  const send = (...pieces: Uint8Array[]) => pieces.forEach((piece) => stream.emit("data", piece));
  return { stream, stopped, bound, send };
}

/** A message of a copy, without what does not come. */
function message(length: number, sent = length): Uint8Array {
  const bytes = new Uint8Array(1 + sent);
  bytes[0] = "d".charCodeAt(0);
  new DataView(bytes.buffer).setUint32(1, length);
  return bytes;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("connections of one run leave some to those of another", async () => {
  const { enter } = createTraffic();
  const { signal } = new AbortController();
  let entered = 0;
  const places = Array.from({ length: 10 }, () => enter(signal, "r_a"));
  for (const place of places) void place.then(() => entered++);
  (await enter(signal, "r_b"))[Symbol.dispose]();
  await settled();
  assert.equal(entered, 6);
  (await places[0])?.[Symbol.dispose]();
  await settled();
  assert.equal(entered, 7);
});

Deno.test("large results of one run that come slowly hold up none of another", async () => {
  const traffic = createTraffic();
  const streams = ["r_a", "r_a", "r_a", "r_b"].map((run) => openStream(traffic, { run }));
  for (const { send } of streams) send(message(MB));
  await settled();
  assert.deepEqual(streams.map(({ stream }) => stream.flows), [true, false, false, true]);
});

/** Opens streams of a run each that have received more than 1 MB. */
function openLarge(traffic: ReturnType<typeof createTraffic>, count: number) {
  const streams = Array.from({ length: count }, () => openStream(traffic));
  for (const { send } of streams) send(message(MB));
  const flows = () => streams.map(({ stream }) => stream.flows);
  return { streams, flows };
}

Deno.test("two connections at a time receive more than 1 MB", async () => {
  const traffic = createTraffic();
  const { streams, flows } = openLarge(traffic, 4);
  await settled();
  assert.deepEqual(flows(), [true, true, false, false]);
  const small = openStream(traffic);
  small.send(message(MB - 1));
  await settled();
  assert.ok(small.stream.flows);
  streams[2]?.bound[Symbol.dispose]();
  await settled();
  assert.deepEqual(flows(), [true, true, true, false]);
  streams[0]?.bound[Symbol.dispose]();
  await settled();
  assert.deepEqual(flows(), [true, true, true, true]);
});

Deno.test("a turn that comes when its connection has ended goes on to the next", async () => {
  const { streams, flows } = openLarge(createTraffic(), 4);
  await settled();
  streams[0]?.bound[Symbol.dispose]();
  streams[2]?.bound[Symbol.dispose]();
  await settled();
  assert.ok(flows()[3]);
});

Deno.test("other work runs between pieces that take the driver long", async (t) => {
  const busy = () => {
    for (const begun = performance.now(); performance.now() - begun < 30;);
  };
  await t.step("as often as they do", async () => {
    const { stream, send } = openStream(createTraffic(), { driver: busy });
    for (let pieces = 0; pieces < 3; pieces++) {
      send(message(MB / 8));
      assert.ok(!stream.flows);
      await idle();
      await settled();
      assert.ok(stream.flows);
    }
  });
  await t.step("and a large result still waits for its turn", async () => {
    const traffic = createTraffic();
    openLarge(traffic, 2);
    const { stream, send, bound } = openStream(traffic, { driver: busy });
    send(message(MB));
    await idle();
    await settled();
    assert.ok(!stream.flows);
    bound[Symbol.dispose]();
    await settled();
    assert.ok(stream.flows);
  });
});

Deno.test("a connection ends at the head of a message that does not fit", () => {
  const whole = message(9 * MB, 10);
  for (let cut = 1; cut < whole.length; cut++) {
    const { send, stream, stopped } = openStream(createTraffic());
    send(message(4), message(300));
    assert.ok(!stream.isDestroyed);
    send(whole.slice(0, cut), whole.slice(cut));
    assert.ok(stream.isDestroyed, `cut after ${cut} bytes`);
    assert.match(String(stopped[0]), /larger than max_result_mb/);
  }
});

Deno.test("what looks like a head within a message is none", () => {
  const { send, stream } = openStream(createTraffic());
  const inner = new Uint8Array(1_005).fill(255);
  inner.set(message(1_004, 4));
  send(inner.slice(0, 500), inner.slice(500), message(4), inner);
  assert.ok(!stream.isDestroyed);
});

Deno.test("a connection ends when all messages together do not fit", () => {
  const { send, stream } = openStream(createTraffic(), { maxBytes: 5_000 });
  for (let count = 0; count < 8; count++) send(message(1_200));
  assert.ok(!stream.isDestroyed);
  send(message(1_200));
  assert.ok(stream.isDestroyed);
});

Deno.test("eight connections are in use at once", async () => {
  const traffic = createTraffic();
  const { signal } = new AbortController();
  const held = await Promise.all(Array.from({ length: 8 }, () => traffic.enter(signal, undefined)));
  const ended = new AbortController();
  const left = traffic.enter(ended.signal, undefined);
  let entered = false;
  const next = traffic.enter(signal, undefined).then(() => entered = true);
  ended.abort(new Error("left"));
  await assert.rejects(left, /left/);
  assert.ok(!entered);
  held[0]?.[Symbol.dispose]();
  await next;
});
