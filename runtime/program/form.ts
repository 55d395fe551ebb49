/** Form of a program: a function, which the sandbox need not fetch, or a module. */

import { TOOLS_EXPORTS, TOOLS_MODULE } from "../syntax/imports.ts";
import type { Node, ParsedModule, Statement } from "../syntax/parse.ts";
import { isErasable } from "../syntax/erasable.ts";
import { type Stripped, valueChildren } from "../syntax/strip.ts";
import type { Form } from "./types.ts";

/** Beginning of a comment in a script that is not one in a module. */
const SCRIPT_COMMENT = /<!--|-->/;

/** Form of an entry: a module where a function would have another meaning, has to be transpiled, or
 * needs an address to import from. */
export function formOf(module: ParsedModule, { values, decorated }: Stripped): Form {
  const { text, program } = module;
  if (decorated || values.has("arguments") || SCRIPT_COMMENT.test(text)) return "module";
  if (program.body.some((statement) => !isErasable(statement) && linksMore(statement, values))) {
    return "module";
  }
  return text.includes("import") && importsAtRunTime(program) ? "module" : "function";
}

/** Tells whether a statement imports more than the exports of `toolscript`: a missing name has to
 * fail as imports do. */
function linksMore(statement: Statement, values: ReadonlySet<string>): boolean {
  if (statement.type === "ExportAllDeclaration") return true;
  if (statement.type === "ExportNamedDeclaration") return Boolean(statement.source);
  if (statement.type !== "ImportDeclaration") return false;
  if (statement.source.value !== TOOLS_MODULE) return true;
  return statement.specifiers.some((item) => {
    if (!values.has(item.local.name) || item.type === "ImportNamespaceSpecifier") return false;
    if (item.type === "ImportDefaultSpecifier") return true;
    const { imported } = item;
    return !TOOLS_EXPORTS.has(imported.type === "Identifier" ? imported.name : imported.value);
  });
}

/** Tells whether the tree holds `import()` or `import.meta`. */
function importsAtRunTime(root: Node): boolean {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "ImportExpression") return true;
    if (node.type === "MetaProperty" && node.meta.name === "import") return true;
    if (isErasable(node)) continue;
    for (const child of valueChildren(node)) stack.push(child);
  }
  return false;
}
