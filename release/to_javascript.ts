/** A module of the program as JavaScript for the npm package, line by line where it was. */

import { stripTypeScriptTypes } from "node:module";
import { dirname, relative } from "node:path/posix";
import { endOf, type Node, parseModule, startOf, walk } from "../runtime/syntax/parse.ts";

export interface JavaScript {
  readonly code: string;
  /** npm packages that the module imports. */
  readonly packages: readonly string[];
}

export interface JavaScriptOptions {
  /** Path of the module from the root of the program. */
  readonly file: string;
  /** Paths of the program's doors, `#base` to `base/mod.ts`. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Strips the types of `text`; specifiers and addresses of the program's own modules become relative
 * ones of JavaScript. A path that is read as text keeps naming the TypeScript. Throws for text that
 * does not parse.
 *
 * @example
 * ```ts
 * const aliases = new Map([["#base", "base/mod.ts"]]);
 * toJavaScript('export { sleep } from "#base";', { file: "cli/a.ts", aliases }).code;
 * // export { sleep } from "../base/mod.js";
 * ```
 */
export function toJavaScript(text: string, options: JavaScriptOptions): JavaScript {
  const script = stripTypeScriptTypes(text);
  const packages = new Set<string>();
  const parts: string[] = [];
  let at = 0;
  for (const literal of specifiersOf(script, options.file)) {
    const own = ownPath(literal.value, options);
    if (own === undefined) {
      if (!/^(node:|\.)/.test(literal.value)) packages.add(packageOf(literal.value));
      continue;
    }
    parts.push(script.slice(at, literal.start), JSON.stringify(own));
    at = literal.end;
  }
  return { code: parts.join("") + script.slice(at), packages: [...packages] };
}

interface Literal {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Specifiers of imports and exports, and addresses of modules, in the order of the text. */
function specifiersOf(script: string, file: string): Literal[] {
  const parsed = parseModule(script);
  if (parsed.kind === "failed") {
    throw new Error(`Cannot pack ${file}: ${parsed.line}:${parsed.column}: ${parsed.message}`);
  }
  const literals: Literal[] = [];
  walk(parsed.program, (node) => {
    if (isTextRead(node)) return "skip";
    const literal = specifierOf(node);
    if (literal?.type !== "StringLiteral") return;
    literals.push({ value: literal.value, start: startOf(literal), end: endOf(literal) });
  });
  return literals.sort((a, b) => a.start - b.start);
}

function specifierOf(node: Node): Node | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source;
    case "ImportExpression":
      return node.source;
    case "NewExpression":
      return node.arguments[1] && isMeta(node.arguments[1]) ? node.arguments[0] : undefined;
    case "CallExpression":
      return node.callee.type === "Import" || isMeta(node.callee) ? node.arguments[0] : undefined;
    default:
      return undefined;
  }
}

/** Returns true for `import.meta.url` and `import.meta.resolve`. */
function isMeta(node: Node): boolean {
  return node.type === "MemberExpression" && node.object.type === "MetaProperty";
}

/** Returns true for a call that reads a file as text. */
function isTextRead(node: Node): boolean {
  if (node.type !== "CallExpression") return false;
  const { callee } = node;
  const name = callee.type === "MemberExpression" ? callee.property : callee;
  return name.type === "Identifier" && /^read(Text)?File(Sync)?$/.test(name.name);
}

function ownPath(specifier: string, { file, aliases }: JavaScriptOptions): string | undefined {
  const target = aliases.get(specifier);
  const path = target === undefined ? specifier : fromFolderOf(file, target);
  return /^\..*\.tsx?$/.test(path) ? path.replace(/tsx?$/, "js") : undefined;
}

function fromFolderOf(file: string, target: string): string {
  const path = relative(dirname(file), target);
  return path.startsWith(".") ? path : `./${path}`;
}

function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
