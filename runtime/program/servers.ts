/** Servers that a program uses, so that no others are started. */

import { isErasable } from "../syntax/erasable.ts";
import { memberName } from "../syntax/expression.ts";
import { type Links, TOOLS_MODULE } from "../syntax/imports.ts";
import type { Node, ParsedModule } from "../syntax/parse.ts";
import { valueChildren } from "../syntax/strip.ts";

/** First-level names used on the imported `tools` (`tools.github.…`, `tools["github"]`,
 * destructuring), and `snippets` where it is imported; null where `tools` is passed on, or may be imported at run time. */
export function usedServers(module: ParsedModule, { links, open }: Links): string[] | null {
  const imports = links.filter(({ specifier }) => specifier === TOOLS_MODULE);
  if (open || imports.some(({ dynamic }) => dynamic)) return null;
  return imports.length === 0 ? [] : usesOf(module);
}

function usesOf(module: ParsedModule): string[] | null {
  const imported = importedNames(module);
  if (imported === null) return null;
  const used = new Set<string>();
  if ([...imported.values()].includes("snippets")) used.add("snippets");
  const stack: { node: Node; parent: Node | undefined }[] = [
    { node: module.program, parent: undefined },
  ];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, parent } = item;
    if (isErasable(node)) continue;
    if (node.type === "Identifier" && imported.get(node.name) === "tools") {
      const names = namesUsed(node, parent);
      if (names === null) return null;
      for (const name of names) used.add(name);
    }
    for (const child of valueChildren(node)) stack.push({ node: child, parent: node });
  }
  return [...used];
}

/** Names that are imported, by their local names; null for an import of the whole module. */
function importedNames(module: ParsedModule): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>();
  for (const statement of module.program.body) {
    if (!("source" in statement) || statement.source?.value !== TOOLS_MODULE) continue;
    if (statement.type !== "ImportDeclaration") return null;
    for (const item of statement.specifiers) {
      if (item.type !== "ImportSpecifier") return null;
      const name = item.imported.type === "StringLiteral"
        ? item.imported.value
        : item.imported.name;
      names.set(item.local.name, name);
    }
  }
  return names;
}

function namesUsed(node: Node, parent: Node | undefined): string[] | null {
  switch (parent?.type) {
    case "MemberExpression":
    case "OptionalMemberExpression": {
      const name = parent.object === node ? memberName(parent) : undefined;
      return name === undefined ? null : [name];
    }
    case "VariableDeclarator":
      return parent.init === node ? patternNames(parent.id) : null;
    default:
      return null;
  }
}

function patternNames(pattern: Node): string[] | null {
  if (pattern.type !== "ObjectPattern") return null;
  const names: string[] = [];
  for (const item of pattern.properties) {
    if (item.type === "RestElement") return null;
    if (item.key.type === "StringLiteral") names.push(item.key.value);
    else if (item.key.type === "Identifier" && !item.computed) names.push(item.key.name);
    else return null;
  }
  return names;
}
