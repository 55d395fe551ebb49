/** Keyword and positional arguments become one object; abbreviated names are written out. */

import { endOf, type Node, startOf } from "../../syntax/parse.ts";
import { lastIn } from "../../syntax/tokens.ts";
import { argumentShape } from "./argument_shape.ts";
import type { Target } from "../names.ts";
import { type Call, keyText, quote, type Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import type { Path } from "./path.ts";
import { variableOf } from "./survey.ts";

type CallNode = Extract<Node, { type: "CallExpression" | "OptionalCallExpression" }>;
type Keyword = Extract<Node, { type: "AssignmentExpression" }>;

/** A positional argument behind a keyword argument. */
export interface Misplaced {
  readonly node: Node;
}

/** The keyword arguments of a call: on a tool every assignment, elsewhere those to names that are
 * not declared, or that could not mean anything else. */
export function keywordsOf({ path, target }: Call): Keyword[] {
  const { arguments: args } = path.node as CallNode;
  return args.filter((arg): arg is Keyword => {
    if (arg.type !== "AssignmentExpression" || arg.operator !== "=") return false;
    if (arg.left.type !== "Identifier") return false;
    if (paramsOf(target)) return true;
    const binding = path.scope.lookup(arg.left.name);
    const value = inner(arg.right);
    return !binding || variableOf(binding)?.kind === "const" ||
      value.type === "Identifier" && value.name === arg.left.name;
  });
}

/** Parameter names of what is called, or undefined where it is no tool of ours. */
export function paramsOf(target: Target | undefined): readonly string[] | undefined {
  if (target?.kind === "tool") return target.tool.params;
  if (target?.kind === "snippet") return target.params;
  const missing = target?.kind === "no_tool" || target?.kind === "no_pack" ||
    target?.kind === "no_snippet";
  return missing ? [] : undefined;
}

/** Rewrites one call's arguments; what cannot be is told. */
export function rewriteArguments(call: Call, rewriting: Rewriting): Misplaced | undefined {
  const { arguments: args } = call.path.node as CallNode;
  if (args.length === 0) return undefined;
  const params = paramsOf(call.target);
  const keywords = keywordsOf(call);
  if (keywords.length > 0) return rewriteKeywords({ args, keywords, params }, rewriting);
  if (!params || params.length === 0) return undefined;
  if (args.some((arg) => arg.type === "SpreadElement")) return undefined;
  const [only] = args;
  if (args.length === 1 && only) rewriteSingle(only, { params, path: call.path }, rewriting);
  else if (args.length <= params.length) namePositionals(args, params, rewriting);
  return undefined;
}

interface KeywordCall {
  readonly args: readonly Node[];
  readonly keywords: readonly Keyword[];
  readonly params: readonly string[] | undefined;
}

function rewriteKeywords(
  { args, keywords, params }: KeywordCall,
  rewriting: Rewriting,
): Misplaced | undefined {
  const { edits, text } = rewriting;
  const positional = args.length - keywords.length;
  const byName = new Set<Node>(keywords);
  // The first of them stands before a positional one if they are not all at the end.
  const early = args.slice(0, positional).find((arg) => byName.has(arg));
  if (early) return { node: early };
  const [first] = keywords;
  const last = args.at(-1);
  if (!first || !last) return undefined;
  const fill = params && positional > 0 && positional <= params.length &&
    !args.some((arg) => arg.type === "SpreadElement");
  const filled = fill ? params.slice(0, positional) : [];
  const from = startOf(fill ? args[0] ?? first : first);
  edits.insert(from, "{");
  filled.forEach((name, index) => {
    const arg = args[index];
    if (arg) edits.insert(startOf(arg), `${keyText(name)}: `);
  });
  const given = keywords.map(({ left }) => text.slice(startOf(left), endOf(left)));
  const names = writtenOut(given, params ?? [], filled);
  keywords.forEach((keyword, index) => rewriteKeyword(keyword, names[index] ?? "", rewriting));
  edits.close(from, endOf(last), "}");
  return undefined;
}

/** `a=1` → `a:1`, with the name written out. */
function rewriteKeyword({ left, right }: Keyword, name: string, { edits, text }: Rewriting): void {
  const span = { from: startOf(left), to: endOf(left) };
  writeName(text.slice(span.from, span.to), { ...span, name }, edits);
  const at = lastIn(text, "=", { from: span.to, to: startOf(right) });
  edits.blank(at, at + 1, ":");
}

function rewriteSingle(
  arg: Node,
  { params, path }: { params: readonly string[]; path: Path },
  rewriting: Rewriting,
): void {
  const value = inner(arg);
  if (value.type === "ObjectExpression") return abbreviations(value, params, rewriting);
  const [first = ""] = params;
  switch (argumentShape(value, path.scope, rewriting.meanings)) {
    case "object":
      return;
    case "value":
      return namePositionals([arg], params, rewriting);
    case "unknown":
      rewriting.needs.named = true;
      rewriting.edits.insert(startOf(arg), `${rewriting.needs.namedAs}(`);
      return rewriting.edits.close(startOf(arg), endOf(arg), `, ${quote(first)})`);
  }
}

function namePositionals(
  args: readonly Node[],
  params: readonly string[],
  { edits }: Rewriting,
): void {
  const [first] = args;
  const last = args.at(-1);
  if (!first || !last) return;
  args.forEach((arg, index) => {
    edits.insert(startOf(arg), `${index === 0 ? "{" : ""}${keyText(params[index] ?? "")}: `);
  });
  edits.close(startOf(first), endOf(last), "}");
}

/** Abbreviated keys of an object literal that a tool is called with. */
function abbreviations(
  node: Extract<Node, { type: "ObjectExpression" }>,
  params: readonly string[],
  { edits, text }: Rewriting,
): void {
  const keys = node.properties.map((item) =>
    item.type === "SpreadElement" || item.computed ? undefined : nameOf(item.key)
  );
  const names = writtenOut(keys.filter((key) => key !== undefined), params, []);
  let next = 0;
  node.properties.forEach((item, index) => {
    const given = keys[index];
    if (given === undefined) return;
    const name = names[next++] ?? given;
    if (item.type !== "ObjectProperty" || name === given) return;
    const span = { from: startOf(item.key), to: endOf(item.key) };
    if (item.shorthand) edits.insert(span.from, `${keyText(name)}: `);
    else writeName(text.slice(span.from, span.to), { ...span, name }, edits);
  });
}

function nameOf(key: Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "StringLiteral" ? key.value : undefined;
}

/** Puts a key in the place of the one that stands there. */
function writeName(
  given: string,
  { from, to, name }: { from: number; to: number; name: string },
  edits: Rewriting["edits"],
): void {
  const key = keyText(name);
  if (key === given) return;
  if (key.startsWith(given)) return edits.insert(to, key.slice(given.length));
  edits.insert(from, key);
  edits.blank(from, to);
}

/** Abbreviated names written out: an exact name stays, else the first parameter that starts with
 * it and is not given (as `resolvePrefixes` does at dispatch). */
export function writtenOut(
  given: readonly string[],
  params: readonly string[],
  filled: readonly string[],
): string[] {
  const taken = new Set([...filled, ...given.filter((name) => params.includes(name))]);
  return given.map((name) => {
    if (params.includes(name) || name === "") return name;
    const full = params.find((param) => param.startsWith(name) && !taken.has(param)) ?? name;
    taken.add(full);
    return full;
  });
}
