/** The `db` pack on a real PostgreSQL. */

import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "#base";
import { createRegistry, type Registry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";
import { findPostgres, type TestPostgres } from "../../../support/postgres.ts";

const postgres = await findPostgres();
const ignore = typeof postgres === "string";
const SETUP = [
  "CREATE ROLE reader LOGIN PASSWORD 'reader'",
  "CREATE ROLE writer LOGIN PASSWORD 'writer'",
  "CREATE ROLE admin SUPERUSER",
  "CREATE ROLE team NOINHERIT",
  "CREATE ROLE member LOGIN PASSWORD 'member' NOINHERIT",
  "GRANT admin TO team",
  "GRANT team TO member",
  "CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, age int, born date, data jsonb)",
  "COMMENT ON COLUMN people.age IS 'In years'",
  "CREATE TABLE pets (id int, owner int REFERENCES people (id))",
  "CREATE INDEX by_name ON people (lower(name))",
  "INSERT INTO people (name, age, born, data) VALUES ('Ana', 41, '1985-02-03', '{\"a\": [1]}'), ('Ben', 7, NULL, NULL)",
  "GRANT SELECT, INSERT, UPDATE, DELETE ON people TO reader, writer",
  "GRANT CREATE ON SCHEMA public TO reader",
  "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO reader, writer",
  "CREATE FUNCTION add_person() RETURNS int LANGUAGE sql SECURITY DEFINER AS $$ INSERT INTO people (name) VALUES ('evil') RETURNING id $$",
];

Deno.test({
  name: `db.* on PostgreSQL${ignore ? ` (skipped: ${postgres})` : ""}`,
  ignore,
  async fn(t) {
    assert.ok(typeof postgres !== "string");
    await using server = await postgres.start();
    const connections = connectionsOf(server);
    const settings = { connections, timeout: 10, max_result_mb: 1 };
    await using stage = await openBuiltin("db", settings);
    await using registry = createRegistry([stage.pack], { log: () => {} });
    const { call, fails } = caller(registry);
    const statements = SETUP.map((sql) => ({ sql }));
    await call("execute", { statements, connection: "owner" });

    await t.step("query() returns rows as JSON", async () => {
      const sql = "SELECT *, 9007199254740993::int8 AS big, 1.10::numeric AS num, " +
        "'\\x00ff'::bytea AS bytes, ARRAY[1, 2] AS list, 'NaN'::float8 AS nan, " +
        "'2026-01-02 03:04:05+00'::timestamptz AT TIME ZONE 'UTC' AS at " +
        "FROM people WHERE name = $1 AND age = ANY ($2)";
      const { rows, has_more } = await call("query", {
        sql,
        params: ["Ana", [41, 42]],
        connection: "reader",
      }) as { rows: JsonObject[]; has_more: boolean };
      assert.equal(has_more, false);
      assert.deepEqual(rows, [{
        id: 1,
        name: "Ana",
        age: 41,
        born: "1985-02-03",
        data: { a: [1] },
        big: "9007199254740993",
        num: "1.10",
        bytes: { base64: "AP8=" },
        list: [1, 2],
        nan: "NaN",
        at: "2026-01-02 03:04:05",
      }]);
    });

    await t.step("query() stops at the limit and sets has_more", async () => {
      const sql = "SELECT n FROM generate_series(1, 9999) AS n, generate_series(1, 99999)";
      const result = await call("query", { sql, limit: 3, connection: "reader" });
      const { columns, rows, has_more } = result as { [name: string]: JsonValue };
      assert.deepEqual(columns, ["n"]);
      assert.equal((rows as JsonValue[]).length, 3);
      assert.equal(has_more, true);
      const large = "SELECT repeat('x', 100000) AS x FROM generate_series(1, 1000)";
      const cut = await call("query", { sql: large, connection: "reader" }) as JsonObject;
      assert.equal(cut.has_more, true);
    });

    await t.step("tables(), schema() and explain() describe the database", async () => {
      const tables = await call("tables", { connection: "reader" }) as JsonObject[];
      assert.deepEqual(tables.map(({ name, kind }) => [name, kind]), [
        ["people", "table"],
        ["pets", "table"],
      ]);
      const people = await call("schema", { table: "people", connection: "reader" }) as {
        columns: JsonObject[];
        indexes: JsonObject[];
      };
      assert.deepEqual(people.columns[0], {
        name: "id",
        type: "integer",
        nullable: false,
        default: "nextval('people_id_seq'::regclass)",
        primary_key: true,
        comment: null,
      });
      assert.deepEqual(people.indexes[0], {
        name: "by_name",
        unique: false,
        columns: ["lower(name)"],
      });
      const pets = await call("schema", { table: "pets", connection: "reader" }) as JsonObject;
      assert.deepEqual(pets.references, [{ columns: ["owner"], table: "people", targets: ["id"] }]);
      const sql = "SELECT * FROM people WHERE id = $1";
      const plan = await call("explain", { sql, params: [1], connection: "reader" });
      assert.match(String(plan), /people/);
    });

    for (const [sql, message] of ATTEMPTS) {
      await t.step(`query() changes nothing by ${sql}`, async () => {
        const before = await call("query", { sql: "TABLE people", connection: "owner" });
        await fails("query", { sql, connection: "reader" }, message);
        const after = await call("query", { sql: "TABLE people", connection: "owner" });
        assert.deepEqual(after, before);
      });
    }

    await t.step("query() leaves no changes behind", async () => {
      // Before version 16, large objects are no matter of read-only transactions.
      const sql = "SELECT lo_from_bytea(0, 'x')";
      await call("query", { sql, connection: "reader" }).catch(() => {});
      const count = "SELECT count(*)::int AS n FROM pg_largeobject_metadata";
      const { rows } = await call("query", { sql: count, connection: "owner" }) as JsonObject;
      assert.deepEqual(rows, [{ n: 0 }]);
    });

    await t.step("explain() does not run the statement", async () => {
      const before = await call("query", { sql: "TABLE people", connection: "owner" });
      const insert = "INSERT INTO people (name) VALUES ('evil')";
      await call("explain", { sql: insert, connection: "reader" });
      for (const sql of [`ANALYZE ${insert}`, `SELECT 1; ${insert}`]) {
        await fails("explain", { sql, connection: "reader" }, /syntax error|multiple commands/);
      }
      assert.deepEqual(await call("query", { sql: "TABLE people", connection: "owner" }), before);
    });

    await t.step("a superuser is refused on a read-only connection", async () => {
      await fails("query", { sql: "SELECT 1", connection: "root" }, /is a superuser.*GRANT/);
      const inner = "SELECT pg_read_file(''postgresql.conf'', 0, 10)";
      const role = "SELECT set_config('role', 'admin', true) OFFSET 0";
      const sql = `SELECT query_to_xml('${inner}', true, true, '')::text FROM (${role}) AS r`;
      await fails("query", { sql, connection: "member" }, /a member of one/);
      const { rows } = await call("query", { sql: "SELECT 1 AS a", connection: "trusted" }) as {
        rows: JsonValue;
      };
      assert.deepEqual(rows, [{ a: 1 }]);
    });

    await t.step("a role that may open another connection is refused", async (t) => {
      const available = "SELECT name FROM pg_available_extensions WHERE name = 'dblink'";
      const { rows } = await call("query", { sql: available, connection: "owner" }) as {
        rows: JsonObject[];
      };
      const change = async (...all: string[]) =>
        await call("execute", { statements: all.map((sql) => ({ sql })), connection: "owner" });
      const url = "host=127.0.0.1 user=writer password=writer";
      const sql = `SELECT * FROM dblink('${url}', 'DELETE FROM people') AS t (a text)`;
      const away = /may call dblink\w*\(\), which opens another connection.*REVOKE/;
      await t.step({
        name: `dblink${rows.length === 0 ? " (skipped: the server does not have it)" : ""}`,
        ignore: rows.length === 0,
        async fn() {
          await change("CREATE EXTENSION dblink");
          await fails("query", { sql, connection: "reader" }, away);
          const inner = "SELECT query_to_xml('SELECT 1', true, true, '')";
          await fails("query", { sql: inner, connection: "reader" }, away);
          await fails("explain", { sql: inner, connection: "reader" }, away);
          await change("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC");
          await fails("query", { sql, connection: "reader" }, /permission denied/);
          await change(
            "CREATE ROLE linker",
            "GRANT linker TO reader",
            "ALTER ROLE reader NOINHERIT",
            "GRANT EXECUTE ON FUNCTION dblink(text, text) TO linker",
          );
          await fails("query", { sql, connection: "reader" }, away);
          await change("DROP EXTENSION dblink", "ALTER ROLE reader INHERIT", "DROP ROLE linker");
          await call("query", { sql: "SELECT 1", connection: "reader" });
        },
      });
    });

    await t.step("execute() changes all or nothing, with write: true", async () => {
      const update = "UPDATE people SET age = $1 WHERE name = $2 RETURNING age";
      await fails(
        "execute",
        { sql: update, params: [1, "Ana"], connection: "reader" },
        /write: true/,
      );
      const done = await call("execute", { sql: update, params: [8, "Ben"], connection: "writer" });
      assert.deepEqual(done, {
        changed: 1,
        results: [{ columns: ["age"], rows: [{ age: 8 }], has_more: false, changed: 1 }],
      });
      const statements = [{ sql: "DELETE FROM people" }, { sql: "SELECT nonsense" }];
      await fails("execute", { statements, connection: "writer" }, /nonsense/);
      const sql = "SELECT count(*)::int AS n FROM people";
      const { rows } = await call("query", { sql, connection: "writer" }) as { rows: JsonValue };
      assert.deepEqual(rows, [{ n: 2 }]);
    });

    await t.step("a statement ends at its time limit and with its run", async () => {
      await fails(
        "query",
        { sql: "SELECT pg_sleep(60)", connection: "reader" },
        /longer than 10 s/,
      );
      const ended = AbortSignal.timeout(300);
      await assert.rejects(
        registry.call("db__query", { sql: "SELECT pg_sleep(50)", connection: "reader" }, {
          signal: ended,
        }),
      );
      const running =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      for (let left = 600;; left--) {
        const { rows } = await call("query", { sql: running, connection: "owner" }) as {
          rows: JsonObject[];
        };
        if (rows[0]?.n === 0) break;
        assert.ok(left > 0, "the server still runs the statement");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });

    await t.step("no error shows a password", async () => {
      const error = await fails("query", { sql: "SELECT 1", connection: "wrong" }, /connect/);
      assert.doesNotMatch(error, /s3cr|t%21|t!/);
      await fails("query", { sql: "SELECT 1", connection: "nobody" }, /Cannot connect/);
      const list = JSON.stringify(await call("connections", {}));
      assert.doesNotMatch(list, /s3cr/);
    });
  },
});

/** What was tried to get round a read-only connection. */
const ATTEMPTS: readonly (readonly [string, RegExp])[] = [
  ["INSERT INTO people (name) VALUES ('evil')", /syntax error/],
  ["WITH a AS (DELETE FROM people RETURNING *) SELECT * FROM a", /data-modifying/],
  ["SELECT 1; DELETE FROM people", /multiple commands/],
  ["SELECT add_person()", /read-only transaction/],
  ["SELECT * INTO copied FROM people", /INTO/],
  ["SELECT * FROM people FOR UPDATE", /read-only|FOR UPDATE/],
  ["SET TRANSACTION READ WRITE", /syntax error/],
  ["COMMIT", /syntax error/],
  ["DO $$ BEGIN DELETE FROM people; END $$", /syntax error/],
  ["COPY people TO PROGRAM 'cat > /tmp/evil'", /syntax error/],
  ["EXPLAIN ANALYZE DELETE FROM people", /syntax error/],
  ["SELECT set_config('transaction_read_only', 'off', true), add_person()", /read-write|read-only/],
  ["SELECT nextval('people_id_seq')", /read-only/],
  ["SELECT query_to_xml('delete from people', true, true, '')", /not allowed|read-only/],
  ["SELECT pg_read_file('/etc/passwd')", /permission denied/],
];

function connectionsOf({ url, urlOf }: TestPostgres): JsonObject {
  const wrong = new URL(url);
  wrong.password = "s3cr%t!";
  return {
    owner: { url, write: true },
    root: url,
    trusted: { url, superuser: true },
    reader: urlOf("reader"),
    member: urlOf("member"),
    writer: { url: urlOf("writer"), write: true },
    wrong: wrong.href,
    nobody: "postgres://a:s3cret@127.0.0.1:1/x",
  };
}

function caller(registry: Registry) {
  return {
    async call(tool: string, args: JsonObject): Promise<JsonValue> {
      return (await registry.call(`db__${tool}`, args, {})).value;
    },
    async fails(tool: string, args: JsonObject, message: RegExp): Promise<string> {
      const error = await registry.call(`db__${tool}`, args, {}).then(
        ({ value }) => assert.fail(`it gave ${JSON.stringify(value)}`),
        (error) => error,
      );
      assert.equal(error.name, "PackError", String(error.stack));
      assert.match(error.message, message);
      return error.message;
    },
  };
}
