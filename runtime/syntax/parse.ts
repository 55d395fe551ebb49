/** Parses text into a syntax tree; no other file uses the parser. */

import { parse } from "@babel/parser";
import type { Comment, Node, Program, Statement } from "@babel/types";
import type { Place } from "./place.ts";

export type { Comment, Node, Program, Statement };

export interface ParsedModule {
  readonly kind: "parsed";
  readonly text: string;
  readonly program: Program;
}

export type ParseResult = ParsedModule | ParseFailure;

export interface ParseFailure {
  readonly kind: "failed";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The text is nested too deeply for the parser. */
  readonly tooDeep?: true;
}

/** Parses a module of TypeScript with top-level `await` and `return`. */
export function parseModule(text: string): ParseResult {
  try {
    const { program } = parse(text, {
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowUndeclaredExports: true,
      attachComment: false,
      createParenthesizedExpressions: true,
      plugins: [["typescript", {}], "decorators", "decoratorAutoAccessors"],
    });
    return { kind: "parsed", text, program };
  } catch (error) {
    return explain(error);
  }
}

export interface ServedOptions {
  /** True for a script, false for a module. */
  readonly isScript: boolean;
  /** True for TypeScript, false for JavaScript. */
  readonly hasTypes: boolean;
}

/** Parses a program as it is run, with its line comments. */
export function parseServed(
  text: string,
  { isScript, hasTypes }: ServedOptions,
): ParsedModule & { readonly comments: readonly Comment[] } | ParseFailure {
  try {
    const { program, comments } = parse(text, {
      sourceType: isScript ? "script" : "module",
      attachComment: false,
      createParenthesizedExpressions: true,
      plugins: hasTypes ? [["typescript", {}], "decorators", "decoratorAutoAccessors"] : [],
    });
    const lines = (comments ?? []).filter(({ type }) => type === "CommentLine");
    return { kind: "parsed", text, program, comments: lines };
  } catch (error) {
    return explain(error);
  }
}

/** Positions of the block comments of a module; empty where it does not parse. */
export function commentStarts(text: string): readonly number[] {
  try {
    const { comments } = parse(text, {
      sourceType: "module",
      attachComment: false,
      plugins: [["typescript", {}], "decorators", "decoratorAutoAccessors"],
    });
    return (comments ?? []).filter(({ type }) => type === "CommentBlock")
      .map(({ start }) => start ?? 0);
  } catch {
    // The caller that needs a syntax tree reports the error.
    return [];
  }
}

/** Position at which a node begins; every node of the parser has one. */
export function startOf(node: Node): number {
  return node.start ?? 0;
}

export function endOf(node: Node): number {
  return node.end ?? 0;
}

/** Position after the decorators of a declaration. */
export function afterDecorators(node: Node): number {
  const decorators = "decorators" in node ? node.decorators : undefined;
  const last = decorators?.at(-1);
  return last ? endOf(last) : startOf(node);
}

/** Place at which a node begins. */
export function placeOf(node: Node): Place {
  const start = node.loc?.start;
  return { line: start?.line ?? 1, column: (start?.column ?? 0) + 1 };
}

/** Child nodes, mostly in the order of the text. */
export function children(node: Node): Node[] {
  const nodes: Node[] = [];
  for (const key in node) {
    const value: unknown = node[key as keyof Node];
    if (typeof value !== "object" || value === null || key === "loc" || key === "extra") continue;
    if (Array.isArray(value)) pushNodes(value, nodes);
    else if (isNode(value)) nodes.push(value);
  }
  return nodes;
}

function pushNodes(items: readonly unknown[], nodes: Node[]): void {
  for (const item of items) if (isNode(item)) nodes.push(item);
}

/** Visits `root` and all nodes below it: parents first, the last child first. `visit` can return
 * "skip" to leave out the nodes below, or "stop" to end the walk. */
export function walk(root: Node, visit: (node: Node) => "skip" | "stop" | void): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const answer = visit(node);
    if (answer === "stop") return;
    // A list can have more members than a call can have arguments.
    if (answer !== "skip") { for (const child of children(node)) stack.push(child); }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function explain(error: unknown): ParseFailure {
  if (error instanceof RangeError) {
    const message = "The program is nested too deeply";
    return { kind: "failed", message, line: 1, column: 1, tooDeep: true };
  }
  // The parser crashes on some broken texts, for example on `abstract` at the end.
  if (!(error instanceof SyntaxError)) {
    return { kind: "failed", message: "Unexpected token", line: 1, column: 1 };
  }
  const { line, column } = placeIn(error);
  const message = error.message.replace(/ \(\d+:\d+\)$/, "").replace(/\.$/, "");
  return { kind: "failed", message, line, column: column + 1 };
}

function placeIn(error: SyntaxError): Place {
  const loc: unknown = "loc" in error ? error.loc : undefined;
  if (typeof loc === "object" && loc !== null && "line" in loc && "column" in loc) {
    return { line: Number(loc.line), column: Number(loc.column) };
  }
  return { line: 1, column: 0 };
}
