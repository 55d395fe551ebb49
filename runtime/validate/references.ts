/** Resolves an expression through aliases to parts of the platform, of a module, or tools. */

import type { Node } from "../syntax/parse.ts";
import { TOOLS_MODULE } from "../syntax/imports.ts";
import { constantKey, constantText, isWrapper } from "../syntax/expression.ts";
import type { Binding, Origin, Scope } from "../syntax/scope.ts";

export interface Reference {
  /** Start of the path: the global object, the name of a module, or `tools`. */
  readonly from: "platform" | "module" | "tools";
  readonly path: readonly string[];
  /** Set if a part of the path is computed, even by an expression with a constant value. */
  readonly computed?: boolean;
}

export interface References {
  /** All references that an expression may be, as far as the code shows. */
  of(node: Node, scope: Scope): readonly Reference[];
}

const MAX_DEPTH = 64;
const MAX_REFERENCES = 16;
const MAX_PATH = 8;
/** Names of the global object. */
const SELVES = new Set(["globalThis", "self", "window", "global"]);

/** Creates the resolver for one module. */
export function createReferences(packs: ReadonlySet<string>): References {
  const followed = new Map<Binding, readonly Reference[]>();
  return { of: (node, scope) => follow(node, scope, 0) };

  function follow(node: Node, scope: Scope, depth: number): readonly Reference[] {
    if (depth > MAX_DEPTH) return [];
    const inner = (child: Node) => follow(child, scope, depth + 1);
    if (isWrapper(node)) return inner(node.expression);
    switch (node.type) {
      case "Identifier":
        return byName(node.name, scope, depth);
      case "MemberExpression":
      case "OptionalMemberExpression":
        return member(node, inner);
      case "TSInstantiationExpression":
        return inner(node.expression);
      case "AwaitExpression":
        return inner(node.argument);
      case "SequenceExpression":
        return node.expressions.slice(-1).flatMap(inner);
      case "ConditionalExpression":
        return union([...inner(node.consequent), ...inner(node.alternate)]);
      case "LogicalExpression":
        return union([...inner(node.left), ...inner(node.right)]);
      case "AssignmentExpression":
        return inner(node.right);
      case "ImportExpression":
        return moduleReference(constantText(node.source));
      case "CallExpression":
      case "OptionalCallExpression":
        return called(node, inner, packs);
      default:
        return [];
    }
  }

  function byName(name: string, scope: Scope, depth: number): readonly Reference[] {
    const binding = scope.lookupValue(name);
    if (!binding) return [platform(name, packs)];
    const before = followed.get(binding);
    if (before) return before;
    followed.set(binding, []); // A name whose value uses the name itself is followed once.
    const references = union(binding.origins.flatMap((origin) => origins(origin, depth)));
    followed.set(binding, references);
    return references;
  }

  function origins(origin: Origin, depth: number): readonly Reference[] {
    const start = origin.kind === "module"
      ? moduleReference(origin.module)
      : follow(origin.node, origin.scope, depth + 1);
    return origin.path.reduce(
      (references, key) => references.map((reference) => extend(reference, key, packs)),
      start,
    );
  }

  function member(
    node: Extract<Node, { type: "MemberExpression" | "OptionalMemberExpression" }>,
    inner: (child: Node) => readonly Reference[],
  ): readonly Reference[] {
    const key = memberKey(node);
    if (key === undefined) return [];
    if (key === "constructor" && givesFunction(node.object)) {
      return [{ from: "platform", path: ["Function"] }];
    }
    const isComputed = node.computed && node.property.type !== "StringLiteral";
    return inner(node.object).map((reference) => {
      const extended = extend(reference, key, packs);
      return isComputed ? { ...extended, computed: true } : extended;
    });
  }
}

/** Key of a member, if it is constant. */
export function memberKey(
  node: Extract<Node, { type: "MemberExpression" | "OptionalMemberExpression" }>,
): string | undefined {
  return node.computed ? constantText(node.property) : constantKey(node.property);
}

/** Name of a module without the scheme `node:`. */
export function moduleName(specifier: string): string {
  return specifier.replace(/^node:/, "");
}

function platform(name: string, packs: ReadonlySet<string>): Reference {
  if (SELVES.has(name)) return { from: "platform", path: [] };
  if (name === "tools") return { from: "tools", path: [] };
  return packs.has(name) ? { from: "tools", path: [name] } : { from: "platform", path: [name] };
}

function moduleReference(specifier: string | undefined): Reference[] {
  if (specifier === undefined || /^[./]/.test(specifier)) return [];
  return [{ from: "module", path: moduleName(specifier).split("/") }];
}

function extend(reference: Reference, key: string, packs: ReadonlySet<string>): Reference {
  const { from, path } = reference;
  if (from === "platform" && path.length === 0) return { ...reference, ...platform(key, packs) };
  if (from === "module" && key === "default") return reference;
  if (from === "module" && path[0] === TOOLS_MODULE && path.length === 1 && key === "tools") {
    return { ...reference, from: "tools", path: [] };
  }
  return { ...reference, from, path: [...path, key].slice(0, MAX_PATH) };
}

/** Results of some calls: a bound function, a module, a member with a constant name. */
function called(
  node: Extract<Node, { type: "CallExpression" | "OptionalCallExpression" }>,
  inner: (child: Node) => readonly Reference[],
  packs: ReadonlySet<string>,
): readonly Reference[] {
  const { callee } = node;
  const [first, second] = node.arguments;
  const text = first ? constantText(first) : undefined;
  if (callee.type === "Identifier") {
    return isPlatform(inner(callee), "require") ? moduleReference(text) : [];
  }
  if (callee.type !== "MemberExpression" && callee.type !== "OptionalMemberExpression") return [];
  const key = memberKey(callee);
  if (key === "bind") return inner(callee.object).map((each) => ({ ...each, computed: true }));
  if (key === "getBuiltinModule") return moduleReference(text);
  const member = second ? constantText(second) : undefined;
  if (key !== "get" || !first || member === undefined) return [];
  if (!isPlatform(inner(callee.object), "Reflect")) return [];
  return inner(first).map((reference) => ({
    ...extend(reference, member, packs),
    computed: true,
  }));
}

function isPlatform(references: readonly Reference[], name: string): boolean {
  return references.some(({ from, path }) =>
    from === "platform" && path.length === 1 && path[0] === name
  );
}

/** Tells whether the `constructor` of a value is `Function`. */
function givesFunction(node: Node): boolean {
  switch (node.type) {
    case "ParenthesizedExpression":
      return givesFunction(node.expression);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassExpression":
      return true;
    case "MemberExpression":
    case "OptionalMemberExpression":
      return memberKey(node) === "constructor";
    default:
      return false;
  }
}

function union(references: readonly Reference[]): readonly Reference[] {
  const seen = new Set<string>();
  return references.filter(({ from, path }) => {
    const key = [from, ...path].join("\0");
    return !seen.has(key) && seen.add(key) !== undefined;
  }).slice(0, MAX_REFERENCES);
}
