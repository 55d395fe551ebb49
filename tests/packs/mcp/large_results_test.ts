/** Large results of servers: what is taken, what is refused, and that other work goes on meanwhile. */

import assert from "node:assert/strict";
import { hostileCommand, stdioServer } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

const server = stdioServer({ name: "hostile", ...hostileCommand() });
const MEGABYTES = 1_000_000;

Deno.test("a result of ten megabytes is taken, and other work runs while it is read", async (t) => {
  for (const what of ["large value", "large text"]) {
    await t.step(what, async () => {
      await using harness = await startPack(server);
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const { value } = await harness.pack.call("call", { what, count: 10 * MEGABYTES }, {});
      clearInterval(timer);
      const { a } = value as { a: unknown[] };
      assert.equal(a.length, 10 * MEGABYTES / 10);
      assert.deepEqual(a.at(-1), { a: [] });
      assert.ok(turns > 20, `${turns} turns`);
    });
  }
});

Deno.test("a longer answer is refused before it is read, and the server stays", async (t) => {
  await using harness = await startPack(server);
  const { pid } = (await harness.pack.call("call", { what: "process" }, {})).value as {
    pid: number;
  };
  for (const what of ["large value", "large text", "large value, its id behind"]) {
    await t.step(what, async () => {
      await assert.rejects(harness.pack.call("call", { what, count: 30 * MEGABYTES }, {}), {
        code: "too_large",
        message: 'Cannot call "hostile.call": its answer is over 24 MB: ask it for less',
      });
    });
  }
  const { value } = await harness.pack.call("call", { what: "process" }, {});
  assert.deepEqual(value, { pid });
});

Deno.test("a server that sends a large notification is ended", async (t) => {
  for (const what of ["large log", "large batch"]) {
    await t.step(what, async () => {
      await using harness = await startPack(server);
      const call = harness.pack.call("call", { what, count: 5 * MEGABYTES }, {});
      await assert.rejects(call, { code: "unavailable" });
    });
  }
});
