/** Imports of a module, and the modules that they lead to. */

import { type Node, type ParsedModule, placeOf, walk } from "./parse.ts";
import type { Place } from "./place.ts";
import { isModulePath } from "./paths.ts";

/** One import in a module. */
export interface Link extends Place {
  readonly specifier: string;
  /** `import … with {…}`: attributes load other things than modules. */
  readonly attributes: boolean;
  /** Set for `import()`, whose result cannot be followed. */
  readonly dynamic: boolean;
}

export interface Links {
  readonly links: readonly Link[];
  /** Set if the address of an `import()` is known only at run time. */
  readonly open: boolean;
}

export type Target =
  | { readonly kind: "tools" }
  | { readonly kind: "module"; readonly path: string }
  | { readonly kind: "blocked" };

/** Specifier of the tools module. */
export const TOOLS_MODULE = "toolscript";
/** Values that the tools module exports. */
export const TOOLS_EXPORTS: ReadonlySet<string> = new Set([
  "tools",
  "ToolError",
  "proj",
  "snippets",
]);

/** Finds all imports of a module: static, re-exported, in a type, or by a literal `import()`. */
export function findLinks(module: ParsedModule): Links {
  const links: Link[] = [];
  let open = false;
  if (!/import|from/.test(module.text)) return { links, open };
  walk(module.program, (node) => {
    const source = sourceOf(node);
    if (source) {
      const specifier = literalText(source);
      if (specifier === undefined) open = true;
      else links.push({ specifier, ...traits(node), ...placeOf(source) });
    }
  });
  links.sort((a, b) => a.line - b.line || a.column - b.column);
  return { links, open };
}

/** True for the tools module and for relative addresses: no other can be one of the run's modules. */
export function isOwnSpecifier(specifier: string): boolean {
  return specifier === TOOLS_MODULE || /^\.\.?\//.test(specifier);
}

/** Target of an import in the module `from`; other paths than those below the script's folder are
 * blocked. */
export function resolveImport(specifier: string, from: string): Target {
  if (specifier === TOOLS_MODULE) return { kind: "tools" };
  if (!isOwnSpecifier(specifier)) return { kind: "blocked" };
  const segments = from.split("/").slice(0, -1);
  for (const [index, segment] of specifier.split("/").entries()) {
    if (segment === "." && index === 0) continue;
    if (segment === ".." && segments.length > 0) segments.pop();
    else if (segment === "..") return { kind: "blocked" };
    else segments.push(segment);
  }
  const path = segments.join("/");
  return isModulePath(path) ? { kind: "module", path } : { kind: "blocked" };
}

/** The address that a node imports from; undefined for a node that imports nothing. */
export function sourceOf(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node.source;
    case "ExportNamedDeclaration":
      return node.source ?? undefined;
    case "TSExternalModuleReference":
      return node.expression;
    default:
      return undefined;
  }
}

function traits(node: Node): Pick<Link, "attributes" | "dynamic"> {
  const listed = "attributes" in node && Array.isArray(node.attributes) &&
    node.attributes.length > 0;
  const attributes = listed || ("options" in node && Boolean(node.options));
  return { attributes, dynamic: node.type === "ImportExpression" };
}

/** Text of a literal specifier; undefined for one that is computed at run time. */
export function literalText(node: Node): string | undefined {
  if (node.type === "StringLiteral") return node.value;
  if (node.type === "ParenthesizedExpression") return literalText(node.expression);
  if (node.type === "TSLiteralType") return literalText(node.literal);
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}
