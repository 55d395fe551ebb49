/** Bounds of subscriptions to resources. */

import assert from "node:assert/strict";
import { sleep } from "#base";
import type { ServerPack } from "#packs";
import { createWatches } from "../../../../gateway/mcp/direct/watches.ts";

/** A server that takes a moment for each subscription. */
function openStage() {
  const counts = { now: 0, most: 0, begun: 0, ended: 0 };
  const logged: string[] = [];
  async function step(): Promise<void> {
    counts.most = Math.max(counts.most, ++counts.now);
    await sleep(0);
    counts.now--;
  }
  const server = {
    name: "one",
    async watch() {
      counts.begun++;
      await step();
      return async () => {
        counts.ended++;
        await step();
      };
    },
  } as unknown as ServerPack;
  const watches = createWatches({
    asking: [],
    log: (level, message) => void logged.push(`${level}: ${message}`),
    candidates: () => Promise.resolve([server]),
  });
  return { watches, counts, logged };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(1);
}

Deno.test("subscriptions begin and end eight at a time", async () => {
  const { watches, counts } = openStage();
  const stops = Array.from({ length: 100 }, (_, at) => watches.watch(`a://${at}`));
  await until(() => counts.begun === 100 && counts.now === 0);
  for (const stop of stops) stop();
  await until(() => counts.ended === 100 && counts.now === 0);
  assert.equal(counts.most, 8);
  await watches[Symbol.asyncDispose]();
});

Deno.test("resources over 1,000 and long URIs are not watched, until others end", async () => {
  const { watches, counts, logged } = openStage();
  const stops = Array.from({ length: 1_000 }, (_, at) => watches.watch(`a://${at}`));
  const refused = "warning: Changes of a resource are not reported";
  watches.watch("a://more")();
  watches.watch(`a://${"x".repeat(8_000)}`);
  assert.deepEqual(logged, [refused, refused]);
  assert.equal(watches.isWatched("a://more"), false);
  watches.watch("a://0"); // one that is watched already
  stops[1]?.();
  watches.watch("a://more");
  assert.equal(watches.isWatched("a://more"), true);
  assert.equal(logged.length, 2);
  await watches[Symbol.asyncDispose]();
  assert.equal(counts.begun, 1_001);
  assert.equal(counts.ended, 1_001);
});
