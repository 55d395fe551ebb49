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
  tooLarge,
} from "../engine.ts";
import { describeTable, TABLES } from "./catalog.ts";
import type { Client } from "./connect.ts";
import { readRows } from "./rows.ts";
import type { Traffic } from "./traffic.ts";
import { inward } from "./values.ts";

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
  readonly traffic: Traffic;
}

/** Makes the engine. The driver is loaded at the first call. */
export function createPostgresEngine(
  { write, superuser, ...server }: PostgresOptions,
): Engine {
  /** Runs the work in a read-only transaction, which ends with its connection. */
  async function reading<T>(
    options: EngineOptions,
    work: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { withClient } = await import("./connect.ts");
    return await withClient(server, options, async (client) => {
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
      return await withClient(server, options, (client) => change(client, statements, options));
    },
    async tables(options) {
      return await all(TABLES, [], options) as unknown as readonly TableInfo[];
    },
    describe: (name, options) => describeTable(name, (sql, ...params) => all(sql, params, options)),
    async explain(statement, options) {
      const { ask } = await import("./connect.ts");
      return await reading(options, async (client) => {
        // After the parentheses the grammar allows only a statement: ANALYZE cannot be added.
        const text = `EXPLAIN (FORMAT TEXT) ${statement.sql}`;
        const room = { limit: Infinity, maxBytes: options.maxBytes, endsEarly: true };
        const plan = await ask(client, text, { values: positional(statement), ...room });
        if (plan.isCut) throw tooLarge("the plan");
        return plan.rows.map(([line]) => line).join("\n");
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function limits({ timeoutMs }: EngineOptions, scope: "LOCAL" | "SESSION"): string {
  return `SET ${scope} statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`;
}

async function refusePowerful(client: Client): Promise<void> {
  if (await textOf(client, POWERFUL) === "f") return;
  throw new PackError(
    "blocked",
    "Cannot read as this role: it is a superuser, a member of one, or may use files and programs " +
      "of the server, which no read-only transaction prevents: use a role of its own in the URL (GRANT " +
      "pg_read_all_data TO reader), or set superuser: true for the connection",
  );
}

async function refuseLeaving(client: Client): Promise<void> {
  const name = await textOf(client, LEAVING);
  if (name === undefined) return;
  throw new PackError(
    "blocked",
    `Cannot read as this role: it may call ${name}(), which opens another connection, and no ` +
      "read-only transaction prevents what that does: REVOKE EXECUTE ON ALL FUNCTIONS of the " +
      "extension FROM PUBLIC, or set superuser: true for the connection",
  );
}

const UNREAD =
  "Cannot read as this role: the server's answer about what it may do is larger than 1 kB: " +
  "use another role in the URL, or set superuser: true for the connection";

/** Value of a query of one row; undefined without a row. */
async function textOf(client: Client, sql: string): Promise<string | null | undefined> {
  const { ask } = await import("./connect.ts");
  const { rows: [row], isCut } = await ask(client, sql, { limit: 1, maxBytes: 2 ** 10 });
  if (isCut) throw new PackError("blocked", UNREAD);
  return row?.[0];
}

/** Reads rows by a cursor: the grammar allows only a query there, and the server sends only the rows
 * that are fetched. */
async function rowsOf(
  client: Client,
  statement: Statement,
  { limit, maxBytes }: EngineOptions,
): Promise<Rows> {
  const { ask, openReader } = await import("./connect.ts");
  const cursor = `DECLARE toolscript_rows NO SCROLL CURSOR FOR ${statement.sql}`;
  await ask(client, cursor, { values: positional(statement), limit, maxBytes });
  const read = openReader();
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (;;) {
    const fitting = rows.length === 0
      ? FIRST
      : 1 + Math.ceil((maxBytes - bytes) * rows.length / bytes);
    const size = Math.min(BATCH, fitting, limit + 1 - rows.length);
    const fetch = `FETCH FORWARD ${size} FROM toolscript_rows`;
    const left = maxBytes - bytes;
    const batch = await ask(client, fetch, { limit: size, maxBytes: left, endsEarly: true });
    const taken = await readRows(batch, { limit: limit - rows.length, maxBytes: left, read });
    for (const row of taken.rows) rows.push(row);
    bytes += taken.bytes;
    const { columns, has_more } = taken;
    if (has_more && rows.length === 0) throw tooLarge("the first row");
    if (has_more || batch.rows.length < size) return { columns, rows, has_more };
  }
}

async function change(
  client: Client,
  statements: readonly Statement[],
  options: EngineOptions,
): Promise<Executed[]> {
  const { ask, openReader } = await import("./connect.ts");
  await client.query(limits(options, "SESSION"));
  // Some statements (VACUUM, CREATE DATABASE) run outside a transaction only.
  const together = statements.length > 1;
  if (together) await client.query("BEGIN");
  const read = openReader();
  const results: Executed[] = [];
  const { limit } = options;
  let { maxBytes } = options;
  for (const statement of statements) {
    const values = positional(statement);
    const answer = await ask(client, statement.sql, { values, limit, maxBytes });
    const { bytes, ...rows } = await readRows(answer, { limit, maxBytes, read })
      .catch((error) => {
        throw together ? error : unreturned(error);
      });
    maxBytes -= bytes;
    results.push({ ...rows, changed: answer.count });
  }
  if (together) await client.query("COMMIT");
  return results;
}

/** Tells that a change remains although its rows cannot be returned. */
function unreturned(error: unknown): unknown {
  if (!(error instanceof PackError)) return error;
  const message = `Cannot return the rows of the statement, which is done: ${error.message}`;
  return new PackError(error.code, message, { cause: error });
}

function positional({ params }: Statement): unknown[] {
  if (Array.isArray(params)) return params.map((value: JsonValue) => inward(value));
  if (Object.keys(params).length === 0) return [];
  throw new PackError(
    "invalid_arguments",
    "Cannot use parameters by name with PostgreSQL: write $1, $2 and pass a list",
  );
}
