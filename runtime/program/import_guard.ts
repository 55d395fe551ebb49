/** Guards of imports: a program has the modules beside it alone. The addresses `data:` and `blob:` need no
 * permission, and what Deno does for a module of the program's own making is no wall. */

import type { Edits } from "../syntax/edits.ts";
import { isOwnSpecifier, literalText, sourceOf, TOOLS_MODULE } from "../syntax/imports.ts";
import {
  type Comment,
  endOf,
  type Node,
  type ParsedModule,
  parseServed,
  startOf,
  walk,
} from "../syntax/parse.ts";
import type { ServedModule } from "./types.ts";

/** Passes the addresses that a literal import may have. It is syntax alone: a program can replace every
 * function, and every global. */
const GUARD = "((address)=>{const specifier=`${address}`;" +
  `if(specifier===${JSON.stringify(TOOLS_MODULE)}||specifier[0]==="."&&` +
  '(specifier[1]==="/"||specifier[1]==="."&&specifier[2]==="/"))return specifier;' +
  "throw new TypeError('Refused the import of \"'+specifier+'\"')})(";

/** A program that says something else without its types than with them. */
export class ImportUnguarded extends Error {
  override readonly name = "ImportUnguarded";
}

/** Wraps the address of every non-literal `import()` in the guard. */
export function guardImports(module: ParsedModule, edits: Edits): void {
  if (!module.text.includes("import")) return;
  walk(module.program, (node) => {
    if (node.type === "ImportExpression" && literalText(node.source) === undefined) {
      edits.insert(startOf(node.source), GUARD);
      edits.close(startOf(node.source), endOf(node.source), ")");
    }
  });
}

/** Returns what is served once it was read as the engine reads it: each import has its guard there, too,
 * and no comment names another source. Throws `ImportUnguarded`. */
export function guarded<T extends Pick<ServedModule, "served" | "transpile" | "form">>(
  module: T,
): T {
  const { served, transpile, form } = module;
  if (form === "function" && !served.includes("import")) return module;
  const parsed = parseServed(served, { isScript: form === "function", hasTypes: transpile });
  if (parsed.kind === "failed") throw new ImportUnguarded(parsed.message);
  walk(parsed.program, (node) => {
    if (isScriptComment(node, served)) throw new ImportUnguarded("A comment of scripts");
    const source = sourceOf(node);
    if (source && !(form === "module" && isGuarded(source, served))) {
      throw new ImportUnguarded("An import has no guard");
    }
  });
  const named = parsed.comments.filter(({ value }) => OTHER_SOURCE.test(value));
  return named.length === 0 ? module : { ...module, served: without(named, served) };
}

/** Text with blanks in place of comments. */
function without(comments: readonly Comment[], text: string): string {
  let at = 0;
  const parts = comments.flatMap(({ start, end }) => {
    const [from, to] = [start ?? at, end ?? at];
    const before = text.slice(at, from);
    at = to;
    return [before, " ".repeat(to - from)];
  });
  return parts.join("") + text.slice(at);
}

/** Comment by which an error has the name and the lines of another module. */
const OTHER_SOURCE = /^[#@]\s*source(?:Mapping)?URL/;

/** True for `a <!--b`, a comparison. Deno takes it for a comment where it looks for imports. */
function isScriptComment(node: Node, text: string): boolean {
  return node.type === "UpdateExpression" && node.prefix &&
    text.startsWith("<!--", startOf(node) - 2);
}

function isGuarded(source: Node, text: string): boolean {
  const specifier = literalText(source);
  if (specifier !== undefined) return isOwnSpecifier(specifier);
  if (source.type !== "CallExpression" || source.arguments.length !== 1) return false;
  return text.startsWith(GUARD, startOf(source)) &&
    endOf(source.callee) === startOf(source) + GUARD.length - 1;
}
