/** A file of statistics that came with a repository does nothing of its own. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkShape } from "../../runtime/stats/store/file_shape.ts";
import { ForeignFile } from "../../runtime/stats/store/schema.ts";
import { createStatsReader, createStatsStore } from "#runtime/stats";

const CALL = { at: 1, ms: 1, run: null, client: "c", pack: "p", tool: "t", code: null };
const BATCH = { calls: [{ ...CALL, bytesIn: 1, bytesOut: 1 }], runs: [], toolsets: [] };

/** Changes of a file of ours, after which it is another's. */
const FOREIGN: Record<string, string> = {
  "a trigger": `CREATE TRIGGER t AFTER INSERT ON calls BEGIN
    INSERT INTO toolsets VALUES ('planted' || new.id, 1, 1, 1); END`,
  "a trigger that fills the disk": `CREATE TRIGGER t AFTER INSERT ON calls BEGIN
    INSERT INTO densities SELECT hex(randomblob(9)), 1, 1 FROM
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       SELECT i FROM n); END`,
  "a view in place of a table": `ALTER TABLE calls RENAME TO hidden;
    CREATE VIEW calls AS SELECT * FROM hidden, (SELECT zeroblob(1000000000))`,
  "an index on an expression": "CREATE INDEX i ON calls (length(tool || hex(zeroblob(1000000))))",
  "a column that is computed":
    "ALTER TABLE calls ADD COLUMN x TEXT AS (hex(zeroblob(100000000))) VIRTUAL",
  "tables of another program, before the first version":
    "PRAGMA user_version = 0; CREATE TABLE other (a)",
};

async function withFolder(
  work: (place: { folder: string; file: string; warnings: string[] }) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "toolscript-stats-" });
  const folder = join(root, "stats");
  try {
    await work({ folder, file: join(folder, "stats.db"), warnings: [] });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Writes one call as a gateway does. */
function write({ folder, warnings }: { folder: string; warnings: string[] }): void {
  const log = (_level: string, message: string) => void warnings.push(message);
  const store = createStatsStore({ folder, now: Date.now, log });
  assert.ok(store.write(BATCH));
  store.close();
}

async function read({ folder, warnings }: { folder: string; warnings: string[] }): Promise<number> {
  const log = (_level: string, message: string) => void warnings.push(message);
  await using reader = createStatsReader({ folder, now: Date.now, keepMs: () => Infinity, log });
  return (await reader.read({ period: "all" })).total_calls;
}

function rowsOf(file: string, sql: string): number {
  using database = new DatabaseSync(file);
  return Number(database.prepare(sql).get()?.n);
}

Deno.test("a file with another schema is set aside before it is written or read", async (t) => {
  for (const [name, sql] of Object.entries(FOREIGN)) {
    for (const first of ["write", "read"] as const) {
      await t.step(`${name}, ${first}`, () =>
        withFolder(async (place) => {
          write(place);
          {
            using database = new DatabaseSync(place.file);
            database.exec(sql);
          }
          if (first === "read") assert.equal(await read(place), 0);
          write(place);
          assert.deepEqual(place.warnings, [
            "The file of the statistics was broken: a new one is begun",
          ]);
          assert.equal(await read(place), 1);
          const other = "SELECT count(*) AS n FROM sqlite_schema WHERE type IN ('trigger', 'view')";
          assert.equal(rowsOf(place.file, other), 0);
          const planted = "SELECT (SELECT count(*) FROM toolsets) + (SELECT count(*) FROM " +
            "densities) AS n";
          assert.equal(rowsOf(place.file, planted), 0);
        }));
    }
  }
});

Deno.test("a file with a large schema is set aside before SQLite reads it", async (t) => {
  for (const place of ["file", "log"]) {
    for (const first of ["write", "read"] as const) {
      await t.step(`in the ${place}, ${first}`, () =>
        withFolder(async (stage) => {
          write(stage);
          const parts = ["", "-wal"].map((part) => `${stage.file}${part}`);
          {
            using database = new DatabaseSync(stage.file);
            database.exec("PRAGMA wal_autocheckpoint = 0; BEGIN");
            for (let at = 0; at < 500; at++) database.exec(`CREATE VIEW v${at} AS SELECT 1`);
            database.exec("COMMIT");
            if (place === "file") database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
            // As it is on the disk while it is open.
            for (const part of parts) Deno.copyFileSync(part, `${part}.copy`);
          }
          for (const part of parts) {
            Deno.renameSync(`${part}.copy`, part);
            Deno.chmodSync(part, 0o600);
          }
          assert.throws(() => checkShape(stage.file), ForeignFile);
          if (first === "read") assert.equal(await read(stage), 0);
          else write(stage);
          assert.equal(stage.warnings.length, 1);
          checkShape(stage.file);
        }));
    }
  }
});

Deno.test("a log that is written just now is no reason to set a file aside", () =>
  withFolder((stage) => {
    write(stage);
    using database = new DatabaseSync(stage.file);
    database.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA application_id = 5");
    const log = `${stage.file}-wal`;
    const bytes = Deno.readFileSync(log);
    const first = [...Array(Math.floor((bytes.length - 32) / 4_120)).keys()]
      .map((frame) => 32 + frame * 4_120)
      .find((at) => bytes.subarray(at, at + 4).join() === "0,0,0,1");
    assert.notEqual(first, undefined);
    // The page is not there yet, only the head of its frame.
    bytes.fill(5, (first ?? 0) + 24, (first ?? 0) + 24 + 4_096);
    const copy = `${stage.file}.copy`;
    Deno.copyFileSync(stage.file, copy);
    Deno.writeFileSync(`${copy}-wal`, bytes);
    checkShape(copy);
    return Promise.resolve();
  }));

/** A journal by which SQLite deletes `path`: the name of another journal, its length and its sum. */
function journalOf(path: string): Uint8Array {
  const name = new TextEncoder().encode(path);
  const bytes = new Uint8Array(name.length + 20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(0x4000_0000 / 4_096) + 1);
  bytes.set(name, 4);
  view.setUint32(name.length + 4, name.length);
  view.setUint32(name.length + 8, name.reduce((sum, byte) => sum + byte, 0));
  bytes.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], name.length + 12);
  return bytes;
}

