/** Rewrites keyword and positional arguments as one object, with abbreviated names in full. */

import { lastIn } from "../../syntax/edits.ts";
import { endOf, type Node, startOf } from "../../syntax/parse.ts";
import { argumentShape } from "./argument_shape.ts";
import type { Target } from "../names.ts";
import { type Call, keyText, quote, type Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import type { Path } from "./path.ts";
import { variableOf } from "./survey.ts";

type CallNode = Extract<Node, { type: "CallExpression" | "OptionalCallExpression" }>;
type Keyword = Extract<Node, { type: "AssignmentExpression" }>;

/** A positional argument after a keyword argument. */
export interface Misplaced {
  readonly node: Node;
}

/** Keyword arguments of a call. For a tool every assignment is one; for other functions an
 * assignment to a name that is not declared, is constant, or is assigned to itself. */
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

/** Parameter names of the called tool or snippet; undefined for any other function. */
export function paramsOf(target: Target | undefined): readonly string[] | undefined {
  if (target?.kind === "tool") return target.tool.params;
  if (target?.kind === "snippet") return target.params;
  const missing = target?.kind === "no_tool" || target?.kind === "no_pack" ||
    target?.kind === "no_snippet";
  return missing ? [] : undefined;
}

/** Rewrites the arguments of one call; returns the argument that makes this impossible. */
export function rewriteArguments(call: Call, rewriting: Rewriting): Misplaced | undefined {
  const retry = retryOf(call);
  const args = (call.path.node as CallNode).arguments.filter((arg) => arg !== retry);
  if (retry?.type === "AssignmentExpression") {
    if (args.some((arg) => startOf(arg) > startOf(retry)) && !isShort(retry.right)) {
      return { node: retry };
    }
    writeRetry(retry, args, rewriting);
  }
  if (args.length === 0) return undefined;
  const params = paramsOf(call.target);
  const keywords = keywordsOf(call).filter((keyword) => keyword !== retry);
  const positionals = args.slice(0, args.length - keywords.length);
  // Unless all keywords are at the end, the first precedes a positional argument.
  const early = positionals.find((arg) => keywords.some((keyword) => keyword === arg));
  if (early) return { node: early };
  if (params && gathers(call.target, positionals)) {
    return rewriteGathered({ args, keywords, params }, rewriting);
  }
  if (keywords.length > 0) return rewriteKeywords({ args, keywords, params }, rewriting);
  if (!params || params.length === 0) return undefined;
  if (args.some((arg) => arg.type === "SpreadElement")) return undefined;
  const [only] = args;
  if (args.length === 1 && only) rewriteSingle(only, { params, path: call.path }, rewriting);
  else if (args.length <= params.length) namePositionals(args, params, rewriting);
  return undefined;
}

/** The argument of a tool call that says how often it may be repeated: `retry=2`, or `{ retry: 2 }`
 * after the others. A tool's own parameter of that name goes before. */
function retryOf({ path, target }: Call): Node | undefined {
  if (target?.kind !== "tool" || target.pack.tools.length === 0) return undefined;
  if (target.tool.params.some((param) => param.startsWith("retry"))) return undefined;
  const { arguments: args } = path.node as CallNode;
  const last = args.at(-1);
  const isOption = args.length > 1 && last?.type === "ObjectExpression" &&
    last.properties.length === 1 && last.properties.every((item) => {
      return item.type === "ObjectProperty" && !item.computed && nameOf(item.key) === "retry";
    });
  return isOption ? last : args.find((arg) => {
    return arg.type === "AssignmentExpression" && arg.operator === "=" &&
      arg.left.type === "Identifier" && arg.left.name === "retry";
  });
}

/** Tells whether a value can be written in another place. */
function isShort({ type }: Node): boolean {
  return type === "NumericLiteral" || type === "Identifier";
}

/** Writes `retry=2` as an object after the other arguments. */
function writeRetry(retry: Keyword, args: readonly Node[], { edits, text }: Rewriting): void {
  const start = startOf(retry);
  const next = args.find((arg) => startOf(arg) > start);
  const last = args.at(-1);
  if (!next || !last) {
    edits.insert(start, `${last ? "" : "{}, "}{`);
    edits.insert(endOf(retry.left), ":");
    edits.blank(endOf(retry.left), startOf(retry.right));
    return edits.close(start, endOf(retry), "}");
  }
  edits.blank(start, startOf(next));
  const value = text.slice(startOf(retry.right), endOf(retry.right));
  const outside = Math.min(start, ...args.map(startOf)) - 1;
  edits.close(outside, endOf(last), `, {retry: ${value}}`);
}

interface KeywordCall {
  readonly args: readonly Node[];
  readonly keywords: readonly Keyword[];
  readonly params: readonly string[] | undefined;
}

/** Returns true if these positional arguments are a list for the tool's first parameter. */
function gathers(target: Target | undefined, positionals: readonly Node[]): boolean {
  if (target?.kind !== "tool" || target.tool.gathers !== true) return false;
  return positionals.length > 1 || positionals[0]?.type === "SpreadElement";
}

/** Rewrites `"a", "b", info="full"` as `{query: ["a", "b"], info: "full"}`. */
function rewriteGathered(
  { args, keywords, params = [] }: KeywordCall,
  rewriting: Rewriting,
): undefined {
  const positionals = args.slice(0, args.length - keywords.length);
  const [first, last] = [positionals[0], positionals.at(-1)];
  if (!first || !last) return;
  const from = startOf(first);
  rewriting.edits.insert(from, `{${keyText(params[0] ?? "")}: [`);
  rewriting.edits.close(from, endOf(last), keywords.length > 0 ? "]" : "]}");
  rewriteNames({ args, keywords, params }, { from, filled: params.slice(0, 1) }, rewriting);
}

function rewriteKeywords({ args, keywords, params }: KeywordCall, rewriting: Rewriting): undefined {
  const { edits } = rewriting;
  const positional = args.length - keywords.length;
  const [first] = keywords;
  if (!first) return;
  const fill = params && positional > 0 && positional <= params.length &&
    !args.some((arg) => arg.type === "SpreadElement");
  const filled = fill ? params.slice(0, positional) : [];
  const from = startOf(fill ? args[0] ?? first : first);
  edits.insert(from, "{");
  filled.forEach((name, index) => {
    const arg = args[index];
    if (arg) edits.insert(startOf(arg), `${keyText(name)}: `);
  });
  rewriteNames({ args, keywords, params }, { from, filled }, rewriting);
}

/** Rewrites the keywords after `filled` parameters, and closes the object that began at `from`. */
function rewriteNames(
  { args, keywords, params = [] }: KeywordCall,
  { from, filled }: { readonly from: number; readonly filled: readonly string[] },
  rewriting: Rewriting,
): void {
  const last = args.at(-1);
  if (!last || keywords.length === 0) return;
  const { edits, text } = rewriting;
  const abbreviated = keywords.map(({ left }) => text.slice(startOf(left), endOf(left)));
  const names = fullNames(abbreviated, params, filled);
  keywords.forEach((keyword, index) => rewriteKeyword(keyword, names[index] ?? "", rewriting));
  edits.close(from, endOf(last), "}");
}

/** Rewrites `a=1` as `a:1`, with the name in full. */
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
      rewriting.needs.needsNaming = true;
      rewriting.edits.insert(startOf(arg), `${rewriting.needs.namingFunction}(`);
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

/** Writes abbreviated keys of an object literal in full, in the call of a tool. */
function abbreviations(
  node: Extract<Node, { type: "ObjectExpression" }>,
  params: readonly string[],
  { edits, text }: Rewriting,
): void {
  const keys = node.properties.map((item) =>
    item.type === "SpreadElement" || item.computed ? undefined : nameOf(item.key)
  );
  const names = fullNames(keys.filter((key) => key !== undefined), params, []);
  let next = 0;
  node.properties.forEach((item, index) => {
    const key = keys[index];
    if (key === undefined) return;
    const name = names[next++] ?? key;
    if (item.type !== "ObjectProperty" || name === key) return;
    const span = { from: startOf(item.key), to: endOf(item.key) };
    if (item.shorthand) edits.insert(span.from, `${keyText(name)}: `);
    else writeName(text.slice(span.from, span.to), { ...span, name }, edits);
  });
}

function nameOf(key: Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "StringLiteral" ? key.value : undefined;
}

/** Replaces a key. */
function writeName(
  current: string,
  { from, to, name }: { from: number; to: number; name: string },
  edits: Rewriting["edits"],
): void {
  const key = keyText(name);
  if (key === current) return;
  if (key.startsWith(current)) return edits.insert(to, key.slice(current.length));
  edits.insert(from, key);
  edits.blank(from, to);
}

/** Full names for abbreviated ones: an exact name stays, any other becomes the first free parameter
 * that starts with it (as `resolvePrefixes` does at dispatch). */
export function fullNames(
  names: readonly string[],
  params: readonly string[],
  filled: readonly string[],
): string[] {
  const used = new Set([...filled, ...names.filter((name) => params.includes(name))]);
  return names.map((name) => {
    if (params.includes(name) || name === "") return name;
    const full = params.find((param) => param.startsWith(name) && !used.has(param)) ?? name;
    used.add(full);
    return full;
  });
}
