/** The one file that touches the parser: from text to syntax tree. */

import { parse } from "@babel/parser";
import type { Node, Program, Statement } from "@babel/types";
import type { Place } from "./place.ts";

export type { Node, Program, Statement };

export interface ParsedModule {
  readonly kind: "parsed";
  readonly text: string;
  readonly program: Program;
}

export type ParseResult = ParsedModule | {
  readonly kind: "failed";
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The text is nested deeper than the parser goes. */
  readonly tooDeep?: true;
};

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

/** Where the block comments of a module begin; none where it cannot be parsed. */
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
    // What cannot be parsed is said by whoever needs it to be.
    return [];
  }
}

/** Where a node begins; every node that the parser made has a position. */
export function startOf(node: Node): number {
  return node.start ?? 0;
}

export function endOf(node: Node): number {
  return node.end ?? 0;
}

/** Where a declaration's own words begin. */
export function afterDecorators(node: Node): number {
  const decorators = "decorators" in node ? node.decorators : undefined;
  const last = decorators?.at(-1);
  return last ? endOf(last) : startOf(node);
}

/** The 1-based place where a node begins. */
export function placeOf(node: Node): Place {
  const start = node.loc?.start;
  return { line: start?.line ?? 1, column: (start?.column ?? 0) + 1 };
}

/** The nodes directly below `node`, in the order of the text as far as the parser keeps it. */
export function children(node: Node): Node[] {
  const found: Node[] = [];
  for (const key in node) {
    const value: unknown = node[key as keyof Node];
    if (typeof value !== "object" || value === null || key === "loc" || key === "extra") continue;
    if (Array.isArray(value)) pushNodes(value, found);
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function pushNodes(items: readonly unknown[], nodes: Node[]): void {
  for (const item of items) if (isNode(item)) nodes.push(item);
}

/** Visits `root` and all below it, each before its children, the last child first; not what is below
 * a node for which `visit` answers "skip", and nothing more after "stop". */
export function walk(root: Node, visit: (node: Node) => "skip" | "stop" | void): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const answer = visit(node);
    if (answer === "stop") return;
    // A list can have more members than a call takes arguments.
    if (answer !== "skip") { for (const child of children(node)) stack.push(child); }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function explain(error: unknown): ParseResult {
  if (error instanceof RangeError) {
    const message = "The program is nested too deeply";
    return { kind: "failed", message, line: 1, column: 1, tooDeep: true };
  }
  // The parser itself fails on some broken texts, `abstract` at the end for one.
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
