/** `data.table`, `data.schema` and `data.validate`. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, list, object, TEXT } from "../kit/schemas.ts";
import { type DataParts, SOURCE, sourceOf } from "./source.ts";

/** Makes the tools. */
export function shapeTools(parts: DataParts): BuiltinTool[] {
  return [tableTool(parts), schemaTool(parts), validateTool(parts)];
}

function tableTool(parts: DataParts): BuiltinTool {
  const { maxBytes } = parts.settings;
  return defineTool({
    name: "table",
    description: "Makes a table of a list of objects, or of a list of lists whose first has the " +
      "names: aligned Markdown that shows every text as it is, or CSV",
    params: {
      ...SOURCE,
      as: p.choice("What is written", ["markdown", "csv", "tsv"]),
      columns: p.texts("Which columns, in this order; all without it"),
      max_width: p.optional(p.whole("Markdown: cut longer cells", { minimum: 2 })),
    },
    returns: TEXT,
    examples: ['data.table(value=[{name: "Ana", age: 41}, {name: "Ben", age: 7}])'],
    effect: "read",
    run: async ({ as, columns, max_width, ...args }, { signal, run }) => {
      const source = await sourceOf(parts, args);
      const input = { source, as, columns, maxWidth: max_width, maxBytes };
      const options = { what: "make a table", signal, run };
      return await parts.workers.run<string>({ kind: "table", input }, options);
    },
  });
}

function schemaTool(parts: DataParts): BuiltinTool {
  return defineTool({
    name: "schema",
    description: "The JSON Schema of data: its keys, types and what is always there, and none of " +
      "its values. A short way to learn what a large file holds.",
    params: SOURCE,
    returns: { type: "object" },
    examples: ["data.schema(value=[{id: 1, tags: []}, {id: 2}]).items"],
    effect: "read",
    run: async (args, { signal, run }) => {
      const source = await sourceOf(parts, args);
      const job = { kind: "schema", input: { source } };
      return await parts.workers.run<object>(job, { what: "look at the data", signal, run });
    },
  });
}

function validateTool(parts: DataParts): BuiltinTool {
  return defineTool({
    name: "validate",
    description: "Holds data against a JSON Schema (draft 2020-12; 7 and 4 where it says so) and " +
      "gives every place that does not fit, by JSON Pointer",
    params: {
      schema: p.anything("The JSON Schema; $ref reaches only inside it", { type: "object" }),
      ...SOURCE,
    },
    returns: object({ valid: FLAG, errors: list(object({ path: TEXT, message: TEXT })) }),
    examples: ['data.validate(value={age: "41"}, schema={properties: {age: {type: "integer"}}})'],
    effect: "read",
    run: async ({ schema, ...args }, { signal, run }) => {
      const input = { source: await sourceOf(parts, args), schema };
      const options = { what: "validate the data", signal, run };
      return await parts.workers.run<object>({ kind: "validate", input }, options);
    },
  });
}
