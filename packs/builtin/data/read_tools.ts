/** `data.parse`, `data.query` and `data.convert`. */

import type { JsonValue } from "#base";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FORMATS } from "./formats.ts";
import { type DataParts, READING, SOURCE, sourceOf } from "./source.ts";

/** Makes the tools. */
export function readTools(parts: DataParts): BuiltinTool[] {
  return [parseTool(parts), queryTool(parts), convertTool(parts)];
}

function parseTool(parts: DataParts): BuiltinTool {
  const maxResult = parts.settings.maxResultBytes;
  return defineTool({
    name: "parse",
    description: "Parses JSON, JSON5 (also JSON with comments), NDJSON, YAML, TOML, CSV or TSV. " +
      "CSV gives objects by the names in the first row; several YAML documents give a list.",
    params: {
      text: p.optional(p.text("The data as text; this or path")),
      path: SOURCE.path,
      ...READING,
    },
    examples: [
      'data.parse(text="name,age\\nAna,41\\nBen,7")',
      'data.parse(path="package.json").dependencies',
    ],
    effect: "read",
    run: async (args, { signal, run }) => {
      const input = { source: await sourceOf(parts, args), maxResult };
      const options = { what: "parse the data", signal, run };
      return await parts.workers.run<JsonValue>({ kind: "parse", input }, options);
    },
  });
}

function queryTool(parts: DataParts): BuiltinTool {
  const maxResult = parts.settings.maxResultBytes;
  return defineTool({
    name: "query",
    description: "Finds values in data by JSONPath (RFC 9535, begins with $; gives the list of " +
      "what it found) or JMESPath (all else; gives what it says)",
    params: {
      query: p.text("JSONPath or JMESPath", {
        maxLength: 10_000,
        examples: ["$.items[?@.price < 10].name", "items[?price < `10`].name | sort(@)"],
      }),
      ...SOURCE,
      paths: p.flag("JSONPath: give {path, value} for each, with the place where it was"),
      limit: p.byDefault(
        p.whole("JSONPath: values to give", { minimum: 1, maximum: 1_000_000 }),
        10_000,
      ),
    },
    examples: [
      'data.query(query="$..name", value={a: {name: "Ana"}, b: [{name: "Ben"}]})',
      'data.query(query="length(people[?age > `18`])", value={people: [{age: 41}, {age: 7}]})',
    ],
    effect: "read",
    run: async ({ query, paths, limit, ...args }, { signal, run }) => {
      const input = { source: await sourceOf(parts, args), query, paths, limit, maxResult };
      const options = { what: "query the data", signal, run };
      return await parts.workers.run<JsonValue>({ kind: "query", input }, options);
    },
  });
}

function convertTool(parts: DataParts): BuiltinTool {
  const { maxBytes } = parts.settings;
  return defineTool({
    name: "convert",
    description: "Writes data as JSON, JSON5, NDJSON, YAML, TOML, CSV or TSV, whatever it was " +
      "before. Comments are lost; what is nested becomes JSON in the cells of CSV.",
    params: {
      to: p.choice("The format to write", FORMATS),
      ...SOURCE,
      indent: p.byDefault(p.whole("Spaces; 0 for one line", { minimum: 0, maximum: 10 }), 2),
    },
    returns: { type: "string" },
    examples: ['data.convert(text="a: 1\\nb: [x, y]", to="json", indent=0)'],
    effect: "read",
    run: async ({ to, indent, ...args }, { signal, run }) => {
      const input = { source: await sourceOf(parts, args), to, indent, maxBytes };
      const options = { what: `convert to ${to}`, signal, run };
      return await parts.workers.run<string>({ kind: "convert", input }, options);
    },
  });
}
