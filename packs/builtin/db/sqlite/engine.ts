/** Engine for SQLite files. */

import { createTurns, type JsonObject, type JsonValue } from "#base";
import {
  type Engine,
  type EngineOptions,
  type Executed,
  noTable,
  readOnly,
  type Rows,
  type Statement,
  type TableInfo,
  type TableName,
} from "../engine.ts";
import { uniqueNames } from "../../kit/values.ts";
import type { HolderDeps } from "./holder.ts";
import { Holders } from "./holders.ts";
import type { SqliteRows } from "./protocol.ts";

const TABLES =
  `SELECT schema, name, type AS kind FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
const COLUMNS =
  'SELECT name, type, "notnull" = 0 AS nullable, dflt_value AS "default", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1';
const INDEXES =
  'SELECT l.name, l."unique", (SELECT json_group_array(name) FROM pragma_index_info(l.name)) AS columns FROM pragma_index_list(?) AS l';
const REFERENCES =
  'SELECT "from" AS "column", "table", "to" AS target FROM pragma_foreign_key_list(?)';
const SOURCE = "SELECT sql FROM sqlite_schema WHERE name = ? AND type IN ('table', 'view')";

/** Statements that read one file at the same time, for different runs: they do not wait for each other. */
const READERS = 2;

/** Makes the engine. Only `execute` opens the file for writing, and only with `write`. */
export function createSqliteEngine(
  path: string,
  { write, ...deps }: HolderDeps & { readonly write: boolean },
): Engine {
  const reader = new Holders(path, { write: false, count: READERS }, deps);
  // One at a time can change a file: another would wait for it in SQLite.
  const writer = write ? new Holders(path, { write: true, count: 1 }, deps) : undefined;

  async function run(statement: Statement, options: EngineOptions): Promise<Rows> {
    const [rows] = await ask(reader, [statement], options);
    return { columns: rows?.columns ?? [], rows: rows?.rows ?? [], has_more: !!rows?.has_more };
  }
  const all = async (sql: string, params: JsonValue[], options: EngineOptions) =>
    (await run({ sql, params }, { ...options, limit: 10_000 })).rows;

  return {
    query: run,
    async execute(statements, options) {
      if (!writer) throw readOnly();
      return await ask(writer, statements, options);
    },
    async tables(options) {
      const tables = await all(TABLES, [], options);
      return tables.map((row) => ({ ...row, rows: null }) as unknown as TableInfo);
    },
    async describe(name, options) {
      return await describe(name, (sql, ...params) => all(sql, params, options));
    },
    async explain({ sql, params }, options) {
      const { rows } = await run({ sql: `EXPLAIN QUERY PLAN ${sql}`, params }, options);
      return rows.map(({ detail }) => String(detail)).join("\n");
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([reader, writer].map((holders) => holders?.[Symbol.asyncDispose]()));
    },
  };
}

async function ask(
  holders: Holders,
  statements: readonly Statement[],
  { limit, maxBytes, timeoutMs, file, signal, run }: EngineOptions,
): Promise<Executed[]> {
  const busyMs = Math.min(5_000, timeoutMs);
  const work = { statements, limit, maxBytes, busyMs, file };
  const results = await holders.run(work, { signal, run, timeoutMs });
  const turn = createTurns();
  return await Array.fromAsync(results, (rows) => asObjects(rows, turn));
}

async function asObjects(
  { columns, rows, has_more, changed }: SqliteRows,
  turn: ReturnType<typeof createTurns>,
): Promise<Executed> {
  const names = uniqueNames(columns);
  const objects: JsonObject[] = [];
  for (const row of rows) {
    objects.push(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    await turn();
  }
  return { columns: names, rows: objects, has_more, changed };
}

type Ask = (sql: string, ...params: string[]) => Promise<readonly JsonObject[]>;

async function describe({ table }: TableName, ask: Ask): Promise<JsonObject> {
  const columns = await ask(COLUMNS, table);
  if (columns.length === 0) throw noTable(table);
  const [indexes, references, [source]] = await Promise.all([
    ask(INDEXES, table),
    ask(REFERENCES, table),
    ask(SOURCE, table),
  ]);
  return {
    schema: "main",
    name: table,
    columns: columns.map(({ pk, nullable, ...column }) => ({
      ...column,
      nullable: nullable === 1 && pk === 0,
      primary_key: pk !== 0,
    })),
    indexes: indexes.map(({ name, unique, columns }) => ({
      name: name ?? "",
      unique: unique === 1,
      columns: JSON.parse(String(columns)) as JsonValue,
    })),
    references: references.map(({ column, table, target }) => ({
      columns: [column ?? null],
      table: table ?? "",
      targets: [target ?? null],
    })),
    definition: source?.sql ?? null,
  };
}
