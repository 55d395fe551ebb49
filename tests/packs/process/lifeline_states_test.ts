/** Transitions of `Lifeline`: from each state, by each event. */

import assert from "node:assert/strict";
import { connected, crash, createStage, type Stage, timers, turns } from "./stage.ts";

interface Row {
  readonly run: (stage: Stage) => Promise<unknown>;
  readonly events: readonly string[];
  readonly idleMs?: number;
}

const CONNECT = ["connecting", "open", "connected"];

const REPLACED = "close 1: it was replaced";

const ENDING = "close 1: the gateway is ending";

const TRANSITIONS = {
  "new, acquire: connecting, connected": {
    run: connected,
    events: CONNECT,
  },
  "new, dispose: ended": {
    run: ({ life }) => life[Symbol.asyncDispose](),
    events: ["ended"],
  },
  "connecting, refused: failed; acquire tries again": {
    async run(stage) {
      const refused = assert.rejects(stage.life.acquire(stage.signal), /refused/);
      await stage.refuse();
      await refused;
      await connected(stage);
    },
    events: ["connecting", "open", "failed", ...CONNECT],
  },
  "connecting, a second acquire: one attempt, two users": {
    async run(stage) {
      const both = [stage.life.acquire(stage.signal), stage.life.acquire(stage.signal)];
      await stage.connect();
      const [first, second] = await Promise.all(both);
      assert.ok(first && first === second);
      stage.life.retire();
      stage.life.release(first);
      assert.ok(!stage.events.includes(REPLACED));
      stage.life.release(first);
    },
    events: [...CONNECT, "idle", REPLACED],
  },
  "connecting, one of two acquirers aborted: the other gets the resource": {
    async run(stage) {
      const stop = new AbortController();
      const aborted = assert.rejects(stage.life.acquire(stop.signal), /stopped/);
      const acquiring = stage.life.acquire(stage.signal);
      stop.abort(new Error("stopped"));
      await aborted;
      await stage.connect();
      stage.life.rest();
      stage.life.release(await acquiring);
      assert.equal(stage.life.state.kind, "connected");
      stage.life.rest();
    },
    events: [...CONNECT, "idle", REPLACED],
  },
  "connecting, the only acquirer aborted: connected without users": {
    async run(stage) {
      const stop = new AbortController();
      const aborted = assert.rejects(stage.life.acquire(stop.signal), /stopped/);
      stop.abort(new Error("stopped"));
      await aborted;
      await stage.connect();
      stage.life.rest();
    },
    events: [...CONNECT, "idle", REPLACED],
  },
  "connecting, rest() and retire(): no effect": {
    async run(stage) {
      const acquiring = stage.life.acquire(stage.signal);
      stage.life.rest();
      stage.life.retire();
      await stage.connect();
      await acquiring;
    },
    events: CONNECT,
  },
  "connecting, dispose: the attempt is awaited, and its resource is closed": {
    async run(stage) {
      const rejected = assert.rejects(stage.life.acquire(stage.signal), { name: "AbortError" });
      await turns();
      let isDone = false;
      const disposed = stage.life[Symbol.asyncDispose]().then(() => isDone = true);
      await turns();
      assert.equal(isDone, false);
      await stage.connect();
      await rejected;
      await disposed;
    },
    events: ["connecting", "open", "ended", ENDING],
  },
  "connecting, dispose before open: nothing is opened": {
    async run(stage) {
      const rejected = assert.rejects(stage.life.acquire(stage.signal), { name: "AbortError" });
      await stage.life[Symbol.asyncDispose]();
      await rejected;
    },
    events: ["connecting", "ended"],
  },
  "connected, drop while a second acquire returns: the release of both has no effect": {
    async run(stage) {
      const first = await connected(stage);
      const acquiring = stage.life.acquire(stage.signal);
      stage.life.drop(first, "dead");
      stage.life.release(await acquiring);
      stage.life.release(first);
      stage.life.drop(first, "dead again");
      assert.ok(!stage.life.has(first));
    },
    events: [...CONNECT, "lost", "close 1: dead"],
  },
  "connected, drop: the next acquire makes another, which a late release of the first leaves": {
    async run(stage) {
      const first = await connected(stage);
      stage.life.drop(first, "dead");
      const second = await connected(stage);
      stage.life.release(first);
      stage.life.rest();
      assert.ok(stage.life.has(second));
    },
    events: [...CONNECT, "lost", "close 1: dead", ...CONNECT],
  },
  "connected, crash: lost, with the resource and its reason": {
    async run(stage) {
      const resource = await connected(stage);
      await crash(resource);
      assert.deepEqual(stage.life.state, { kind: "lost", resource, reason: "crashed" });
      stage.life.release(resource);
    },
    events: [...CONNECT, "lost"],
  },
  "connected, retire: closed with its last user, beside the next one": {
    async run(stage) {
      const first = await connected(stage);
      stage.life.retire(first);
      const second = await connected(stage);
      stage.life.retire(first);
      assert.ok(stage.life.has(second));
      stage.life.release(first);
    },
    events: [...CONNECT, "idle", ...CONNECT, REPLACED],
  },
  "connected, cut: closed with the replaced one, users or not": {
    async run(stage) {
      const first = await connected(stage);
      stage.life.retire(first);
      await connected(stage);
      stage.life.cut("cut");
      stage.life.release(first);
    },
    events: [...CONNECT, "idle", ...CONNECT, "idle", "close 1: cut", "close 2: cut"],
  },
  "replaced, crash: the one in use is left": {
    async run(stage) {
      const first = await connected(stage);
      stage.life.retire(first);
      const second = await connected(stage);
      await crash(first);
      stage.life.release(first);
      assert.ok(stage.life.has(second));
      assert.equal(stage.life.dueMs(), 0);
    },
    events: [...CONNECT, "idle", ...CONNECT],
  },
  "connected and replaced, dispose: both are closed": {
    async run(stage) {
      stage.life.retire(await connected(stage));
      await connected(stage);
      await stage.life[Symbol.asyncDispose]();
    },
    events: [...CONNECT, "idle", ...CONNECT, ENDING, "close 2: the gateway is ending", "ended"],
  },
  "connected, idle time over: idle": {
    idleMs: 0,
    async run(stage) {
      stage.life.release(await connected(stage));
      await timers();
    },
    events: [...CONNECT, "idle", REPLACED],
  },
  "connected, idle time over while acquired: stays": {
    idleMs: 0,
    async run(stage) {
      const resource = await connected(stage);
      stage.life.release(resource);
      assert.equal(await stage.life.acquire(stage.signal), resource);
      await timers();
    },
    events: CONNECT,
  },
  "connected, crash while the idle timer runs: lost, and the next one stays": {
    idleMs: 0,
    async run(stage) {
      const first = await connected(stage);
      stage.life.release(first);
      await crash(first);
      await connected(stage);
      await timers();
    },
    events: [...CONNECT, "lost", ...CONNECT],
  },
  "connected, dispose while the idle timer runs: closed once": {
    idleMs: 0,
    async run(stage) {
      stage.life.release(await connected(stage));
      await stage.life[Symbol.asyncDispose]();
      await timers();
    },
    events: [...CONNECT, ENDING, "ended"],
  },
  "ended: acquire, retire, rest, drop and dispose change nothing": {
    async run(stage) {
      const resource = await connected(stage);
      const { life } = stage;
      await life[Symbol.asyncDispose]();
      await assert.rejects(life.acquire(stage.signal), { name: "AbortError" });
      life.retire();
      life.rest();
      life.drop(resource, "dead");
      life.release(resource);
      await life[Symbol.asyncDispose]();
    },
    events: [...CONNECT, ENDING, "ended"],
  },
} satisfies Record<string, Row>;

Deno.test("Lifeline changes its state as the table says", async (t) => {
  for (const [name, { run, events, idleMs }] of Object.entries<Row>(TRANSITIONS)) {
    await t.step(name, async () => {
      const stage = createStage({ idleMs });
      await run(stage);
      await turns();
      assert.deepEqual(stage.events, events);
      await stage.life[Symbol.asyncDispose]();
    });
  }
});
