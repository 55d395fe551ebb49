/** Places of tool calls, so that an error in an argument can show the parameters of the tool. */

import { inner, memberName } from "../syntax/expression.ts";
import { type Node, type ParsedModule, walk } from "../syntax/parse.ts";
import type { ToolCallPlace } from "./types.ts";

const MOST = 1_000;

/** Finds calls of `tools.pack.tool(…)` and of `pack.tool(…)`, outer calls first. */
export function findToolCalls(module: ParsedModule): ToolCallPlace[] {
  const calls: (Omit<ToolCallPlace, "use"> & { readonly node: Node })[] = [];
  const uses = createUses();
  walk(module.program, (node) => {
    uses.look(node);
    const path = node.type === "CallExpression" ? namePath(node.callee) : undefined;
    if (path && node.loc) {
      const { start, end } = node.loc;
      const [pack = "", tool = ""] = path[0] === "tools" ? path.slice(1) : path;
      calls.push({
        pack,
        tool,
        from: { line: start.line, column: start.column + 1 },
        to: { line: end.line, column: end.column + 1 },
        node,
      });
    }
    return calls.length < MOST ? undefined : "stop";
  });
  const isWhole = calls.length < MOST;
  return calls.map(({ node, ...call }) => ({ ...call, use: isWhole ? uses.of(node) : "tested" }));
}

/** Names of `tools.github.createIssue`; undefined for other than two or three names. */
function namePath(node: Node): string[] | undefined {
  const names: string[] = [];
  let at: Node = node;
  while (at.type === "MemberExpression") {
    const name = memberName(at);
    if (name === undefined) return undefined;
    names.unshift(name);
    at = at.object;
  }
  if (at.type !== "Identifier") return undefined;
  names.unshift(at.name);
  return names.length === (at.name === "tools" ? 3 : 2) ? names : undefined;
}

export interface Uses {
  /** Receives every node of a program, outer ones first. */
  look(node: Node): void;
  /** Use of the result of a call that was looked at; the tests of a variable count for all of its
   * name. */
  of(call: Node): ToolCallPlace["use"];
}

/** Builds the uses of one program. */
export function createUses(): Uses {
  const dropped = new Set<Node>();
  const tested = new Set<Node>();
  const testedNames = new Set<string>();
  /** Names of the variables that hold the result of a call. */
  const holders = new Map<Node, string>();

  function test(node: Node | null | undefined): void {
    const value = node && bare(node);
    if (!value) return;
    tested.add(value);
    if (value.type === "Identifier") testedNames.add(value.name);
  }

  function hold(name: Node, value: Node | null | undefined): void {
    if (!value) return;
    // Taken apart, each part may be tested.
    if (name.type === "Identifier") holders.set(bare(value), name.name);
    else tested.add(bare(value));
  }

  return {
    look(node) {
      if (node.type === "ExpressionStatement") dropped.add(bare(node.expression));
      else if (node.type === "VariableDeclarator") hold(node.id, node.init);
      else if (node.type === "AssignmentExpression") hold(node.left, node.right);
      for (const operand of operandsOf(node)) test(operand);
    },
    of(call) {
      const name = holders.get(call);
      if (tested.has(call) || (name !== undefined && testedNames.has(name))) return "tested";
      return dropped.has(call) ? "dropped" : "kept";
    },
  };
}

/** The expression within `await`, `(…)`, `as` and `void`. */
function bare(wrapped: Node): Node {
  const node = inner(wrapped);
  switch (node.type) {
    case "AwaitExpression":
      return bare(node.argument);
    case "UnaryExpression":
      return node.operator === "void" ? bare(node.argument) : node;
    default:
      return node;
  }
}

const KEEPERS = new Set(["push", "unshift", "add", "set", "all", "allSettled", "resolve"]);

/** Returns true for a function that puts its arguments away. */
function isKeeper(callee: Node): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" &&
    KEEPERS.has(callee.property.name);
}

/** Expressions whose value decides about what comes next, or becomes a part of another value. */
function operandsOf(node: Node): readonly (Node | null | undefined)[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      return [node.test];
    case "SwitchStatement":
      return [node.discriminant];
    case "LogicalExpression":
    case "BinaryExpression":
      return [node.left, node.right];
    case "UnaryExpression":
      return node.operator === "void" ? [] : [node.argument];
    case "TemplateLiteral":
      return node.expressions;
    case "ForOfStatement":
    case "ForInStatement":
      return [node.right];
    case "SpreadElement":
      return [node.argument];
    case "CallExpression":
    case "NewExpression":
      return isKeeper(node.callee) ? [] : node.arguments;
    default:
      return [];
  }
}
