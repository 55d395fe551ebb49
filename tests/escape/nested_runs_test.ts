/** A run and the runs within it keep no place of the sandbox from others. */

import assert from "node:assert/strict";
import { delay, events, openGateway, type TestGateway } from "../support/gateway.ts";
import { openFolders } from "../support/packs.ts";
import { openShop } from "../support/shop.ts";

const DESK = `import { tools } from "toolscript";
export const read = async (): Promise<unknown> => await tools.snippets.page({});
`;

/** Opens a gateway for two runs at a time, whose snippets wait for a page until it is released. */
async function openHeld() {
  const released = Promise.withResolvers<void>();
  let requests = 0;
  const page = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    requests++;
    await released.promise;
    return new Response("late");
  });
  const folders = await openFolders({ project: { "desk/desk_tools.ts": DESK } });
  const gateway = await openGateway({
    sandbox: { concurrent: 2, pool: 1, queue: 4 },
    packs: { web: { allow_private: ["127.0.0.1"] } },
    snippets: {
      page: { body: `web.fetch(url="http://127.0.0.1:${page.addr.port}/").text` },
      quick: { body: "'at once'" },
      outer: { body: "snippets.page()" },
      many: { body: "await Promise.all([1, 2, 3, 4].map(() => snippets.page({})))" },
    },
  }, folders);
  return {
    gateway,
    /** Resolves when the page has been asked for. */
    async held() {
      for (let tries = 0; tries < 1_200 && requests === 0; tries++) await delay(50);
      assert.ok(requests > 0);
    },
    release: () => released.resolve(),
    async [Symbol.asyncDispose]() {
      released.resolve();
      await gateway[Symbol.asyncDispose]();
      await page.shutdown();
      await folders[Symbol.asyncDispose]();
    },
  };
}

async function run(gateway: TestGateway, command: string) {
  return await (await gateway.post("/run", { command })).json();
}

Deno.test("snippets that a program waits for leave the queue to other runs", async (t) => {
  const rows: Readonly<Record<string, readonly [string, number]>> = {
    "many of one": ["Promise.all(Array(12).fill(0).map(() => snippets.page({})))", 12],
    "in two levels": ["Promise.all(Array(6).fill(0).map(() => snippets.outer({})))", 6],
    "each with many": ["Promise.all(Array(6).fill(0).map(() => snippets.many({})))", 6],
    "through a pack": ["Promise.all(Array(6).fill(0).map(() => desk.read({})))", 6],
  };
  for (const [name, [command, count]] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using stage = await openHeld();
      const slow = run(stage.gateway, `(await ${command}).length`);
      await stage.held();
      assert.equal((await run(stage.gateway, "1 + 1")).value, 2);
      const { sandbox } = await (await stage.gateway.fetch("/status")).json();
      assert.deepEqual([sandbox.running, sandbox.queued], [1, 0]);
      stage.release();
      const reply = await slow;
      assert.equal(reply.value, count, reply.text);
    });
  }
});

Deno.test("a run that waits for its snippets leaves places to the snippets of others", async () => {
  await using stage = await openHeld();
  const command = "(await Promise.all(Array(8).fill(0).map(() => snippets.page({})))).length";
  const slow = run(stage.gateway, command);
  await stage.held();
  assert.equal((await run(stage.gateway, "snippets.quick()")).value, "at once");
  stage.release();
  assert.equal((await slow).value, 8);
});

Deno.test("snippets in levels, as many as there are places, end", async () => {
  await using gateway = await openGateway({
    sandbox: { concurrent: 1, pool: 1 },
    snippets: {
      inner: { params: { n: {} }, body: "Number({{ n }}) + 1" },
      outer: { params: { n: {} }, body: 'snippets.inner(n="{{ n }}")' },
      outermost: { params: { n: {} }, body: 'snippets.outer(n="{{ n }}")' },
    },
  });
  const calls = "[1, 2, 3, 4].map((n) => snippets.outermost({ n: String(n) }))";
  const reply = await run(gateway, `await Promise.all(${calls})`);
  assert.deepEqual(reply.value, [2, 3, 4, 5], reply.text);
});

Deno.test("snippets call one another in three levels at most", async (t) => {
  const desk = `import { tools } from "toolscript";
export const again = async (): Promise<unknown> => await tools.snippets.packed({});
`;
  await using folders = await openFolders({ project: { "desk/desk_tools.ts": desk } });
  await using gateway = await openGateway({
    snippets: {
      self: { body: "snippets.self()" },
      twice: { body: "await Promise.all([snippets.twice({}), snippets.twice({})])" },
      packed: { body: "desk.again()" },
    },
  }, folders);
  for (const name of ["self", "twice", "packed"]) {
    await t.step(name, async () => {
      const { error } = await run(gateway, `snippets.${name}()`);
      assert.match(error.message, /3 snippets already wait for one another/);
    });
  }
});

Deno.test("runs that wait for a person leave their places to others", async (t) => {
  const rows = {
    "the program's call": "shop.refund(id=Number(`1`))",
    "the call of a snippet": "snippets.refund(n='1')",
  };
  for (const [name, command] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using shop = await openShop({
        sandbox: { concurrent: 1, pool: 1 },
        snippets: { refund: { params: { n: {} }, body: "shop.refund(id=Number('{{ n }}'))" } },
      });
      const { gateway } = shop;
      const accept = { accept: "application/x-ndjson" };
      for await (const event of events(await gateway.post("/run", { command }, accept))) {
        if (event.type === "result") assert.match(JSON.stringify(event), /declined/);
        if (event.type !== "confirm") continue;
        assert.equal((await run(gateway, "1 + 1")).value, 2);
        const answer = await gateway.post(`/confirm/${event.id}`, { allow: "no" });
        assert.equal(answer.status, 200, await answer.text());
      }
      await gateway.idle();
      assert.equal((await run(gateway, "2 + 2")).value, 4);
    });
  }
});
