/** Stored results that are large, or that came with a project and claim to be of today. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { createResultStore } from "#runtime";
import { createReadPlaces } from "../../runtime/ot/result/places.ts";
import { readResult } from "../../runtime/ot/result/result.ts";
import { longestTurn } from "../support/turns.ts";

const HOUR = 3_600_000;
const HANDLE = "00000000000000aa";
const MB = 2 ** 20;
const OUTPUT = 4 * MB;

interface Stage {
  readonly store: ReturnType<typeof createResultStore>;
  readonly folder: string;
  readonly text: string;
  readonly meta: string;
}

/** Runs `work` in a project that came with a result of its own. */
async function withPlanted(work: (stage: Stage) => Promise<void>): Promise<void> {
  const project = await Deno.makeTempDir();
  const folder = join(project, ".onetool", "tmp");
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const text = join(folder, `result-${HANDLE}.txt`);
  const meta = join(folder, `result-${HANDLE}.meta.json`);
  const about = { handle: HANDLE, total_lines: 1, size_bytes: 1, tool: "a.b" };
  const created_at = new Date().toISOString();
  await Deno.writeTextFile(text, "one\ntwo\n", { mode: 0o600 });
  await Deno.writeTextFile(meta, JSON.stringify({ ...about, created_at }), { mode: 0o600 });
  const settings = { ttlMs: () => HOUR, outputBytes: () => OUTPUT, now: Date.now };
  try {
    await work({ store: createResultStore({ folder, ...settings }), folder, text, meta });
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

Deno.test("a file larger than any result is not read", async () => {
  await withPlanted(async ({ store, text }) => {
    const most = 3 * OUTPUT + 16_000_000;
    await Deno.truncate(text, most);
    equal((await store.get(HANDLE)).kind, "found");
    await Deno.truncate(text, most + 1);
    equal((await store.get(HANDLE)).kind, "missing");
  });
});

Deno.test("a result is no younger than its files", async (t) => {
  for (const old of ["text", "meta"] as const) {
    await t.step(old, async () => {
      await withPlanted(async (stage) => {
        equal((await stage.store.get(HANDLE)).kind, "found");
        const then = new Date(Date.now() - 2 * HOUR);
        await Deno.utime(stage[old], then, then);
        equal((await stage.store.get(HANDLE)).kind, "expired");
        if (old === "meta") deepEqual(await stage.store.list(), []);
      });
    });
  }
});

Deno.test("no more than a thousand results are listed, and none with a large description", async () => {
  await withPlanted(async ({ store, folder, meta }) => {
    const about = await Deno.readTextFile(meta);
    await Deno.writeTextFile(meta, about + " ".repeat(5_000));
    deepEqual(await store.list(), []);
    await Deno.remove(meta);
    for (let at = 0; at < 1_100; at++) {
      const handle = at.toString(16).padStart(16, "0");
      const path = join(folder, `result-${handle}.meta.json`);
      await Deno.writeTextFile(path, about.replace(HANDLE, handle), { mode: 0o600 });
    }
    equal((await store.list()).length, 1_000);
  });
});

/** What a program may ask for, each of which fits in a few kilobytes. */
const PAGES = [
  { limit: 1 },
  { offset: 4_500_000, limit: 1 },
  { tail: 2 },
  { tail: 1_000_000_000 },
  { limit: 1_000_000_000 },
];

/** Bytes of this thread alone: other tests run beside it. */
function memory(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

Deno.test("many pages of a large result take neither its memory each nor the event loop", async () => {
  await withPlanted(async ({ store }) => {
    const { handle } = await store.save("12345\n".repeat(4_500_000), { tools: [] });
    const places = createReadPlaces();
    const read = (args: object, run: string) =>
      readResult({ store, maxInlineBytes: 50_000 }, { handle, ...args }, { run, places });
    const before = memory();
    let most = 0;
    const longest = longestTurn();
    const timer = setInterval(() => most = Math.max(most, memory()), 1);
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, run) => PAGES.map((page) => read(page, `${run % 3}`))).flat(),
    );
    clearInterval(timer);
    deepEqual(pages.slice(0, 3).map(({ value }) => value), [
      { lines: ["12345"], total_lines: 4_500_000, returned: 1, offset: 1, has_more: true },
      { lines: ["12345"], total_lines: 4_500_000, returned: 1, offset: 4_500_000, has_more: false },
      {
        lines: ["12345", "12345"],
        total_lines: 4_500_000,
        returned: 2,
        offset: 4_499_999,
        has_more: false,
      },
    ]);
    ok(most - before < 150 * MB, `${(most - before) / MB} MB`);
    ok(longest() < 500, `${longest()} ms`);
  });
});

Deno.test("a reader that waits for its place leaves with its run", async () => {
  await withPlanted(async ({ store }) => {
    const places = createReadPlaces();
    using _place = await places.page({ run: "a" });
    const stop = new AbortController();
    const read = (run: string, signal?: AbortSignal) =>
      readResult({ store, maxInlineBytes: 1_000 }, { handle: HANDLE }, { run, signal, places });
    const waiting = read("a", stop.signal);
    stop.abort(new Error("stopped"));
    await rejects(waiting, /stopped/);
    equal((await read("b")).value.returned, 2);
  });
});
