/** Decides which callbacks of a list may run at once: those that only read, so that their order
 * changes nothing. */

import { keywordsOf } from "./arguments.ts";
import { givesPromises } from "./promise_use.ts";
import type { Path } from "./path.ts";
import type { Rewriting } from "./rewriting.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import { type Node, walk } from "../../syntax/parse.ts";

const PURE = new Set("Array BigInt Boolean Date JSON Math Number Object String".split(" "));
const CHANGES = new Set(
  ("add append assign clear copyWithin define defineProperty delete fill pop push reverse set " +
    "setTime shift sort splice unshift next log info warn error write").split(" "),
);

/** Tells whether the callbacks of a method may run at once with the results of one after another:
 * every tool in them is known to read only, and nothing in them is assigned or changed. */
export function isAtOnce({ node }: Path, method: string, rewriting: Rewriting): boolean {
  if (method !== "filter" && !givesPromises(method)) return false;
  const keywords = new Set<Node>(
    rewriting.calls.flatMap((call) => call.target ? keywordsOf(call) : []),
  );
  let reads = true;
  walk(node, (part) => {
    if (!keywords.has(part) && changes(part, rewriting)) reads = false;
    return reads ? undefined : "stop";
  });
  return reads;
}

function changes(node: Node, { targets }: Rewriting): boolean {
  switch (node.type) {
    case "AssignmentExpression":
    case "UpdateExpression":
      return true;
    case "UnaryExpression":
      return node.operator === "delete";
    case "CallExpression":
    case "OptionalCallExpression": {
      const target = targets.get(node);
      if (target) return target.kind !== "tool" || target.tool.reads !== true;
      const callee = inner(node.callee);
      if (callee.type === "Identifier") return !PURE.has(callee.name);
      return CHANGES.has(memberName(callee) ?? "add");
    }
    default:
      return false;
  }
}
