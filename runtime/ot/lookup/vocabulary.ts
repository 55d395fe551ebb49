/** `ot.aliases` and `ot.snippets`: what the config adds to the names of tools. */

import type { JsonObject, JsonValue } from "#base";
import type { Args } from "#packs";
import type { SnippetDefinition } from "../../command/types.ts";
import type { OtDeps } from "../deps.ts";
import { foreignLine, foreignText } from "./foreign.ts";
import { infoOf, matches } from "./info.ts";

const LINE = 300;
const BODY = 1_500;

/** `ot.aliases(pattern, info)`. */
export function listAliases({ aliases }: OtDeps, { pattern, info }: Args): JsonValue {
  const matching = Object.entries(aliases).filter(([name, target]) =>
    matches(pattern, name, target)
  );
  switch (infoOf(info)) {
    case "list":
      return matching.map(([name]) => name);
    case "min":
      return matching.map(([name, target]) => `${name} -> ${target}`);
    case "full":
      return matching.map(([name, target]) => ({ name, target }));
  }
}

/** `ot.snippets(pattern, info)`. */
export async function listSnippets(
  { snippets }: OtDeps,
  { pattern, info }: Args,
): Promise<JsonValue> {
  const matching = Object.entries(snippets).filter(([name, { description = "" }]) =>
    matches(pattern, name, description)
  );
  switch (infoOf(info)) {
    case "list":
      return matching.map(([name]) => name);
    case "min":
      return Object.fromEntries(
        matching.map(([name, { description = "" }]) => [name, description]),
      );
    case "full":
      return await Promise.all(matching.map(([name, snippet]) => describeSnippet(name, snippet)));
  }
}

/** All details of one snippet, with an example and its expansion. */
export async function describeSnippet(
  name: string,
  snippet: SnippetDefinition,
): Promise<JsonObject> {
  const { description = "", params, body } = snippet;
  const required = Object.entries(params).filter(([, param]) => param.default === undefined);
  const values = Object.fromEntries(
    required.map(([param, { type }]) => [param, SAMPLES[type ?? "string"]]),
  );
  const samples = required.map(([param, { type }]) => ` ${param}=${SAMPLES[type ?? "string"]}`);
  return {
    name,
    description,
    params: Object.fromEntries(Object.entries(params).map(([key, param]) => [key, { ...param }])),
    body,
    example: `$${name}${samples.join("")}`,
    expands_to: await expanded(name, snippet, values),
  };
}

/** A snippet in help: what it takes, its template, and an example with its expansion (OT-46). */
export async function snippetHelp({ snippets }: OtDeps, name: string): Promise<string> {
  const snippet = snippets[name];
  if (!snippet) return "";
  const { example, expands_to: expansion } = await describeSnippet(name, snippet);
  const params = Object.entries(snippet.params).map(([param, { description, default: value }]) => {
    const fallback = value === undefined ? "" : `${JSON.stringify(value)} by default`;
    return foreignLine(`- ${param}: ${[description, fallback].filter(Boolean).join("; ")}`, LINE);
  });
  return [
    `## $${foreignLine(name, LINE)}`,
    foreignLine(snippet.description ?? "", LINE),
    ...params,
    `Example: ${foreignLine(String(example), LINE)}`,
    "Template:",
    foreignText(snippet.body, BODY),
    "Expands to:",
    foreignText(String(expansion), BODY),
  ].filter((line) => line !== "").join("\n");
}

/** An alias in help (OT-47). */
export function aliasText({ aliases }: OtDeps, name: string): string {
  const [from, to] = [foreignLine(name, LINE), foreignLine(aliases[name] ?? "", LINE)];
  return `## ${from}\nAlias of ${to}\nUsage: ${from}(...) calls ${to}(...)`;
}

const SAMPLES = {
  string: "example",
  number: "1",
  integer: "1",
  boolean: "true",
  array: "[]",
  object: "{}",
} as const;

async function expanded(
  name: string,
  snippet: SnippetDefinition,
  values: JsonObject,
): Promise<string> {
  // The template engine is loaded where a snippet is shown.
  const { expandSnippet, SnippetError } = await import("../../command/snippet/expand_snippet.ts");
  try {
    return expandSnippet(snippet, values, { name });
  } catch (error) {
    if (error instanceof SnippetError) return error.message;
    throw error;
  }
}
