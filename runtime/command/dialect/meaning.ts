/** Meanings of expressions in a command: packs, tools, snippets, project paths. */

import type { Node } from "../../syntax/parse.ts";
import { isGlobal } from "./globals.ts";
import type { NameTable, Target } from "../names.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import type { Scope } from "../../syntax/scope.ts";
import { type Survey, variableOf } from "./survey.ts";

const MAX_DEPTH = 8;

/** A name that the command assigns to without declaring it. */
export interface Implicit {
  /** Its value, where it is assigned once. */
  readonly init?: Node;
}

type Value = { readonly imported: string } | {
  readonly init: Node;
  readonly scope: Scope;
  /** The property of `init` that the variable holds. */
  readonly property?: string;
};

/** Finds the pack, tool or path behind a name, through variables. */
export class Meanings {
  readonly table: NameTable;
  readonly #survey: Survey;
  #implicit: ReadonlyMap<string, Implicit> = new Map();

  constructor(table: NameTable, survey: Survey) {
    this.table = table;
    this.#survey = survey;
  }

  /** Sets the names that the command declares by assigning to them. */
  assume(implicit: ReadonlyMap<string, Implicit>): void {
    this.#implicit = implicit;
  }

  /** Tells whether a name is neither declared nor assigned. */
  isFree(name: string, scope: Scope): boolean {
    return !this.#implicit.has(name) && !scope.lookup(name);
  }

  /** Tells whether a variable is assigned to after its declaration. */
  isReassigned(name: string, scope: Scope): boolean {
    return this.#survey.usesOf(name, scope).writes.length > 0;
  }

  of(node: Node, scope: Scope): Target | undefined {
    return this.#of(inner(node), scope, 0);
  }

  isProjectPath(node: Node, scope: Scope): boolean {
    return this.#isPath(inner(node), scope, 0);
  }

  #of(node: Node, scope: Scope, depth: number): Target | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (node.type === "Identifier") {
      return this.#variable(node.name, scope, depth) ??
        (this.isFree(node.name, scope) ? this.#ambient(node.name) : undefined);
    }
    const name = memberName(node);
    if (name === undefined || !("object" in node)) return undefined;
    const owner = inner(node.object as Node);
    if (owner.type === "Identifier" && this.isFree(owner.name, scope)) {
      return this.#memberOf(owner.name, name);
    }
    const target = this.#of(owner, scope, depth + 1);
    return target && this.table.member(target, name);
  }

  /** Member of a pack. `fetch.get` is a tool only if the pack `fetch` has it, since the platform
   * has a `fetch` too. */
  #memberOf(owner: string, name: string): Target | undefined {
    const target = this.table.ambient(owner) ?? this.#ambient(owner);
    const member = target && this.table.member(target, name);
    return member?.kind === "no_tool" && isGlobal(owner) ? undefined : member;
  }

  /** Target of a name without an owner: an alias goes before a pack. */
  #ambient(name: string): Target | undefined {
    return this.table.aliasTarget(name) ?? (isGlobal(name) ? undefined : this.table.ambient(name));
  }

  #variable(name: string, scope: Scope, depth: number): Target | undefined {
    const value = this.#valueOf(name, scope);
    if (!value) return undefined;
    if ("imported" in value) return importedTarget(value.imported);
    const target = this.#of(inner(value.init), value.scope, depth + 1);
    if (!target || value.property === undefined) return target;
    return this.table.member(target, value.property);
  }

  /** Value of a variable that never changes. */
  #valueOf(name: string, scope: Scope): Value | undefined {
    const binding = scope.lookup(name);
    if (!binding) {
      const init = this.#implicit.get(name)?.init;
      return init && { init, scope: this.#survey.root };
    }
    const variable = variableOf(binding);
    if (!variable) return undefined;
    const { kind, init, property } = variable;
    if (kind === "import") return property === undefined ? undefined : { imported: property };
    const isFixed = kind === "const" ||
      kind === "let" && !this.isReassigned(name, scope);
    if (!isFixed || !init) return undefined;
    return { init, scope: variable.scope, property };
  }

  #isPath(node: Node, scope: Scope, depth: number): boolean {
    if (depth > MAX_DEPTH * 8) return false;
    const deeper = (part: Node) => this.#isPath(inner(part), scope, depth + 1);
    switch (node.type) {
      case "BinaryExpression":
        return node.operator === "/" && deeper(node.left);
      case "AwaitExpression":
        return deeper(node.argument);
      case "CallExpression": {
        const callee = inner(node.callee);
        if (memberName(callee) === "join" && "object" in callee) {
          return deeper(callee.object as Node);
        }
        const target = this.#of(callee, scope, depth);
        return target?.kind === "tool" && target.pack.name === "proj" &&
          target.tool.name === "path";
      }
      case "Identifier": {
        const value = this.#valueOf(node.name, scope);
        if (!value || "imported" in value || value.property !== undefined) return false;
        return this.#isPath(inner(value.init), value.scope, depth + 1);
      }
      default:
        return this.#of(node, scope, 0)?.kind === "project";
    }
  }
}

function importedTarget(name: string): Target | undefined {
  return name === "tools" || name === "proj" || name === "snippets" ? { kind: name } : undefined;
}
