/** Whether a program can be handed over as a function, which saves the sandbox fetching it. */

import { TOOLS_EXPORTS, TOOLS_MODULE } from "../syntax/imports.ts";
import type { Node, ParsedModule, Statement } from "../syntax/parse.ts";
import { isErasable } from "../syntax/erasable.ts";
import { type Stripped, valueChildren } from "../syntax/strip.ts";
import type { Form } from "./types.ts";

/** What begins a comment in a script, and does not in a module. */
const SCRIPT_COMMENT = /<!--|-->/;

/** The form of an entry: a module where a function's text would mean something else, has to be
 * transpiled, or needs an address of its own to import from. */
export function formOf(module: ParsedModule, { values, decorated }: Stripped): Form {
  const { text, program } = module;
  if (decorated || values.has("arguments") || SCRIPT_COMMENT.test(text)) return "module";
  if (program.body.some((statement) => !isErasable(statement) && linksMore(statement, values))) {
    return "module";
  }
  return text.includes("import") && importsAtRunTime(program) ? "module" : "function";
}

/** Whether a statement takes anything from another module but what `toolscript` exports: a name
 * that it lacks has to fail as imports do. */
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

/** Whether there is an `import()` or `import.meta`. */
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
