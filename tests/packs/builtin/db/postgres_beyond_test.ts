/** What no read-only transaction of PostgreSQL prevents. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import { type CallOptions, createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";
import { findPostgres } from "../../../support/postgres.ts";

const postgres = await findPostgres();
const ignore = typeof postgres === "string";
const LOOK: CallOptions = { look: () => {} };
const DOCS = "../../../../docs/security.md";
const UNLOCKS = ["pg_advisory_unlock", "pg_advisory_unlock_all", "pg_advisory_unlock_shared"];
const OTHERS = "pid FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()";

Deno.test({
  name: `acts beyond a transaction of PostgreSQL${ignore ? ` (skipped: ${postgres})` : ""}`,
  ignore,
  async fn(t) {
    assert.ok(typeof postgres !== "string");
    await using server = await postgres.start();
    const connections = {
      owner: { url: server.url, write: true },
      trusted: { url: server.url, superuser: true },
      reader: server.urlOf("reader"),
      writer: { url: server.urlOf("reader"), write: true },
    };
    await using stage = await openBuiltin("db", { connections });
    await using registry = createRegistry([stage.pack], { log: () => {} });
    const call = async (tool: string, args: JsonObject, options: CallOptions = {}) =>
      (await registry.call(`db__${tool}`, args, options)).value as JsonObject;
    const change = async (...all: string[]) =>
      await call("execute", { statements: all.map((sql) => ({ sql })), connection: "owner" });
    const query = (sql: string, connection = "reader", params: string[] = []) =>
      call("query", { sql, connection, params });
    const refused = async (sql: string, message: RegExp, connection = "reader") => {
      await assert.rejects(query(sql, connection), { name: "PackError", code: "blocked", message });
    };
    await change("CREATE ROLE reader LOGIN PASSWORD 'reader'", ...SETUP);

    await t.step("functions that reach files are refused where they were granted", async () => {
      for (const name of ["pg_read_file(text)", "lo_export(oid, text)", "pg_ls_dir(text)"]) {
        const message = new RegExp(`may call ${name.split("(")[0]}\\(\\), which reaches files`);
        await change(`GRANT EXECUTE ON FUNCTION ${name} TO reader`);
        await refused("SELECT 1", message);
        await query("SELECT 1", "writer");
        await assert.rejects(
          call("query", { sql: "SELECT 1", connection: "writer" }, LOOK),
          { message },
        );
        await change(`REVOKE EXECUTE ON FUNCTION ${name} FROM reader`);
        await query("SELECT 1");
      }
      await change(
        "CREATE ROLE files",
        "GRANT EXECUTE ON FUNCTION lo_import(text) TO files",
        "ALTER ROLE reader NOINHERIT",
        "GRANT files TO reader",
      );
      await refused("SELECT 1", /may call lo_import/);
      await change("REVOKE files FROM reader", "ALTER ROLE reader INHERIT");
      await query("SELECT 1");
    });

    await t.step("roles of replication and of other sessions are refused", async () => {
      const message = /Cannot read as this role: .*sessions.*replication/;
      await change("GRANT pg_signal_backend TO reader");
      await refused("SELECT 1", message);
      await change("REVOKE pg_signal_backend FROM reader", "ALTER ROLE reader REPLICATION");
      await refused("SELECT 1", message);
      await change(
        "ALTER ROLE reader NOREPLICATION",
        "CREATE ROLE standby REPLICATION",
        "GRANT standby TO reader",
      );
      await refused("SELECT 1", message);
      await change("REVOKE standby FROM reader", "GRANT pg_monitor TO reader");
      await query("SELECT 1");
    });

    for (const sql of NAMED) {
      await t.step(`query() refuses ${sql}`, async () => {
        for (const connection of ["reader", "writer", "owner", "trusted"]) {
          await refused(sql, /acts beyond a read-only transaction/, connection);
        }
      });
    }

    await t.step("a view and a function that call one are refused by the plan", async () => {
      await refused("SELECT * FROM ends", /pg_terminate_backend\(\) acts beyond/);
      await refused("SELECT shared(1)", /pg_advisory_lock\(\) acts beyond/);
      await assert.rejects(query("SELECT shared($1)", "reader", ["1"]), /acts beyond/);
    });

    await t.step("names alone are data", async () => {
      const sql = "SELECT proname FROM pg_proc WHERE proname = 'pg_cancel_backend'";
      assert.deepEqual((await query(sql)).rows, [{ proname: "pg_cancel_backend" }]);
      const { rows } = await query("SELECT $1::text AS pg_notify", "reader", ["pg_switch_wal"]);
      assert.deepEqual(rows, [{ pg_notify: "pg_switch_wal" }]);
    });

    await t.step("the views of the server may be read", async () => {
      const { rows } = await query("SELECT viewname, definition FROM pg_views", "trusted");
      const names = (rows as JsonObject[]).filter(({ definition }) => {
        return /pg_(stat|replication)\w*\(/.test(String(definition));
      });
      assert.ok(names.length > 20);
      for (const { viewname } of names) {
        if (viewname !== "ends") await query(`SELECT * FROM ${viewname} LIMIT 1`, "trusted");
      }
    });

    await t.step("explain() runs none, and execute() may", async () => {
      const sql = "SELECT pg_notify('a', 'b')";
      assert.match(String(await call("explain", { sql, connection: "reader" })), /Result/);
      assert.equal((await call("execute", { sql, connection: "writer" })).changed, 1);
    });

    await t.step(
      "what a function calls is refused by the privileges that the docs revoke",
      async () => {
        const sql = "SELECT hidden($1) AS ended";
        assert.deepEqual((await query(sql, "reader", ["1"])).rows, [{ ended: false }]);
        const docs = await Deno.readTextFile(new URL(DOCS, import.meta.url));
        await change(/^```sql\n(?<revoke>DO [^]*?)^```$/m.exec(docs)?.groups?.revoke ?? "");
        const message = /permission denied for function pg_terminate_backend/;
        await assert.rejects(query(sql, "reader", ["1"]), { message });
        const names =
          "SELECT proname FROM pg_proc WHERE proname ~ 'advisory.*lock|(el|te)_backend$|_notify' " +
          "AND has_function_privilege(oid, 'EXECUTE') ORDER BY 1";
        const left = (await query(names)).rows as JsonObject[];
        assert.deepEqual(new Set(left.map(({ proname }) => proname)), new Set(UNLOCKS));
      },
    );

    await t.step("without these privileges a statement ends with its run", async () => {
      const sleep = { sql: "SELECT pg_sleep(300)", connection: "reader" };
      const signal = AbortSignal.timeout(300);
      await assert.rejects(call("query", sleep, { signal }));
      const running = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      for (let left = 600;; left--) {
        const { rows } = await query(running, "trusted");
        if ((rows as JsonObject[]).length === 0) break;
        assert.ok(left > 0, "the server still runs the statement");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
  },
});

const SETUP = [
  `CREATE VIEW ends AS SELECT pg_terminate_backend(pid) AS ended FROM (SELECT ${OTHERS}) AS o`,
  "GRANT SELECT ON ends TO reader",
  "CREATE FUNCTION hidden(int) RETURNS bool LANGUAGE plpgsql AS " +
  "$$ BEGIN RETURN pg_terminate_backend($1); END $$",
  "CREATE FUNCTION shared(bigint) RETURNS void LANGUAGE sql AS 'SELECT pg_advisory_lock($1)'",
];

/** Acts in no transaction, in all ways to write them. */
const NAMED = [
  `SELECT pg_terminate_backend(pid), ${OTHERS}`,
  "SELECT pg_cancel_backend(1)",
  "SELECT 1 LIMIT pg_terminate_backend(1)::int",
  "VALUES (PG_Notify ('a', 'b')), (NULL)",
  'SELECT pg_catalog."pg_notify"(chr(97), chr(98))',
  "SELECT 1 OFFSET pg_terminate_backend/* a */(1)::int",
  "SELECT 1 OFFSET pg_terminate_backend -- a\n(1)::int",
  "VALUES (false), ((0).pg_terminate_backend)",
  'VALUES (1, 2), ((1::bigint)./* a */"pg_try_advisory_lock"::int, 2)',
  "SELECT 1 LIMIT CASE WHEN (77::bigint). -- a\npg_try_advisory_lock THEN 1 END",
  "SELECT sum(x) OVER (ROWS BETWEEN (CASE WHEN (7::bigint).pg_try_advisory_lock THEN 1 END) " +
  "PRECEDING AND CURRENT ROW) FROM generate_series(1, 3) AS x",
  "SELECT table_to_xml('ends', true, false, '')",
  "SELECT schema_to_xml_and_xmlschema('public', true, false, '')",
  "SELECT brin_desummarize_range('i', 0)",
  'SELECT 1 LIMIT U&"pg\\005fterminate_backend"(1)::int',
  "SELECT * FROM pg_try_advisory_lock(1)",
  "SELECT pg_advisory_xact_lock_shared(1, 2)",
  "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots",
  "SELECT pg_create_physical_replication_slot('left', true)",
  "SELECT * FROM pg_logical_slot_get_changes('a', NULL, NULL)",
  "SELECT pg_logical_emit_message(false, 'a', 'b')",
  "SELECT pg_switch_wal()",
  "SELECT pg_stat_reset()",
  "SELECT query_to_xml('SELECT pg_term' || 'inate_backend(1)', true, true, '')",
  "SELECT * FROM ts_stat('SELECT to_tsvector(pg_term' || 'inate_backend(1)::text)')",
];
