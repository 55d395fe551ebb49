/** Reads a command that is one call, without running it (VAL-10 to VAL-13). */

import { isObject, type JsonValue } from "#base";
import { endOf, type Node, startOf } from "../syntax/parse.ts";
import { commandLiteral } from "./literal.ts";
import { parseCommand } from "./recover.ts";
import { inner, memberName } from "../syntax/expression.ts";
import { syntaxFinding } from "./syntax_finding.ts";

/** The function's name, dots included, and its arguments by name. */
export type FunctionCall = readonly [name: string, args: Readonly<Record<string, JsonValue>>];

/** Reads `search(query="test")` as `["search", {query: "test"}]`. Returns null for a command with
 * other statements, nested calls, variables or unnamed arguments. Throws a `SyntaxError` for a
 * text that does not parse.
 *
 * @example
 * ```ts
 * const call = parseFunctionCall('search(query="test", fresh=True)');
 * console.assert(JSON.stringify(call) === '["search",{"query":"test","fresh":true}]');
 * ```
 */
export function parseFunctionCall(code: string): FunctionCall | null {
  const parsed = parseCommand(code);
  if (parsed.kind === "failed") {
    const { message, line, column } = syntaxFinding(code, parsed);
    throw new SyntaxError(
      `Cannot parse the function call: line ${line}, column ${column}: ${message}`,
    );
  }
  const { body, directives } = parsed.module.program;
  const [only] = body;
  if (body.length !== 1 || directives.length > 0 || only?.type !== "ExpressionStatement") {
    return null;
  }
  const call = inner(only.expression);
  if (call.type !== "CallExpression") return null;
  const name = pathOf(call.callee);
  const args = name === undefined ? undefined : argumentsOf(call.arguments, parsed.module.text);
  return name === undefined || !args ? null : [name, args];
}

function pathOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  const name = memberName(node);
  const owner = name === undefined || node.type !== "MemberExpression"
    ? undefined
    : pathOf(node.object);
  return owner === undefined ? undefined : `${owner}.${name}`;
}

function argumentsOf(args: readonly Node[], text: string): Record<string, JsonValue> | undefined {
  const values: Record<string, JsonValue> = Object.create(null);
  const [only] = args;
  if (args.length === 1 && only && inner(only).type === "ObjectExpression") {
    const value = commandLiteral(only);
    return isObject(value) ? { ...value } as Record<string, JsonValue> : undefined;
  }
  for (const arg of args) {
    if (arg.type !== "AssignmentExpression" || arg.operator !== "=") return undefined;
    if (arg.left.type !== "Identifier") return undefined;
    const value = commandLiteral(arg.right);
    if (value === undefined) return undefined;
    values[text.slice(startOf(arg.left), endOf(arg.left))] = value;
  }
  return { ...values };
}