Deno.test("a journal beside the file deletes nothing", async (t) => {
  for (const mode of ["WAL", "DELETE"]) {
    for (const first of ["write", "read"] as const) {
      await t.step(`${mode}, ${first}`, () =>
        withFolder(async (place) => {
          write(place);
          {
            using database = new DatabaseSync(place.file);
            database.exec(`PRAGMA journal_mode = ${mode}`);
          }
          const victim = join(place.folder, "..", "victim.txt");
          await Deno.writeTextFile(victim, "precious");
          const journal = new Uint8Array([...new Uint8Array(512).fill(1), ...journalOf(victim)]);
          await Deno.writeFile(`${place.file}-journal`, journal, { mode: 0o600 });
          if (first === "read") await read(place);
          else write(place);
          assert.equal(await Deno.readTextFile(victim), "precious");
          const names = await Array.fromAsync(Deno.readDir(place.folder), ({ name }) => name);
          assert.ok(!names.some((name) => name.endsWith("-journal")), names.join());
        }));
    }
  }
});

Deno.test("gateways that create the file at the same time lose no rows", () =>
  withFolder(async ({ folder }) => {
    const code = `
      import { createStatsStore } from "#runtime/stats";
      const log = (_, ...rest) => console.log(...rest);
      const store = createStatsStore({ folder: ${JSON.stringify(folder)}, now: Date.now, log });
      while (!store.write(${JSON.stringify(BATCH)})) await new Promise((go) => setTimeout(go, 1));
      store.close();`;
    const root = new URL("../../", import.meta.url).pathname;
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () =>
        new Deno.Command(Deno.execPath(), {
          args: ["eval", "--no-check", `--config=${root}deno.json`, code],
          cwd: root,
        }).output()),
    );
    for (const { stdout } of outputs) assert.equal(new TextDecoder().decode(stdout), "");
    assert.equal(await read({ folder, warnings: [] }), 4);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(names.filter((name) => !/^stats\.db(-wal|-shm)?$/.test(name)), []);
  }));
