/** Places of tool calls, so that an error in an argument can show the parameters of the tool. */

import { type Node, type ParsedModule, walk } from "../syntax/parse.ts";
import { createUses } from "./tool_uses.ts";
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
