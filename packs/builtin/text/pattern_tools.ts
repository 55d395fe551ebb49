/** `text.match`, `text.replace` and `text.split`. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool, type ToolContext } from "../kit/mod.ts";
import { FLAG, list, object, TEXT, TEXT_OR_NULL, WHOLE } from "../kit/schemas.ts";
import { MAX_TEXT, type TextParts } from "./parts.ts";

const TOO_SLOW = "use a simpler pattern (one without nested repetition), or less text";
const PATTERN = {
  text: p.text("The text to look in"),
  pattern: p.text("A JavaScript regular expression, without slashes around it", {
    examples: ["(\\w+)@(\\w+)\\.com"],
  }),
  flags: p.byDefault(
    p.text(
      "i: any case, m: ^ and $ at every line, s: . takes line ends, u or v: Unicode, y: from the start",
      { pattern: "^[gimsuvy]*$" },
    ),
    "",
  ),
  literal: p.flag("Look for the pattern as it stands, not as a regular expression"),
};
const LIMIT = p.byDefault(p.whole("Matches to give", { minimum: 1, maximum: 100_000 }), 1_000);
const MATCHES = object({
  matches: list(object({
    match: TEXT,
    index: WHOLE,
    line: WHOLE,
    groups: list(TEXT_OR_NULL),
    named: { type: "object", additionalProperties: TEXT_OR_NULL },
  })),
  has_more: FLAG,
});

/** Makes the tools. Each call ends within `pattern_timeout`. */
export function patternTools(parts: TextParts): BuiltinTool[] {
  const { patternTimeoutMs: timeoutMs } = parts.settings;
  const work = <T>(kind: string, what: string, input: object, { signal, run }: ToolContext) =>
    parts.workers.run<T>({ kind, input }, { what, signal, run, timeoutMs, advice: TOO_SLOW });
  return [
    defineTool({
      name: "match",
      description: "Finds what a regular expression matches in a text, with groups and lines. " +
        "A pattern that takes too long is ended.",
      params: { ...PATTERN, limit: LIMIT },
      returns: MATCHES,
      examples: ['text.match(text="a1 b22", pattern="[a-z](?<digits>[0-9]+)")'],
      effect: "read",
      run: (input, context) => work("findAll", "match the pattern", input, context),
    }),
    defineTool({
      name: "replace",
      description: "Replaces what a regular expression matches, and says how often. In the " +
        "replacement $1 is a group, $<name> a named one, $& the match, $$ a dollar.",
      params: {
        ...PATTERN,
        replacement: p.text("What stands there afterwards; as it is with literal=true"),
        all: p.flag("Every match, not the first alone", true),
      },
      returns: object({ text: TEXT, count: WHOLE }),
      examples: ['text.replace(text="2026-11-22", pattern="-", replacement="/", literal=true)'],
      effect: "read",
      run: (args, context) => {
        const input = { ...args, maxText: MAX_TEXT };
        return work("replaceAll", "replace by the pattern", input, context);
      },
    }),
    defineTool({
      name: "split",
      description: "Splits a text where a regular expression matches",
      params: {
        ...PATTERN,
        limit: p.optional(p.whole("Pieces at most; the last keeps the rest", { minimum: 1 })),
      },
      returns: list(TEXT),
      examples: ['text.split(text="a, b;c", pattern="[,;]\\\\s*")'],
      effect: "read",
      run: (input, context) => work("splitBy", "split by the pattern", input, context),
    }),
  ];
}
