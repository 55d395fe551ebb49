/** Engine for PostgreSQL. */

import type { JsonObject, JsonValue, NameLookup } from "#base";
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
import { refuseBeyond, refuseNumbered } from "./beyond.ts";
import { describeTable, TABLES } from "./catalog.ts";
import type { Client } from "./connect.ts";
import { MAY, refuseRole } from "./roles.ts";
import { readRows } from "./rows.ts";
import type { Traffic } from "./traffic.ts";
import { inward } from "./values.ts";

/** Rows of the first fetch. */
const FIRST = 10;
/** Maximum number of rows of a fetch. */
const BATCH = 1_000;
/** Maximum number of lines of a plan: short ones take more memory than characters. */
const MOST_LINES = 250_000;

export interface PostgresOptions {
  readonly url: string;
  readonly write: boolean;
  /** True to accept a powerful role on a read-only connection. */
  readonly superuser: boolean;
  readonly traffic: Traffic;
  readonly names: NameLookup;
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
    const { lastRow, withClient } = await import("./connect.ts");
    return await withClient(server, options, async (client) => {
      const begin = `BEGIN READ ONLY; ${limits(options, "LOCAL")}`;
      if (superuser || (write && !options.isLook)) await lastRow(client, begin);
      else refuseRole(await lastRow(client, `${begin}; ${MAY}`));
      return await work(client);
    });
  }

  const all = async (sql: string, params: JsonValue[], options: EngineOptions) => {
    const most = { ...options, limit: 10_000 };
    const { rows } = await reading(most, (client) => rowsOf(client, { sql, params }, most));
    return rows;
  };

  return {
    query: (statement, options) =>
      reading(options, async (client) => {
        refuseNumbered(statement.sql);
        await refuseBeyond([statement.sql]);
        const whole = { maxBytes: Infinity, form: "VERBOSE, COSTS OFF" };
        await refuseBeyond(await planOf(client, statement, whole));
        return await rowsOf(client, statement, options);
      }),
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
      const { maxBytes } = options;
      const form = "FORMAT TEXT";
      return await reading(
        options,
        async (client) => (await planOf(client, statement, { maxBytes, form })).join("\n"),
      );
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function limits({ timeoutMs }: EngineOptions, scope: "LOCAL" | "SESSION"): string {
  return `SET ${scope} statement_timeout = ${Math.max(1, Math.round(timeoutMs))}`;
}

interface PlanOptions extends Pick<EngineOptions, "maxBytes"> {
  /** Options of EXPLAIN. */
  readonly form: string;
}

/** Lines of the plan of a statement, which is not run. */
async function planOf(
  client: Client,
  statement: Statement,
  { maxBytes, form }: PlanOptions,
): Promise<string[]> {
  const { ask } = await import("./connect.ts");
  // After the parentheses the grammar allows only a statement: ANALYZE cannot be added.
  const text = `EXPLAIN (${form}) ${statement.sql}`;
  const room = { limit: MOST_LINES, maxBytes, endsEarly: true };
  const plan = await ask(client, text, { values: positional(statement), ...room });
  if (plan.isCut) throw tooLarge("the plan");
  return plan.rows.map(([line]) => line ?? "");
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
  const { ask, lastRow, openReader } = await import("./connect.ts");
  await lastRow(client, limits(options, "SESSION"));
  // Some statements (VACUUM, CREATE DATABASE) run outside a transaction only.
  const together = statements.length > 1;
  if (together) await lastRow(client, "BEGIN");
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
  if (together) await lastRow(client, "COMMIT");
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
