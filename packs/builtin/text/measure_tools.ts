/** `text.count`, `text.truncate`, `text.slug` and `text.change_case`. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { FLAG, object, TEXT, WHOLE } from "../kit/schemas.ts";
import type { TextParts } from "./parts.ts";

const CASES = [
  "snake",
  "camel",
  "pascal",
  "constant",
  "kebab",
  "dot",
  "path",
  "train",
  "sentence",
  "title",
  "words",
] as const;

/** Makes the tools. */
export function measureTools(parts: TextParts): BuiltinTool[] {
  return [countTool(parts), truncateTool(parts), ...namingTools(parts)];
}

function countTool(parts: TextParts): BuiltinTool {
  return defineTool({
    name: "count",
    description: "Counts characters, bytes (UTF-8), words and lines of a text, and its tokens",
    params: {
      text: p.text("The text"),
      tokens: p.flag("Count tokens, too (o200k_base, that of GPT-4o and later)"),
    },
    returns: object(
      { characters: WHOLE, bytes: WHOLE, words: WHOLE, lines: WHOLE, tokens: WHOLE },
      ["tokens"],
    ),
    examples: ['text.count(text="Two words", tokens=true)'],
    effect: "read",
    run: (input, { signal, run }) =>
      parts.workers.run<object>({ kind: "count", input }, { what: "count the text", signal, run }),
  });
}

function truncateTool(parts: TextParts): BuiltinTool {
  return defineTool({
    name: "truncate",
    description: "Shortens a text to at most so many characters, bytes, words, lines or tokens, " +
      "the mark of what was left out included",
    params: {
      text: p.text("The text"),
      max: p.whole("How much may stay", { minimum: 1 }),
      unit: p.choice("What is counted", ["characters", "bytes", "words", "lines", "tokens"]),
      keep: p.choice("Which part stays", ["start", "end", "both"]),
      mark: p.byDefault(p.text("Stands for what was left out"), "…"),
    },
    returns: object({ text: TEXT, truncated: FLAG, left_out: WHOLE }),
    examples: ['text.truncate(text="A long story", max=6).text'],
    effect: "read",
    run: (input, { signal, run }) =>
      parts.workers.run<object>({ kind: "truncate", input }, {
        what: "shorten the text",
        signal,
        run,
      }),
  });
}

function namingTools(parts: TextParts): BuiltinTool[] {
  return [
    defineTool({
      name: "slug",
      description: "Makes a part of an address of a text: letters of other scripts are written " +
        "in Latin ones",
      params: {
        text: p.text("The text"),
        separator: p.byDefault(p.text("Stands between words", { pattern: "^[-_.~]?$" }), "-"),
        lowercase: p.flag("In lower case", true),
        max: p.optional(p.whole("Characters at most, cut between words", { minimum: 1 })),
      },
      returns: { type: "string" },
      examples: ['text.slug(text="Ärger über Straße")'],
      effect: "read",
      run: (input, { signal, run }) =>
        parts.workers.run<string>({ kind: "slug", input }, { what: "make a slug", signal, run }),
    }),
    defineTool({
      name: "change_case",
      description: "Writes a name another way: fooBar as foo_bar",
      params: {
        text: p.text("The name"),
        to: p.choice(
          "camel fooBar, pascal FooBar, snake foo_bar, constant FOO_BAR, kebab foo-bar, dot " +
            "foo.bar, path foo/bar, train Foo-Bar, sentence Foo bar, title Foo Bar, words foo bar",
          CASES,
        ),
      },
      returns: { type: "string" },
      examples: ['text.change_case(text="parseHTTPHeader", to="kebab")'],
      effect: "read",
      run: (input, { signal, run }) =>
        parts.workers.run<string>({ kind: "recase", input }, {
          what: "change the case",
          signal,
          run,
        }),
    }),
  ];
}
