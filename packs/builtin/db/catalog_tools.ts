/** `db.connections`, `db.tables` and `db.schema`. */

import { type BuiltinTool, defineTool, optional, text } from "../kit/mod.ts";
import { boundsOf, CONNECTION, type DbParts } from "./parts.ts";

const TEXT = { type: "string" };
const NULLABLE_TEXT = { type: ["string", "null"] };

/** Makes the tools. */
export function catalogTools(parts: DbParts): BuiltinTool[] {
  return [connectionsTool(parts), tablesTool(parts), schemaTool(parts)];
}

function connectionsTool({ connections }: DbParts): BuiltinTool {
  return defineTool({
    name: "connections",
    description: "Lists the databases of the config; write says whether db.execute may change one",
    params: {},
    returns: {
      type: "array",
      items: {
        type: "object",
        properties: { name: TEXT, kind: TEXT, write: { type: "boolean" }, target: TEXT },
        required: ["name", "kind", "write", "target"],
      },
    },
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
    returns: {
      type: "array",
      items: {
        type: "object",
        properties: { schema: TEXT, name: TEXT, kind: TEXT, rows: { type: ["number", "null"] } },
        required: ["schema", "name", "kind", "rows"],
      },
    },
    examples: ['db.tables(connection="sqlite:data/app.db")'],
    effect: "read",
    run: async ({ connection }, { signal }) => {
      const { engine } = await parts.connections.find(connection);
      return await engine.tables(boundsOf(parts, { signal }));
    },
  });
}

function schemaTool(parts: DbParts): BuiltinTool {
  return defineTool({
    name: "schema",
    description: "The columns, indexes and references of a table or view",
    params: {
      table: text("Its name"),
      schema: optional(text("PostgreSQL: the schema it lies in, if it is not on the search path")),
      connection: CONNECTION,
    },
    returns: {
      type: "object",
      properties: {
        schema: TEXT,
        name: TEXT,
        columns: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: TEXT,
              type: TEXT,
              nullable: { type: "boolean" },
              default: NULLABLE_TEXT,
              primary_key: { type: "boolean" },
            },
            required: ["name", "type", "nullable", "default", "primary_key"],
          },
        },
        indexes: { type: "array", items: { type: "object" } },
        references: { type: "array", items: { type: "object" } },
        definition: NULLABLE_TEXT,
      },
      required: ["schema", "name", "columns", "indexes", "references", "definition"],
    },
    examples: ['db.schema(table="people", connection="sqlite:data/app.db").columns'],
    effect: "read",
    run: async ({ table, schema, connection }, { signal }) => {
      const { engine } = await parts.connections.find(connection);
      return await engine.describe({ table, schema }, boundsOf(parts, { signal }));
    },
  });
}
