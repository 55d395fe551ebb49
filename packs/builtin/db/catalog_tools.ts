/** `db.connections`, `db.tables` and `db.schema`. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, list, object, TEXT, TEXT_OR_NULL } from "../kit/schemas.ts";
import { boundsOf, CONNECTION, type DbParts } from "./parts.ts";

/** Makes the tools. */
export function catalogTools(parts: DbParts): BuiltinTool[] {
  return [connectionsTool(parts), tablesTool(parts), schemaTool(parts)];
}

function connectionsTool({ connections }: DbParts): BuiltinTool {
  return defineTool({
    name: "connections",
    description: "Lists the databases of the config; write says whether db.execute may change one",
    params: {},
    returns: list(object({ name: TEXT, kind: TEXT, write: FLAG, target: TEXT })),
    examples: ["db.connections()"],
    effect: "read",
    run: () => Promise.resolve(connections.list()),
  });
}

function tablesTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "tables",
    description:
      "Lists the tables and views of a database, with the rows that PostgreSQL estimates",
    params: { connection: CONNECTION },
    returns: list(
      object({ schema: TEXT, name: TEXT, kind: TEXT, rows: { type: ["number", "null"] } }),
    ),
    examples: ['db.tables(connection="sqlite:data/app.db")'],
    effect: "read",
    run: async ({ connection }, { signal, run }) => {
      const { engine, file } = await parts.connections.find(connection);
      return await engine.tables(boundsOf(parts, { signal, run, file }));
    },
  });
}

function schemaTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "schema",
    description: "The columns, indexes and references of a table or view",
    params: {
      table: p.text("Its name"),
      schema: p.optional(
        p.text("PostgreSQL: the schema it lies in, if it is not on the search path"),
      ),
      connection: CONNECTION,
    },
    returns: object({
      schema: TEXT,
      name: TEXT,
      columns: list(
        object({
          name: TEXT,
          type: TEXT,
          nullable: FLAG,
          default: TEXT_OR_NULL,
          primary_key: FLAG,
        }),
      ),
      indexes: list({ type: "object" }),
      references: list({ type: "object" }),
      definition: TEXT_OR_NULL,
    }),
    examples: ['db.schema(table="people", connection="sqlite:data/app.db").columns'],
    effect: "read",
    run: async ({ table, schema, connection }, { signal, run }) => {
      const { engine, file } = await parts.connections.find(connection);
      return await engine.describe({ table, schema }, boundsOf(parts, { signal, run, file }));
    },
  });
}
