/** The `db` pack on real SQLite files. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject, JsonValue } from "#base";
import { createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";

const SETUP = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT DEFAULT 1, photo BLOB);
  CREATE TABLE pets (id INT, owner INT REFERENCES people (id));
  CREATE UNIQUE INDEX by_name ON people (name, age);
  CREATE VIEW adults AS SELECT * FROM people WHERE age >= 18;
  INSERT INTO people VALUES (1, 'Ana', 41, x'00ff'), (9007199254740993, 'Ben', 7, NULL);`;
/** What was tried to get round a read-only connection, or out of the file. */
const ATTEMPTS: readonly (readonly [string, RegExp])[] = [
  ["DELETE FROM people", /not authorized/],
  ["WITH a AS (SELECT 1) DELETE FROM people", /not authorized/],
  ["SELECT 1; DELETE FROM people", /one statement at a time/],
  ["BEGIN", /not authorized/],
  ["ATTACH 'other.db' AS other", /not authorized|attached/],
  ["VACUUM INTO 'copy.db'", /authorization denied|attached/],
  ["PRAGMA writable_schema = 1", /not authorized/],
  ["PRAGMA query_only = 0", /not authorized/],
  ["PRAGMA user_version = 7", /not authorized/],
  ["PRAGMA journal_mode = DELETE", /not authorized/],
  ["SELECT load_extension('evil')", /not authorized/],
  ["CREATE TEMP TABLE x (a)", /not authorized/],
  ["SELECT nonsense FROM people", /no such column/],
  ["SELECT json('{') FROM people", /malformed JSON/],
  ["SELECT abs(column1) FROM (VALUES (1), (-9223372036854775807 - 1), (2))", /integer overflow/],
  ["SELECT length(hex(zeroblob(400000000)))", /out of memory/],
  ["", /./],
];

