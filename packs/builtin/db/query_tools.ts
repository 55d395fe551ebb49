/** `db.query`, `db.explain` and `db.execute`. */

import type { JsonObject, JsonValue } from "#base";
import { PackError } from "../../errors.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, list, object, TEXT, WHOLE } from "../kit/schemas.ts";
import type { Statement } from "./engine.ts";
import { boundsOf, CONNECTION, type DbParts } from "./parts.ts";

const SQL = p.text(
  "One statement. Write ? (SQLite) or $1 (PostgreSQL) for values, never the values",
  {
    examples: ["SELECT name FROM people WHERE age > ?"],
  },
);
const PARAMS = p.byDefault(
  p.anything(
    "The values, in order; for SQLite also by name: {id: 1} for :id. Bytes are " +
      '{"base64": "…"}',
    { type: ["array", "object"] },
  ),
  [],
) as p.Param<Statement["params"]>;
const LIMIT = p.byDefault(p.whole("Rows to give", { minimum: 1, maximum: 1_000_000 }), 1_000);
const ROWS = { columns: list(TEXT), rows: list({ type: "object" }), has_more: FLAG };

/** Makes the tools. */
export function queryTools(parts: DbParts): BuiltinTool[] {
  return [queryTool(parts), explainTool(parts), executeTool(parts)];
}

function queryTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "query",
    description: "Reads rows by one SQL query. The database itself keeps it from changing " +
      "data. PostgreSQL does not keep functions that it calls from ending sessions of its role, " +
      "or from locks: those known by name are refused. has_more tells that there are rows " +
      "beyond the limit, or beyond max_result_mb.",
    params: { sql: SQL, params: PARAMS, limit: LIMIT, connection: CONNECTION },
    returns: object(ROWS),
    examples: [
      'db.query(sql="SELECT name FROM people WHERE age > ?", params=[30], connection="sqlite:data/app.db").rows',
    ],
    effect: "read",
    run: async ({ sql, params, limit, connection }, { signal, run, isLook }) => {
      const { engine, file } = await parts.connections.find(connection);
      const bounds = boundsOf(parts, { signal, run, file, isLook, limit });
      return await engine.query({ sql, params }, bounds);
    },
  });
}

function explainTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "explain",
    description:
      "The query plan of a statement: which indexes the database uses, which tables it " +
      "reads whole. Nothing is run.",
    params: { sql: SQL, params: PARAMS, connection: CONNECTION },
    returns: TEXT,
    examples: [
      'db.explain(sql="SELECT * FROM people WHERE name = ?", params=["Ana"], connection="sqlite:data/app.db")',
    ],
    effect: "read",
    run: async ({ sql, params, connection }, { signal, run, isLook }) => {
      const { engine, file } = await parts.connections.find(connection);
      return await engine.explain({ sql, params }, boundsOf(parts, { signal, run, file, isLook }));
    },
  });
}

function executeTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "execute",
    description: "Changes a database whose connection has write: true in the config: one " +
      "statement, or a list of them of which all are done or none. Gives what each changed, and " +
      "the rows of RETURNING.",
    params: {
      sql: p.optional(SQL),
      params: PARAMS,
      statements: p.optional(
        p.anything("Several, as {sql, params}; instead of sql", {
          type: "array",
          minItems: 1,
          maxItems: 10_000,
          items: {
            type: "object",
            properties: {
              sql: { type: "string" },
              params: { type: ["array", "object"] },
            },
            required: ["sql"],
            additionalProperties: false,
          },
        }),
      ) as p.Param<readonly JsonObject[] | undefined>,
      connection: CONNECTION,
    },
    returns: object({ changed: WHOLE, results: list(object({ ...ROWS, changed: WHOLE })) }),
    examples: [
      'db.execute(sql="UPDATE people SET age = ? WHERE name = ?", params=[42, "Ana"], connection="main")',
    ],
    effect: "destroy",
    run: async ({ sql, params, statements, connection }, { signal, run }) => {
      const all = statementsOf(sql, params, statements);
      const { engine, info, file } = await parts.connections.find(connection);
      if (!info.write) throw readOnly(info.name);
      const results = await engine.execute(all, boundsOf(parts, { signal, run, file }));
      return { changed: results.reduce((sum, { changed }) => sum + changed, 0), results };
    },
  });
}

function statementsOf(
  sql: string | undefined,
  params: Statement["params"],
  statements: readonly JsonObject[] | undefined,
): Statement[] {
  if (sql !== undefined && statements === undefined) return [{ sql, params }];
  if (sql === undefined && statements !== undefined) {
    return statements.map(({ sql, params = [] as JsonValue }) => ({
      sql: String(sql),
      params: params as Statement["params"],
    }));
  }
  const words = 'pass either "sql" or "statements"';
  throw new PackError("invalid_arguments", `Cannot tell what to execute: ${words}`);
}

function readOnly(name: string): PackError {
  const file = name.startsWith("sqlite:") ? ", under a name," : "";
  return new PackError(
    "blocked",
    `Cannot change "${name}": it is read-only: set write: true for it${file} in ` +
      "packs.db.connections",
  );
}
