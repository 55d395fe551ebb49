/** `text.diff` */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, object, TEXT, WHOLE } from "../kit/schemas.ts";
import type { TextParts } from "./parts.ts";
import type { CompareInput } from "./work/compare.ts";

/** Makes the tool. */
export function compareTools(parts: TextParts): BuiltinTool[] {
  return [defineTool({
    name: "diff",
    description: "Compares two texts: by lines as a unified patch, by words or characters marked " +
      "in the text as [-old-]{+new+}",
    params: {
      before: p.text("The old text"),
      after: p.text("The new text"),
      mode: p.choice("What is compared", ["lines", "words", "characters"]),
      context: p.byDefault(p.whole("Unchanged lines around a change", { minimum: 0 }), 3),
      ignore_whitespace: p.flag("Take lines as equal that differ at their ends in white space"),
      names: p.byDefault(
        p.text("What the patch calls the texts, as before:after", {
          pattern: "^[^:\\n]+:[^:\\n]+$",
        }),
        "before:after",
      ),
    },
    returns: object({ equal: FLAG, added: WHOLE, removed: WHOLE, diff: TEXT }),
    examples: ['text.diff(before="one cat", after="one dog", mode="words").diff'],
    effect: "read",
    run: async ({ before, after, mode, context, ignore_whitespace, names }, { signal, run }) => {
      const [first = "before", second = "after"] = names.split(":");
      const input: CompareInput = {
        before,
        after,
        mode,
        context,
        ignoreWhitespace: ignore_whitespace,
        names: [first, second],
      };
      const advice = "they differ too much: compare by lines, or shorter texts";
      const job = { kind: "compare", input };
      return await parts.workers.run<object>(job, { what: "compare", signal, run, advice });
    },
  })];
}
