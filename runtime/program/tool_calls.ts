/** Where a program calls tools, so that an error in an argument can show what the tool takes. */

import { type Node, type ParsedModule, walk } from "../syntax/parse.ts";
import type { ToolCallPlace } from "./types.ts";

const MOST = 1_000;

/** Calls of `tools.pack.tool(…)` and of `pack.tool(…)`, outer ones first. */
export function findToolCalls(module: ParsedModule): ToolCallPlace[] {
  const found: ToolCallPlace[] = [];
  walk(module.program, (node) => {
    const path = node.type === "CallExpression" ? namePath(node.callee) : undefined;
    if (path && node.loc) {
      const { start, end } = node.loc;
      const [pack = "", tool = ""] = path[0] === "tools" ? path.slice(1) : path;
      found.push({
        pack,
        tool,
        from: { line: start.line, column: start.column + 1 },
        to: { line: end.line, column: end.column + 1 },
      });
    }
    return found.length < MOST ? undefined : "stop";
  });
  return found;
}

/** `tools.github.createIssue` as its names; undefined for what is no chain of two or three. */
function namePath(node: Node): string[] | undefined {
  const names: string[] = [];
  let at: Node = node;
  while (at.type === "MemberExpression") {
    const { property, computed } = at;
    if (property.type === "Identifier" && !computed) names.unshift(property.name);
    else if (property.type === "StringLiteral") names.unshift(property.value);
    else return undefined;
    at = at.object;
  }
  if (at.type !== "Identifier") return undefined;
  names.unshift(at.name);
  return names.length === (at.name === "tools" ? 3 : 2) ? names : undefined;
}
