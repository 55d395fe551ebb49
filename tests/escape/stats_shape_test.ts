/** SQLite never opens a file of statistics that a repository made, whatever is in it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkShape } from "../../runtime/stats/store/file_shape.ts";
import { ForeignFile, NewerSchema } from "../../runtime/stats/store/schema.ts";
import { createStatsReader, createStatsStore } from "#runtime/stats";

const CALL = { at: 1, ms: 1, run: null, client: "c", pack: "p", tool: "t", code: null };
const BATCH = { calls: [{ ...CALL, bytesIn: 1, bytesOut: 1 }], runs: [], toolsets: [] };

interface Place {
  readonly folder: string;
  readonly file: string;
  readonly warnings: string[];
}

async function withFile(work: (place: Place) => void | Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "toolscript-stats-" });
  const folder = join(root, "stats");
  const place = { folder, file: join(folder, "stats.db"), warnings: [] };
  try {
    write(place);
    await work(place);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Writes one call as a gateway does. */
function write({ folder, warnings }: Place): void {
  const log = (_level: string, message: string) => void warnings.push(message);
  const store = createStatsStore({ folder, now: Date.now, log });
  assert.ok(store.write(BATCH));
  store.close();
}

async function read({ folder }: Place): Promise<number> {
  const options = { folder, now: Date.now, keepMs: () => Infinity, log() {} };
  await using reader = createStatsReader(options);
  return (await reader.read({ period: "all" })).total_calls;
}

/** Changes the file. With `isInLog`, the change lies in the log alone. */
function change(file: string, sql: string, isInLog = false): void {
  const parts = ["", "-wal"].map((part) => `${file}${part}`);
  {
    using database = new DatabaseSync(file);
    database.exec("PRAGMA wal_autocheckpoint = 0");
    database.exec(sql);
    if (isInLog) { for (const part of parts) Deno.copyFileSync(part, `${part}.copy`); }
  }
  if (!isInLog) return;
  for (const part of parts) Deno.renameSync(`${part}.copy`, part);
  for (const part of parts) Deno.chmodSync(part, 0o600);
}

function changeBytes(file: string, edit: (bytes: Uint8Array, view: DataView) => void): void {
  const bytes = Deno.readFileSync(file);
  edit(bytes, new DataView(bytes.buffer));
  Deno.writeFileSync(file, bytes);
}

const LONG = "1,".repeat(5_000) + "1";
/** Changes that cost much at the opening, or whose declarations are not ours. */
const FOREIGN: Readonly<Record<string, string>> = {
  "a declaration that goes on in other pages": `CREATE TABLE a (x CHECK (x IN (${LONG})))`,
  "a view that goes on in other pages": `CREATE VIEW v AS SELECT ${LONG}`,
  "our own table with a longer text": `ALTER TABLE calls ADD COLUMN x TEXT DEFAULT '${LONG}'`,
  "a short declaration of another": "CREATE TABLE a (x)",
  "our own table with another text": "ALTER TABLE runs RENAME COLUMN look TO looks",
  "an index on an expression": "CREATE INDEX i ON calls (length(tool))",
  // SQLite reads every row of it at the opening, and pages may name one another many times.
  "a table of the planner": "ANALYZE",
};

for (const [name, sql] of Object.entries(FOREIGN)) {
  for (const isInLog of [false, true]) {
    for (const first of ["write", "read"] as const) {
      Deno.test(`a file is set aside unread: ${name}, ${isInLog ? "log" : "file"}, ${first}`, () =>
        withFile(async (place) => {
          change(place.file, sql, isInLog);
          assert.throws(() => checkShape(place.file), ForeignFile);
          if (first === "read") assert.equal(await read(place), 0);
          write(place);
          checkShape(place.file);
          assert.equal(await read(place), 1);
        }));
    }
  }
}

