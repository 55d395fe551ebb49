/** Sizes of lists that a server sends, and the time that it takes. */

import assert from "node:assert/strict";
import { type JsonObject, silent, sleep } from "#base";
import type { ServerPack } from "#packs";
import { createShortNames } from "../../../../gateway/mcp/direct/short_names.ts";
import { gather, type ListKind, LISTS } from "../../../../gateway/mcp/direct/catalogue.ts";

/** A server whose list has these pages. */
function serverOf(kind: ListKind, pages: readonly (readonly JsonObject[])[]): ServerPack {
  return {
    name: "large",
    capabilities: () => Promise.resolve({ [LISTS[kind].capability]: {} }),
    request(_method: string, { cursor = "0" }: { cursor?: string }) {
      const page = Number(cursor);
      const nextCursor = page + 1 < pages.length ? `${page + 1}` : undefined;
      return Promise.resolve({ [kind]: pages[page], nextCursor });
    },
  } as unknown as ServerPack;
}

/** Servers that took too long, and how many of them have started since. */
function patience() {
  const started = { count: 0 };
  const late = new WeakMap<ServerPack, number>();
  return { started, late, onLateStart: () => void started.count++ };
}

const FILLS: Readonly<Record<string, (size: number) => JsonObject[string]>> = {
  "a long text": (size) => "x".repeat(size),
  "many lists": (size) => Array.from({ length: size / 3 }, () => []),
  "many keys": (size) =>
    Object.fromEntries(Array.from({ length: size / 12 }, (_, at) => [`key${at}`, 1])),
};

for (const kind of Object.keys(LISTS) as ListKind[]) {
  for (const [name, fill] of Object.entries(FILLS)) {
    Deno.test(`gather() bounds ${kind} of ${name}`, async () => {
      const entry = (at: number, size: number) => ({
        name: `n${at}`,
        [LISTS[kind].id]: `u:${at}`,
        description: fill(size),
      });
      const pages = [
        [entry(0, 10), entry(1, 600_000), entry(2, 10)],
        ...Array.from({ length: 60 }, (_, at) => [entry(at + 3, 120_000)]),
      ];
      const { signal } = new AbortController();
      const names = createShortNames(["large"]);
      const options = { ...patience(), exchange: { signal }, names, log: silent };
      const catalog = await gather([serverOf(kind, pages)], kind, options);
      const [first, second] = [...catalog.keys()];
      assert.equal(second, first?.replace("0", "2"));
      assert.ok(catalog.size > 20 && catalog.size < 45, `${catalog.size} entries`);
    });
  }
}

Deno.test("a server that lists without end is left out, also the next time", async () => {
  let pages = 0;
  const endless = {
    name: "endless",
    capabilities: () => Promise.resolve({ prompts: {} }),
    async request(_method: string, _params: unknown, { signal }: { signal: AbortSignal }) {
      await sleep(20, signal);
      return { prompts: [], nextCursor: `${++pages}` };
    },
  } as unknown as ServerPack;
  const good = serverOf("prompts", [[{ name: "help" }]]);
  const names = createShortNames(["endless", "large"]);
  const { signal } = new AbortController();
  const options = { ...patience(), exchange: { signal }, names, log: silent };
  for (let time = 0; time < 2; time++) {
    const catalog = await gather([endless, good], "prompts", { ...options, patienceMs: 200 });
    assert.deepEqual([...catalog.keys()], ["help"]);
    assert.ok(pages < 50, `${pages} pages`);
    if (time === 0) pages = 0;
  }
  assert.equal(pages, 0);
});

Deno.test("a server that never starts is waited for once", async () => {
  let starts = 0;
  const hanging = {
    name: "hanging",
    async capabilities() {
      starts++;
      await sleep(60);
      throw new Error("It did not start");
    },
  } as unknown as ServerPack;
  const names = createShortNames(["hanging"]);
  const { signal } = new AbortController();
  const options = { ...patience(), exchange: { signal }, names, log: silent };
  for (let time = 0; time < 3; time++) {
    await gather([hanging], "prompts", { ...options, patienceMs: 50 });
  }
  assert.equal(starts, 1);
});

Deno.test("a server that takes long to start holds up no list, and is listed once it has started", async () => {
  const start = Promise.withResolvers<JsonObject>();
  const slow = { ...serverOf("prompts", [[{ name: "slow" }]]), capabilities: () => start.promise };
  const good = serverOf("prompts", [[{ name: "help" }]]);
  const names = createShortNames(["slow", "large"]);
  const { signal } = new AbortController();
  const options = { ...patience(), exchange: { signal }, names, log: silent, patienceMs: 50 };
  const list = async () => [...(await gather([slow, good], "prompts", options)).keys()];
  assert.deepEqual(await list(), ["help"]);
  assert.deepEqual(await list(), ["help"]);
  assert.equal(options.started.count, 0);
  start.resolve({ prompts: {} });
  await start.promise;
  assert.deepEqual(await list(), ["slow", "help"]);
  assert.equal(options.started.count, 1);
});
