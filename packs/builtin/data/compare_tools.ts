/** `data.diff` */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, list, object, TEXT, WHOLE } from "../kit/schemas.ts";
import { type DataParts, READING, sourceOf } from "./source.ts";

const CHANGE = object(
  { kind: { enum: ["added", "removed", "changed"] }, path: TEXT, before: {}, after: {} },
  ["before", "after"],
);

/** Makes the tool. */
export function compareTools(parts: DataParts): BuiltinTool[] {
  return [defineTool({
    name: "diff",
    description: "Compares two values and gives every place that differs, by its JSONPath, " +
      "whatever the order of keys. Both may come from files or texts of different formats.",
    params: {
      before: p.optional(p.anything("The old value; this or before_path")),
      after: p.optional(p.anything("The new value; this or after_path")),
      before_path: p.optional(p.path("A file with the old value")),
      after_path: p.optional(p.path("A file with the new value")),
      parse: p.flag("Parse before and after, which are texts"),
      ...READING,
      key: p.optional(p.text("Objects in lists belong together that have the same value here", {
        examples: ["id"],
      })),
      limit: p.byDefault(p.whole("Changes to give", { minimum: 1, maximum: 100_000 }), 1_000),
    },
    returns: object({
      equal: FLAG,
      changes: list(CHANGE),
      added: WHOLE,
      removed: WHOLE,
      changed: WHOLE,
      has_more: FLAG,
    }),
    examples: [
      "data.diff(before={a: 1, b: [1, 2]}, after={b: [1, 3], a: 1}).changes",
      'data.diff(before=[{id: 1}, {id: 2}], after=[{id: 2}], key="id").removed',
    ],
    effect: "read",
    run: async (
      { before, after, before_path, after_path, parse, key, limit, ...reading },
      { signal, run },
    ) => {
      const side = (value: typeof before, path: string | undefined) => {
        const isText = parse && typeof value === "string";
        const data = isText ? { text: value, path } : { value, path };
        return sourceOf(parts, { ...data, ...reading });
      };
      const input = {
        before: await side(before, before_path),
        after: await side(after, after_path),
        key,
        limit,
      };
      const options = { what: "compare the data", signal, run };
      return await parts.workers.run<object>({ kind: "diff", input }, options);
    },
  })];
}
