/** Many SQLite files at once: their processes are few, and each statement gets its answer. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";
import { descendants } from "../../../support/processes.ts";

const ENDLESS =
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
const FILES = 24;
/** Four that work, and four that rest. */
const MOST = 8;

async function openFiles(settings: JsonObject = {}) {
  const stage = await openBuiltin("db", settings);
  const registry = createRegistry([stage.pack], { log: () => {} });
  for (let at = 0; at < FILES; at++) await Deno.writeTextFile(join(stage.project, `${at}.db`), "");
  return {
    query(sql: string, at: number, run: string) {
      const args = { sql, connection: `sqlite:${at}.db` };
      return registry.call("db__query", args, { origin: { run } });
    },
    /** Processes for files of the project. */
    async count(): Promise<number> {
      const commands = (await descendants(Deno.pid)).map((pid) =>
        Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "")
      );
      const isOurs = (text: string) => text.includes("child.ts") && text.includes(stage.project);
      return (await Promise.all(commands)).filter(isOurs).length;
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

Deno.test("statements about many SQLite files run in few processes, and each has its rows", async () => {
  await using files = await openFiles();
  let isDone = false;
  let most = 0;
  const all = Array.from({ length: FILES }, (_, at) => files.query("SELECT 1 AS one", at, "a"));
  const counting = (async () => {
    while (!isDone) most = Math.max(most, await files.count());
  })();
  const results = await Promise.all(all).finally(() => isDone = true);
  await counting;
  assert.deepEqual(
    results.map(({ value }) => value),
    results.map(() => ({ columns: ["one"], rows: [{ one: 1 }], has_more: false })),
  );
  assert.ok(most > 0 && most <= MOST, `${most} processes`);
  // Those that rest are used again.
  await files.query("SELECT 2", FILES - 1, "a");
  assert.ok(await files.count() <= MOST);
});

Deno.test("endless statements of one run leave a place for another run", async () => {
  await using files = await openFiles({ timeout: 10 });
  const endless = Array.from({ length: 6 }, (_, at) => files.query(ENDLESS, at, "a"));
  const ends = Promise.allSettled(endless);
  assert.deepEqual((await files.query("SELECT 1 AS one", FILES - 1, "b")).value, {
    columns: ["one"],
    rows: [{ one: 1 }],
    has_more: false,
  });
  assert.ok(await files.count() <= MOST);
  for (const { status } of await ends) assert.equal(status, "rejected");
});
