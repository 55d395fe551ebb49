/** Lifeline: every transition of its state, and the races between them. */

import assert from "node:assert/strict";
import {
  connected,
  crash,
  createStage,
  type Resource,
  type Stage,
  timers,
  turns,
} from "./stage.ts";

Deno.test("Lifeline waits at disposal for every resource that is being closed", async (t) => {
  const ways: Record<string, (stage: Stage, resource: Resource) => void> = {
    "dropped": ({ life }, resource) => life.drop(resource, "dead"),
    "replaced": ({ life }, resource) => {
      life.retire();
      life.release(resource);
    },
    "in use": () => {},
  };
  for (const [name, end] of Object.entries(ways)) {
    await t.step(name, async () => {
      const stage = createStage({ slowClose: true });
      end(stage, await connected(stage));
      let disposals = 0;
      const disposed = [1, 2].map(() => stage.life[Symbol.asyncDispose]().then(() => disposals++));
      await turns();
      assert.equal(disposals, 0);
      stage.closed.resolve();
      await Promise.all(disposed);
    });
  }
});

Deno.test("Lifeline.dueMs() doubles with each failure in a row, up to a limit", async () => {
  const stage = createStage();
  const { life } = stage;
  assert.equal(life.dueMs(), 0);
  const delays: number[][] = [];
  for (let failures = 1; failures <= 8; failures++) {
    const refused = assert.rejects(life.acquire(stage.signal), /refused/);
    await stage.refuse();
    await refused;
    delays.push([life.dueMs(), life.dueMs(1)]);
  }
  assert.deepEqual(delays.slice(0, 3), [[500, 0], [1_000, 500], [2_000, 1_000]]);
  assert.deepEqual(delays.at(-1), [30_000, 30_000]);
  stage.clock = 29_000;
  assert.deepEqual([life.dueMs(), life.delayMs()], [1_000, 30_000]);
  stage.clock = 31_000;
  assert.deepEqual([life.dueMs(), life.delayMs()], [0, 30_000]);
  await life[Symbol.asyncDispose]();
});

Deno.test("Lifeline.dueMs() begins again after a sound life", async (t) => {
  const lives: Record<string, (stage: Stage, resource: Resource) => unknown> = {
    "a long one": (stage) => stage.clock += 30_001,
    "one of which its user says so": ({ life }) => life.sound(),
  };
  for (const [name, live] of Object.entries(lives)) {
    await t.step(name, async () => {
      const stage = createStage();
      for (let crashes = 0; crashes < 3; crashes++) await crash(await connected(stage));
      assert.equal(stage.life.dueMs(), 2_000);
      const resource = await connected(stage);
      assert.equal(stage.life.dueMs(), 2_000);
      live(stage, resource);
      await crash(resource);
      assert.equal(stage.life.dueMs(), 500);
      await stage.life[Symbol.asyncDispose]();
    });
  }
  await t.step("one that ended idle", async () => {
    const stage = createStage({ idleMs: 0 });
    await crash(await connected(stage));
    assert.equal(stage.life.dueMs(), 500);
    stage.life.release(await connected(stage));
    await timers();
    assert.equal(stage.life.dueMs(), 0);
  });
});
