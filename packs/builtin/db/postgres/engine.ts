/** Engine for PostgreSQL. */

import type { JsonObject, JsonValue } from "#base";
import { PackError } from "../../../errors.ts";
import {
  type Engine,
  type EngineOptions,
  type Executed,
  readOnly,
  type Rows,
  type Statement,
  type TableInfo,
} from "../engine.ts";
import { uniqueNames } from "../../kit/values.ts";
import { describeTable, TABLES } from "./catalog.ts";
import type { Client, Result } from "./connect.ts";
import { inward, outward } from "./values.ts";

/** Rows of the first fetch. */
const FIRST = 10;
/** Maximum number of rows of a fetch. */
const BATCH = 1_000;
/** Roles whose functions reach files and programs of the server, also in a read-only transaction. A
 * statement may take on any role that its own is a member of. */
const POWERFUL = `SELECT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE
  (r.rolsuper OR
    r.rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files'))
  AND pg_catalog.pg_has_role(session_user, r.oid, 'member'))`;

/** Functions that open another connection or session, with a password that a program may know: what
 * they do there is in no read-only transaction. */
const LEAVING = `SELECT p.proname FROM pg_catalog.pg_proc p
  LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    AND d.objid = p.oid AND d.deptype = 'e'
    AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
  LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
  WHERE (e.extname IN ('dblink', 'http', 'pg_background', 'aws_lambda', 'aws_s3')
      OR p.probin ~ '(^|/)(dblink|http|pg_background)([.]|$)')
    AND EXISTS (SELECT FROM pg_catalog.pg_roles r
      WHERE pg_catalog.pg_has_role(session_user, r.oid, 'member')
        AND pg_catalog.has_function_privilege(r.oid, p.oid, 'EXECUTE'))
  ORDER BY 1 LIMIT 1`;

export interface PostgresOptions {
  readonly url: string;
  readonly write: boolean;
  /** True to accept a powerful role on a read-only connection. */
  readonly superuser: boolean;
}

/** Makes the engine. The driver is loaded at the first call. */
export function createPostgresEngine({ url, write, superuser }: PostgresOptions): Engine {
  /** Runs the work in a read-only transaction, which ends with its connection. */
  async function reading<T>(
    options: EngineOptions,
    work: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { withClient } = await import("./connect.ts");
    return await withClient(url, options, async (client) => {
      await client.query(`BEGIN READ ONLY; ${limits(options, "LOCAL")}`);
      if (!superuser && (!write || options.isLook)) {
        await refusePowerful(client);
        await refuseLeaving(client);
      }
      return await work(client);
    });
  }

  async function query(statement: Statement, options: EngineOptions): Promise<Rows> {
    return await reading(options, (client) => rowsOf(client, statement, options));
  }
  const all = async (sql: string, params: JsonValue[], options: EngineOptions) =>
    (await query({ sql, params }, { ...options, limit: 10_000 })).rows;

  return {
    query,
    async execute(statements, options) {
      if (!write) throw readOnly();
      const { withClient } = await import("./connect.ts");
      return await withClient(url, options, (client) => change(client, statements, options));
    },
    async tables(options) {
      return await all(TABLES, [], options) as unknown as readonly TableInfo[];
    },
    describe: (name, options) => describeTable(name, (sql, ...params) => all(sql, params, options)),
    async explain(statement, options) {
      const { single } = await import("./connect.ts");
      return await reading(options, async (client) => {
        // After the parentheses the grammar allows only a statement: ANALYZE cannot be added.
        const text = `EXPLAIN (FORMAT TEXT) ${statement.sql}`;
        const { rows } = await client.query(single(text, positional(statement)));
        return rows.map(([line]) => String(line)).join("\n");
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function limits({ timeoutMs }: EngineOptions, scope: "LOCAL" | "SESSION"): string {
  return `SET ${scope} statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`;
}

async function refusePowerful(client: Client): Promise<void> {
  const { single } = await import("./connect.ts");
  const { rows: [row] } = await client.query(single(POWERFUL, []));
  if (row?.[0] !== true) return;
  throw new PackError(
    "blocked",
    "Cannot read as this role: it is a superuser, a member of one, or may use files and programs " +
      "of the server, which no read-only transaction prevents: use a role of its own in the URL (GRANT " +
      "pg_read_all_data TO reader), or set superuser: true for the connection",
  );
}

async function refuseLeaving(client: Client): Promise<void> {
  const { single } = await import("./connect.ts");
  const { rows: [row] } = await client.query(single(LEAVING, []));
  if (row === undefined) return;
  throw new PackError(
    "blocked",
    `Cannot read as this role: it may call ${row[0]}(), which opens another connection, and no ` +
      "read-only transaction prevents what that does: REVOKE EXECUTE ON ALL FUNCTIONS of the " +
      "extension FROM PUBLIC, or set superuser: true for the connection",
  );
}

/** Reads rows by a cursor: the grammar allows only a query there, and the server sends only the rows
 * that are fetched. */
async function rowsOf(
  client: Client,
  statement: Statement,
  { limit, maxBytes }: EngineOptions,
): Promise<Rows> {
  const { single } = await import("./connect.ts");
  const cursor = `DECLARE toolscript_rows NO SCROLL CURSOR FOR ${statement.sql}`;
  await client.query(single(cursor, positional(statement)));
  const rows: JsonObject[] = [];
  let columns: string[] = [];
  let bytes = 0;
  for (;;) {
    const fitting = rows.length === 0
      ? FIRST
      : 1 + Math.ceil((maxBytes - bytes) * rows.length / bytes);
    const size = Math.min(BATCH, fitting, limit + 1 - rows.length);
    const batch = await client.query(single(`FETCH FORWARD ${size} FROM toolscript_rows`, []));
    columns = uniqueNames(batch.fields.map(({ name }) => name));
    for (const row of objects(batch, columns)) {
      bytes += JSON.stringify(row).length;
      if (rows.length === limit || bytes > maxBytes) return { columns, rows, has_more: true };
      rows.push(row);
    }
    if (batch.rows.length < size) return { columns, rows, has_more: false };
  }
}

async function change(
  client: Client,
  statements: readonly Statement[],
  options: EngineOptions,
): Promise<Executed[]> {
  const { single } = await import("./connect.ts");
  await client.query(limits(options, "SESSION"));
  // Some statements (VACUUM, CREATE DATABASE) run outside a transaction only.
  const together = statements.length > 1;
  if (together) await client.query("BEGIN");
  const results: Executed[] = [];
  for (const statement of statements) {
    const result = await client.query(single(statement.sql, positional(statement)));
    const columns = uniqueNames(result.fields.map(({ name }) => name));
    const rows = objects(result, columns);
    const page = rows.slice(0, options.limit);
    const has_more = rows.length > page.length;
    results.push({ columns, rows: page, has_more, changed: result.rowCount ?? 0 });
  }
  if (together) await client.query("COMMIT");
  return results;
}

function objects({ rows }: Result, columns: readonly string[]): JsonObject[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, outward(row[at])])));
}

function positional({ params }: Statement): unknown[] {
  if (Array.isArray(params)) return params.map((value: JsonValue) => inward(value));
  if (Object.keys(params).length === 0) return [];
  throw new PackError(
    "invalid_arguments",
    "Cannot use parameters by name with PostgreSQL: write $1, $2 and pass a list",
  );
}