Deno.test("db.* on SQLite", async (t) => {
  const connections = {
    main: { url: "sqlite:app 1.db", write: true },
    reader: "sqlite:app 1.db",
    odd: "mysql://root:s3cret@localhost/x",
  };
  await using stage = await openBuiltin("db", { connections, timeout: 10, max_result_mb: 1 });
  const { project } = stage;
  const path = join(project, "app 1.db");
  const database = new DatabaseSync(path);
  database.exec(SETUP);
  database.close();
  const outside = await Deno.makeTempFile({ suffix: ".db" });
  await using registry = createRegistry([stage.pack], { log: () => {} });
  const call = async (tool: string, args: JsonObject) =>
    (await registry.call(`db__${tool}`, args, {})).value as JsonObject;
  const fails = (tool: string, args: JsonObject, message: RegExp) =>
    assert.rejects(call(tool, args), { name: "PackError", message });

  await t.step("query() returns rows as JSON", async () => {
    const sql = "SELECT *, name FROM people WHERE id > :id OR name = :name ORDER BY id";
    assert.deepEqual(
      await call("query", { sql, params: { id: 1, name: "Ana" }, connection: "main" }),
      {
        columns: ["id", "name", "age", "photo", "name_2"],
        rows: [
          { id: 1, name: "Ana", age: 41, photo: { base64: "AP8=" }, name_2: "Ana" },
          { id: "9007199254740993", name: "Ben", age: 7, photo: null, name_2: "Ben" },
        ],
        has_more: false,
      },
    );
    const bytes = { sql: "SELECT name FROM people WHERE photo = ?", params: [{ base64: "AP8=" }] };
    const result = await call("query", { ...bytes, connection: "sqlite:app 1.db" });
    assert.deepEqual(result.rows, [{ name: "Ana" }]);
  });

  await t.step("query() stops at the limit, and at the size", async () => {
    const count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
    const result = await call("query", { sql: count, limit: 2, connection: "main" });
    assert.deepEqual(result, { columns: ["x"], rows: [{ x: 1 }, { x: 2 }], has_more: true });
    const wide = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100) " +
      "SELECT x, hex(zeroblob(20000)) AS y FROM c";
    const { rows, has_more } = await call("query", { sql: wide, connection: "main" });
    assert.equal(has_more, true);
    assert.ok((rows as JsonValue[]).length < 100);
    await fails("query", { sql: "SELECT hex(zeroblob(1000000))", connection: "main" }, /larger/);
    // Each row has the names of all columns.
    const named = `SELECT 1 AS "${"n".repeat(100_000)}" FROM (${count} LIMIT 100)`;
    const long = await call("query", { sql: named, connection: "main" });
    assert.equal(long.has_more, true);
    assert.ok((long.rows as JsonValue[]).length < 12);
    // A row past the size is left out, wherever it is.
    const late = "SELECT 'a' AS y UNION ALL SELECT hex(zeroblob(1000000))";
    const cut = await call("query", { sql: late, connection: "main" });
    assert.deepEqual([cut.has_more, (cut.rows as JsonValue[]).length], [true, 1]);
  });

  await t.step("execute() stops at the size for all statements together", async () => {
    const execute = (...all: string[]) =>
      call("execute", { statements: all.map((sql) => ({ sql })), connection: "main" });
    const half = "SELECT hex(zeroblob(300000)) AS y";
    const { results } = await execute(half, `SELECT 1 AS y UNION ALL ${half}`);
    assert.deepEqual(
      (results as JsonObject[]).map(({ rows, has_more }) => [(rows as []).length, has_more]),
      [[1, false], [1, true]],
    );
    await assert.rejects(execute(half, half), /larger than a result may be/);
    const named = `SELECT 1 AS "${"n".repeat(10_000)}" LIMIT 0`;
    await assert.rejects(execute(...Array(200).fill(named)), /larger than a result may be/);
  });

  await t.step("tables(), schema() and explain() describe the database", async () => {
    const tables = await call("tables", { connection: "reader" }) as unknown as JsonObject[];
    assert.deepEqual(tables.map(({ name, kind }) => `${name} ${kind}`), [
      "adults view",
      "people table",
      "pets table",
    ]);
    const people = await call("schema", { table: "people", connection: "reader" });
    assert.deepEqual((people.columns as JsonValue[])[1], {
      name: "name",
      type: "TEXT",
      nullable: false,
      default: null,
      primary_key: false,
    });
    assert.deepEqual(people.indexes, [{ name: "by_name", unique: true, columns: ["name", "age"] }]);
    const pets = await call("schema", { table: "pets", connection: "reader" });
    assert.deepEqual(pets.references, [{ columns: ["owner"], table: "people", targets: ["id"] }]);
    await fails("schema", { table: "x'; --", connection: "reader" }, /Cannot find the table/);
    const sql = "SELECT * FROM people WHERE name = ?";
    const plan = await call("explain", { sql, params: ["Ana"], connection: "reader" });
    assert.match(String(plan), /USING INDEX by_name/);
  });

  await t.step("an error's text is bounded", async () => {
    const sql = "SELECT json_extract('[]', printf('%.*c', 1000000, 'x'))";
    await fails("query", { sql, connection: "reader" }, /^[^]{20,11000}$/);
  });

  for (const [sql, message] of ATTEMPTS) {
    await t.step(`query() changes nothing by ${sql}`, async () => {
      const before = await Deno.readFile(path);
      for (const connection of ["main", "reader", "sqlite:app 1.db"]) {
        await fails("query", { sql, connection }, message);
      }
      assert.deepEqual(await Deno.readFile(path), before);
    });
  }

  await t.step("execute() changes all or nothing, with write: true", async () => {
    const update = { sql: "UPDATE people SET age = ? WHERE name = ?", params: [42, "Ana"] };
    for (const connection of ["reader", "sqlite:app 1.db"]) {
      await fails("execute", { ...update, connection }, /write: true/);
    }
    assert.equal((await call("execute", { ...update, connection: "main" })).changed, 1);
    const insert = { sql: "INSERT INTO pets VALUES (1, 1) RETURNING id" };
    const { results } = await call("execute", { statements: [insert, insert], connection: "main" });
    const one = { columns: ["id"], rows: [{ id: 1 }], has_more: false, changed: 1 };
    assert.deepEqual(results, [one, one]);
    const statements = [{ sql: "DELETE FROM pets" }, { sql: "SELECT nonsense" }];
    await fails("execute", { statements, connection: "main" }, /no such column/);
    for (const sql of ["ATTACH 'x' AS y", "COMMIT", "PRAGMA writable_schema = 1"]) {
      await fails("execute", { sql, connection: "main" }, /not authorized/);
    }
    await fails("execute", {
      sql: "UPDATE sqlite_schema SET sql = 'x'",
      connection: "main",
    }, /may not be modified/);
    // It would fill the memory of the machine.
    const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) " +
      "SELECT randomblob(1000000) FROM c";
    await fails("execute", { sql: endless, connection: "main" }, /first row is larger/);
    const short = endless.replace("1000000", "1000");
    const read = await call("execute", { sql: short, connection: "main" }) as {
      results: { has_more: boolean; changed: number }[];
    };
    assert.deepEqual(read.results.map(({ has_more, changed }) => [has_more, changed]), [[true, 0]]);
    const many = `INSERT INTO pets (id, owner) ${endless.replace("randomblob(1000000)", "x, 1")} ` +
      "WHERE x > 9 LIMIT 3000 RETURNING randomblob(9000)";
    const change = await call("execute", { sql: many, connection: "main" }) as typeof read;
    assert.deepEqual(change.results.map((one) => [one.has_more, one.changed]), [[true, 3000]]);
    const twice = "INSERT INTO people (id, name) VALUES (1, 1) RETURNING id";
    await fails("execute", { sql: twice, connection: "main" }, /UNIQUE/);
    await call("execute", { sql: "DELETE FROM pets WHERE id > 9", connection: "main" });
    const count = "SELECT count(*) AS n FROM pets";
    const { rows } = await call("query", { sql: count, connection: "reader" });
    assert.deepEqual(rows, [{ n: 2 }]);
  });

  await t.step("a statement that never ends is stopped; the next one runs", async () => {
    const sql =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c";
    await fails("query", { sql, connection: "main" }, /longer than 10 s/);
    const signal = AbortSignal.timeout(500);
    await assert.rejects(registry.call("db__query", { sql, connection: "main" }, { signal }));
    const { rows } = await call("query", { sql: "SELECT 1 AS a", connection: "main" });
    assert.deepEqual(rows, [{ a: 1 }]);
  });

  await t.step("files are limited to the allowed folders", async () => {
    await fails("tables", { connection: `sqlite:${outside}` }, /outside the allowed folders/);
    await fails("tables", { connection: "sqlite:missing.db" }, /no such file/);
    await Deno.writeFile(join(project, "a,b.db"), new Uint8Array());
    await fails("tables", { connection: "sqlite:a,b.db" }, /has a comma/);
    await fails("tables", {}, /pass one of main, reader, odd/);
    await fails("tables", { connection: "mian" }, /available: main/);
    await fails("tables", { connection: "odd" }, /neither sqlite:path nor postgres/);
    await fails("tables", { connection: "postgres://a:s3cret@x/y" }, /^[^]*that URL(?![^]*s3cret)/);
    assert.doesNotMatch(JSON.stringify(await call("connections", {})), /s3cret/);
  });
  await Deno.remove(outside);
});
