/** Plans where a command waits for its tool calls: which calls are awaited, which functions become
 * asynchronous for it, and which methods of lists wait for their callbacks. */

import { keywordsOf, paramsOf } from "./arguments.ts";
import { functionOf, functionUses, listCallback, type Use } from "./function_uses.ts";
import type { Path } from "./path.ts";
import { givesPromises, isMisused, isResult, usesPromise } from "./promise_use.ts";
import type { ListFunction, Rewriting } from "./rewriting.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import { type Node, walk } from "../../syntax/parse.ts";
import type { FunctionNode } from "./survey.ts";

export interface Waits {
  readonly awaited: ReadonlySet<Node>;
  readonly asynchronous: ReadonlySet<FunctionNode>;
  /** Calls of methods of lists. */
  readonly lists: ReadonlyMap<Node, ListFunction>;
  /** The first call that cannot be waited for where its value is wanted. */
  readonly obstacle: Obstacle | null;
}

export interface Obstacle {
  /** The call. */
  readonly path: Path;
  /** The synchronous function around it; undefined in a class's field and the like. */
  readonly within?: Path;
  /** Where that function goes, if that is the reason. */
  readonly use?: Extract<Use, { kind: "other" }>;
}

/** Plans the waits of a command. */
export function planWaits(rewriting: Rewriting): Waits {
  const planner = new Planner(rewriting);
  for (const { path, target } of rewriting.calls) {
    if (paramsOf(target)) planner.waitIfWanted(path);
    else planner.considerAsync(path);
  }
  return planner;
}

class Planner implements Waits {
  readonly awaited = new Set<Node>();
  readonly asynchronous = new Set<FunctionNode>();
  readonly lists = new Map<Node, ListFunction>();
  obstacle: Obstacle | null = null;
  readonly #rewriting: Rewriting;

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
  }

  /** Waits for a tool call unless its promise is used. */
  waitIfWanted(path: Path): void {
    const rewriting = this.#rewriting;
    if (usesPromise(path, "one", { rewriting })) return;
    const obstacle = this.#obstacleTo(path, new Set());
    if (!obstacle) return this.#wait(path);
    const { takes } = obstacle.use ?? {};
    if (takes === undefined && !isMisused(path, rewriting)) return;
    this.obstacle ??= { ...obstacle, path };
  }

  /** Waits for a call that takes or calls a function that the author wrote as asynchronous, where
   * its promises would be a mistake. */
  considerAsync(path: Path): void {
    const rewriting = this.#rewriting;
    const list = listCallback(path.node, rewriting);
    const called = list?.callback ?? ("callee" in path.node ? path.node.callee as Node : path.node);
    const node = functionOf(called, path.scope, rewriting)?.node as FunctionNode | undefined;
    if (!node?.async || node.generator) return;
    const isMistake = !list
      ? isMisused(path, rewriting)
      : givesPromises(list.method)
      ? isMisused(path, rewriting) || path.parent?.node.type === "AwaitExpression"
      : !list.method.startsWith("reduce");
    const shape = list && givesPromises(list.method) ? "many" : "one";
    if (!isMistake || shape === "many" && usesPromise(path, shape, { rewriting })) return;
    if (this.#obstacleTo(path, new Set())) return;
    if (list) this.lists.set(path.node, shape === "many" ? "together" : "inTurn");
    this.#wait(path);
  }

  /** Reason why a call cannot be waited for. */
  #obstacleTo(path: Path, seen: Set<Node>): Obstacle | undefined {
    const rewriting = this.#rewriting;
    if (path.awaits || usesPromise(path, "one", { rewriting })) return undefined;
    const within = enclosing(path);
    const node = within?.node as FunctionNode | undefined;
    if (!within || !node || node.generator || !isInBody(path, node)) return { path, within };
    if (seen.has(node)) return undefined;
    seen.add(node);
    for (const use of functionUses(within, rewriting)) {
      if (use.kind === "other") return { path, within, use };
      if (use.kind === "free" || use.kind === "list" && this.#keepsPromises(use)) continue;
      const further = this.#obstacleTo(use.path, seen);
      if (further) return further;
    }
    return undefined;
  }

  #wait(path: Path): void {
    const rewriting = this.#rewriting;
    if (this.awaited.has(path.node) || usesPromise(path, "one", { rewriting })) return;
    this.awaited.add(path.node);
    const within = path.awaits ? undefined : enclosing(path);
    if (within) this.#makeAsync(within);
  }

  #makeAsync(path: Path): void {
    const rewriting = this.#rewriting;
    const node = path.node as FunctionNode;
    if (this.asynchronous.has(node)) return;
    this.asynchronous.add(node);
    for (const use of functionUses(path, rewriting)) {
      if (use.kind === "call") this.#wait(use.path);
      if (use.kind !== "list" || this.#keepsPromises(use)) continue;
      this.lists.set(use.path.node, isAtOnce(path, use.method, rewriting) ? "together" : "inTurn");
      this.#wait(use.path);
    }
  }

  /** Tells whether the list of promises that a method gives is what the author wants. */
  #keepsPromises({ method, path }: Extract<Use, { kind: "list" }>): boolean {
    return givesPromises(method) && !isResult(path) &&
      usesPromise(path, "many", { rewriting: this.#rewriting });
  }
}

/** The function around a node. */
function enclosing(path: Path): Path | undefined {
  for (let at = path.parent; at; at = at.parent) {
    const { type } = at.node;
    if (type === "ClassProperty" || type === "StaticBlock" || type.startsWith("TSModule")) break;
    if (type === "ArrowFunctionExpression" || type === "FunctionExpression") return at;
    if (type === "FunctionDeclaration" || type.endsWith("Method")) return at;
  }
  return undefined;
}

/** Tells whether a node stands in the body of a function, not among its parameters. */
function isInBody(path: Path, { body }: FunctionNode): boolean {
  const within = (node: Node) => inner(node) === inner(body);
  for (let at: Path | undefined = path; at; at = at.parent) if (within(at.node)) return true;
  return false;
}

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
