/** `text.render` */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { MAX_TEXT, type TextParts } from "./parts.ts";

/** Makes the tool. A template can reach its values only. */
export function templateTools(parts: TextParts): BuiltinTool[] {
  return [defineTool({
    name: "render",
    description: "Fills in a nunjucks template: {{ value }}, {% for %}, {% if %}, {% set %} and " +
      "filters (default, join, length, sort, tojson, upper, …). It reaches nothing but the values: " +
      "no files, no functions, no other templates.",
    params: {
      template: p.text("The template", { maxLength: 1_000_000 }),
      values: p.byDefault(
        p.anything("What its names stand for", { type: "object" }),
        {},
      ),
      escape: p.choice("How values are escaped; the filter safe leaves one as it is", [
        "none",
        "html",
        "json",
      ]),
      lenient: p.flag("Let names stand for nothing that are not among the values"),
    },
    returns: { type: "string" },
    examples: [
      'text.render(template="{% for n in names %}- {{ n | upper }}\\n{% endfor %}", values={names: ["ana", "ben"]})',
    ],
    effect: "read",
    run: async (args, { signal, run }) => {
      const job = { kind: "fillIn", input: { ...args, maxText: MAX_TEXT } };
      const { patternTimeoutMs: timeoutMs } = parts.settings;
      const what = "render the template";
      return await parts.workers.run<string>(job, { what, signal, run, timeoutMs });
    },
  })];
}
