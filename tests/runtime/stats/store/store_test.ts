/** The file of the statistics: shared, private, bounded, and never in the way of a run. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createStatsReader, createStatsStore, type StatsStore } from "#runtime/stats";
import type { Batch, CallRow, RunRow } from "../../../../runtime/stats/types.ts";

interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  readonly warnings: string[];
  store(): StatsStore;
  count(): Promise<number>;
}

const DAY = 86_400_000;

async function openPlace(keepMs = Infinity): Promise<Place> {
  const root = await Deno.makeTempDir();
  const folder = join(root, "stats");
  const warnings: string[] = [];
  const log = (_level: string, message: string) => void warnings.push(message);
  const reader = createStatsReader({ folder, now: Date.now, keepMs: () => keepMs, log });
  return {
    folder,
    file: join(folder, "stats.db"),
    warnings,
    store: () => createStatsStore({ folder, now: Date.now, log }),
    async count() {
      await reader.tidy();
      return (await reader.read({ period: "all" })).total_calls;
    },
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
}

export function call(fields: Partial<CallRow> = {}): CallRow {
  return {
    at: Date.now(),
    ms: 5,
    run: null,
    client: "test",
    pack: "files",
    tool: "read",
    code: null,
    bytesIn: 10,
    bytesOut: 100,
    ...fields,
  };
}

function batch(calls: readonly CallRow[], runs: readonly RunRow[] = []): Batch {
  return { calls, runs, toolsets: [] };
}

Deno.test("createStatsStore() keeps a private file that several gateways write", async () => {
  await using place = await openPlace();
  const stores = [place.store(), place.store(), place.store()];
  for (let round = 0; round < 20; round++) {
    for (const store of stores) assert.ok(store.write(batch([call(), call()])));
  }
  assert.equal(await place.count(), 120);
  for await (const { name } of Deno.readDir(place.folder)) {
    const { mode } = await Deno.stat(join(place.folder, name));
    assert.equal((mode ?? 0) & 0o777, 0o600, name);
  }
  assert.equal(((await Deno.stat(place.folder)).mode ?? 0) & 0o777, 0o700);
  for (const store of stores) store.close();
});

Deno.test("createStatsStore() asks to come again while another process holds the file", async () => {
  await using place = await openPlace();
  const store = place.store();
  assert.ok(store.write(batch([call()])));
  const other = new DatabaseSync(place.file);
  other.exec("BEGIN IMMEDIATE");
  const begun = performance.now();
  assert.equal(store.write(batch([call()])), false);
  assert.ok(performance.now() - begun < 4_000, "it blocks no other work");
  other.exec("COMMIT");
  other.close();
  assert.ok(store.write(batch([call()])));
  store.close();
  assert.equal(await place.count(), 2);
  assert.deepEqual(place.warnings, []);
});

Deno.test("createStatsStore() keeps written rows when its process is killed", async () => {
  await using place = await openPlace();
  const code = `
    import { createStatsStore } from "#runtime/stats";
    const store = createStatsStore({ folder: ${
    JSON.stringify(place.folder)
  }, now: Date.now, log() {} });
    store.write({ calls: [${JSON.stringify(call())}], runs: [], toolsets: [] });
    Deno.kill(Deno.pid, "SIGKILL");`;
  const root = new URL("../../../../", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", `--config=${root}deno.json`, code],
    cwd: root,
    stdout: "null",
    stderr: "null",
  });
  assert.equal((await child.output()).signal, "SIGKILL");
  assert.equal(await place.count(), 1);
});

Deno.test("a broken file is set aside with a warning, and a new one is created", async (t) => {
  await t.step("by a writer", async () => {
    await using place = await openPlace();
    await Deno.mkdir(place.folder);
    await Deno.writeTextFile(place.file, "this is no database ".repeat(500));
    const store = place.store();
    assert.ok(store.write(batch([call()])));
    store.close();
    assert.equal(await place.count(), 1);
    assert.deepEqual(place.warnings, [
      "The file of the statistics was broken: a new one is begun",
    ]);
    const names = await Array.fromAsync(Deno.readDir(place.folder), ({ name }) => name);
    assert.ok(names.some((name) => name.startsWith("stats.db.broken-")), String(names));
  });
  await t.step("by a reader", async () => {
    await using place = await openPlace();
    await Deno.mkdir(place.folder);
    await Deno.writeTextFile(place.file, "this is no database ".repeat(500));
    assert.equal(await place.count(), 0);
    assert.equal(place.warnings.length, 1);
  });
});

Deno.test("createStatsStore() gives up with one warning where it cannot write", async (t) => {
  const rows = {
    "a newer Toolscript's file": async ({ folder, file }: Place) => {
      await Deno.mkdir(folder);
      const database = new DatabaseSync(file);
      database.exec("PRAGMA user_version = 999");
      database.close();
    },
    "a link in place of the folder": async ({ folder }: Place) => {
      await Deno.symlink(await Deno.makeTempDir(), folder);
    },
    "a link in place of the file": async ({ folder, file }: Place) => {
      await Deno.mkdir(folder);
      await Deno.symlink("/tmp/toolscript-elsewhere.db", file);
    },
    "a file in place of the folder": async ({ folder }: Place) => {
      await Deno.writeTextFile(folder, "");
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using place = await openPlace();
      await prepare(place);
      const store = place.store();
      assert.ok(store.write(batch([call()])));
      assert.ok(store.write(batch([call()])));
      store.close();
      assert.equal(place.warnings.length, 1);
      assert.match(place.warnings[0] ?? "", /^Statistics are not kept/);
    });
  }
});

Deno.test("a file that was removed is created again", async () => {
  await using place = await openPlace();
  const store = place.store();
  store.write(batch([call()]));
  await Deno.remove(place.folder, { recursive: true });
  assert.ok(store.write(batch([call()])));
  assert.equal(await place.count(), 1);
  store.close();
});

Deno.test("rows that are too old are removed", async () => {
  await using place = await openPlace(30 * DAY);
  const store = place.store();
  store.write(batch([call({ at: Date.now() - 31 * DAY }), call({ at: Date.now() - 29 * DAY })]));
  store.close();
  assert.equal(await place.count(), 1);
});

Deno.test("gateways that create the file at the same time lose no rows", async () => {
  await using place = await openPlace();
  const { folder } = place;
  const code = `
      import { createStatsStore } from "#runtime/stats";
      const log = (_, ...rest) => console.log(...rest);
      const store = createStatsStore({ folder: ${JSON.stringify(folder)}, now: Date.now, log });
      while (!store.write(${
    JSON.stringify(batch([call()]))
  })) await new Promise((go) => setTimeout(go, 1));
      store.close();`;
  const root = new URL("../../../../", import.meta.url).pathname;
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () =>
      new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", `--config=${root}deno.json`, code],
        cwd: root,
      }).output()),
  );
  for (const { stdout } of outputs) assert.equal(new TextDecoder().decode(stdout), "");
  assert.equal(await place.count(), 4);
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  assert.deepEqual(names.filter((name) => !/^stats\.db(-wal|-shm)?$/.test(name)), []);
});