/** Changes of the bytes of a file. */
const BYTES: Readonly<Record<string, (bytes: Uint8Array, view: DataView) => void>> = {
  // SQLite would move pages at each commit.
  "pages that move by themselves": (_, view) => view.setUint32(52, 3),
  "another page size": (_, view) => view.setUint16(16, 8_192),
  "a page with less room": (bytes) => void (bytes[20] = 200),
  "texts of two bytes a character": (_, view) => view.setUint32(56, 2),
  "a first page that only leads to others": (bytes) => void (bytes[100] = 5),
  "one declaration many times": (_, view) => {
    const first = view.getUint16(108);
    view.setUint16(103, 1_900);
    for (let cell = 0; cell < 1_900; cell++) view.setUint16(108 + 2 * cell, first);
  },
  "one declaration twice": (_, view) => view.setUint16(110, view.getUint16(108)),
  "a declaration behind the end of the page": (_, view) => view.setUint16(108, 4_095),
  "a length of many bytes": (bytes, view) => {
    const first = view.getUint16(108);
    bytes.fill(0xff, first, first + 8);
  },
  "a length that goes on in other pages": (bytes, view) => {
    const first = view.getUint16(108);
    bytes.set([0xff, 0x7f], first);
  },
};

for (const [name, edit] of Object.entries(BYTES)) {
  Deno.test(`a file is set aside unread: ${name}`, () =>
    withFile(async (place) => {
      changeBytes(place.file, edit);
      assert.throws(() => checkShape(place.file), ForeignFile);
      write(place);
      assert.equal(await read(place), 1);
      assert.equal(place.warnings.length, 1);
    }));
}

Deno.test("a file with a very large log is set aside unread", () =>
  withFile(async (place) => {
    change(place.file, "PRAGMA application_id = 5", true);
    checkShape(place.file);
    await Deno.truncate(`${place.file}-wal`, 2 ** 31);
    assert.throws(() => checkShape(place.file), ForeignFile);
    write(place);
    assert.equal(await read(place), 1);
  }));

Deno.test("the log of a store stays small where nobody tidies it", () =>
  withFile((place) => {
    const store = createStatsStore({ folder: place.folder, now: Date.now, log() {} });
    const call = { ...BATCH.calls[0], client: "c".repeat(4_000) } as typeof BATCH.calls[0];
    for (let at = 0; at < 200; at++) {
      assert.ok(store.write({ ...BATCH, calls: Array.from({ length: 64 }, () => call) }));
    }
    const [file = 0, log = 0] = ["", "-wal"].map((part) => Deno.statSync(place.file + part).size);
    assert.ok(log < 40_000_000, `${log}`);
    assert.ok(file + log > 50_000_000, "it was enough");
    checkShape(place.file);
    store.close();
  }));

Deno.test("a file with rows that are larger than ours is set aside when they are read", async (t) => {
  const large = "hex(zeroblob(500000))";
  const rows = {
    "a call": `INSERT INTO calls VALUES (9, 1, 1, NULL, 'c', ${large}, 't', NULL, 1, 1)`,
    "a run":
      `INSERT INTO runs VALUES (9, 'r', 1, 1, 'command', ${large}, NULL, NULL, 1, 1, 1, NULL, 0)`,
    "tokens": `INSERT INTO densities VALUES (${large}, 1, 1)`,
  };
  for (const [name, sql] of Object.entries(rows)) {
    await t.step(name, () =>
      withFile(async (place) => {
        change(place.file, sql);
        assert.equal(await read(place), 0);
        write(place);
        assert.equal(await read(place), 1);
      }));
  }
});

Deno.test("a file of a newer Toolscript is left alone unread", async (t) => {
  for (const isInLog of [false, true]) {
    await t.step(isInLog ? "log" : "file", () =>
      withFile((place) => {
        change(place.file, `PRAGMA user_version = 999; CREATE TABLE a (x)`, isInLog);
        assert.throws(() => checkShape(place.file), NewerSchema);
        write(place);
        assert.deepEqual(place.warnings, [
          "Statistics are not kept: a newer Toolscript keeps them",
        ]);
        assert.equal(
          [...Deno.readDirSync(place.folder)].some(({ name }) => /broken/.test(name)),
          false,
        );
      }));
  }
});

Deno.test("a file of an older version keeps its rows", async (t) => {
  const before = {
    2: "ALTER TABLE runs DROP COLUMN look; PRAGMA user_version = 2",
    1: "ALTER TABLE runs DROP COLUMN look; DROP TABLE audit; PRAGMA user_version = 1",
  };
  for (const [version, sql] of Object.entries(before)) {
    for (const isInLog of [false, true]) {
      await t.step(`${version}, ${isInLog ? "log" : "file"}`, () =>
        withFile(async (place) => {
          change(place.file, sql, isInLog);
          checkShape(place.file);
          write(place);
          assert.equal(await read(place), 2);
          assert.deepEqual(place.warnings, []);
        }));
    }
  }
});
