/** Finding for a tool call whose value is wanted where nothing can wait for it. */

import type { CommandFinding } from "../types.ts";
import type { Path } from "./path.ts";
import type { Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import { endOf, type Node, placeOf, startOf } from "../../syntax/parse.ts";
import type { FunctionNode } from "./survey.ts";
import type { Obstacle } from "./waits.ts";

const MOST_TEXT = 160;

/** Says why a call cannot be waited for, with the line as it can be written. */
export function cannotWait(obstacle: Obstacle, rewriting: Rewriting): CommandFinding {
  const { path } = obstacle;
  const { reason, write } = adviceFor(obstacle, rewriting);
  const callee = "callee" in path.node ? path.node.callee as Node : path.node;
  return {
    kind: "finding",
    code: "type_error",
    message: `Cannot wait for ${textOf(callee, rewriting)} here: ${reason}: ${write}`,
    ...placeOf(path.node),
  };
}

interface Advice {
  readonly reason: string;
  readonly write: string;
}

function adviceFor(obstacle: Obstacle, rewriting: Rewriting): Advice {
  const { path, within, use } = obstacle;
  const call = use?.takes === undefined ? undefined : use.path.parent?.node;
  if (use?.takes !== undefined && call && within) {
    const reason = `the callback of ${use.takes} is synchronous`;
    return { reason, write: before({ path, within, call, takes: use.takes }, rewriting) };
  }
  const node = within?.node as FunctionNode | undefined;
  const write = `write \`${waitedLine(obstacle, rewriting)}\``;
  if (!node) return { reason: "a field cannot wait", write: `${write} outside` };
  if (node.generator) return { reason: "a generator is synchronous", write };
  const isSpecial = "kind" in node && (node.kind !== "method");
  if (isSpecial) return { reason: `a ${String(node.kind)} is synchronous`, write };
  const reason = "the function around it is synchronous, and goes where it is not seen";
  return { reason, write: `${write}, and await or Promise.all(…) where it is called` };
}

/** Calls before a callback that cannot wait, for each item that it would be called for. */
function before(
  { path, within, call, takes }: {
    readonly path: Path;
    readonly within: Path;
    readonly call: Node;
    readonly takes: string;
  },
  rewriting: Rewriting,
): string {
  const [first] = (within.node as FunctionNode).params;
  const name = first?.type === "Identifier" ? first.name : "item";
  const waited = waitedText(path, rewriting);
  const callee = "callee" in call ? inner(call.callee as Node) : call;
  const owner = "object" in callee ? textOf(callee.object as Node, rewriting) : "items";
  const argument = "arguments" in call ? (call.arguments as Node[])[0] : undefined;
  const items = argument ? textOf(argument, rewriting) : "items";
  const keyed = (list: string) =>
    `\`const found = new Map(await Promise.all(${list}.map(async (${name}) => ` +
    `[${name}, ${waited}] as const)))\``;
  if (takes === "sort" || takes === "toSorted") {
    return `write ${keyed(owner)} before it, and compare what it holds: \`found.get(${name})!\``;
  }
  if (takes === "groupBy") {
    return `write ${keyed(items)} before it, and group by \`found.get(${name})!\``;
  }
  if (takes === "replace" || takes === "replaceAll") {
    return `write \`const found = await Promise.all([...${owner}.matchAll(${items})]` +
      `.map(async ([${name}]) => ${waited}))\` before it, and replace with ` +
      "`() => found.shift()`";
  }
  return `write \`const found = ${waited}\` before it`;
}

/** The call with `await`, and the members of its result that follow. */
function waitedText(path: Path, rewriting: Rewriting): string {
  let outer = path;
  while (outer.parent && isOwner(outer.parent.node, outer.node)) outer = outer.parent;
  const call = textOf(path.node, rewriting);
  if (outer === path) return `await ${call}`;
  return `(await ${call})${rewriting.text.slice(endOf(path.node), endOf(outer.node))}`;
}

/** The author's line with `await`, and `async` where its function begins on it. */
function waitedLine({ path, within }: Obstacle, { text }: Rewriting): string {
  const start = startOf(path.node);
  const from = Math.max(0, text.lastIndexOf("\n", start - 1) + 1);
  const end = endOf(path.node);
  const breakAt = text.indexOf("\n", end);
  const to = breakAt < 0 ? text.length : breakAt;
  const isOwned = path.parent !== undefined && isOwner(path.parent.node, path.node);
  const call = `${isOwned ? "(" : ""}await ${text.slice(start, end)}${isOwned ? ")" : ""}`;
  const rest = text.slice(end, to).trimEnd();
  const node = within?.node;
  const isSpecial = node && "kind" in node && node.kind !== "method";
  if (!node || isSpecial || startOf(node) < from) {
    return shortened(`${text.slice(from, start).trimStart()}${call}${rest}`);
  }
  const before = text.slice(from, startOf(node)).trimStart();
  return shortened(`${before}async ${text.slice(startOf(node), start)}${call}${rest}`);
}

function isOwner(parent: Node, node: Node): boolean {
  return (parent.type === "MemberExpression" || parent.type === "OptionalMemberExpression") &&
    parent.object === node;
}

function textOf(node: Node, { text }: Rewriting): string {
  return shortened(text.slice(startOf(node), endOf(node)));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line;
}
