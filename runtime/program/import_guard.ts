/** Guards of imports: a program has the modules beside it alone. The addresses `data:` and `blob:` need no
 * permission, and what Deno does for a module of the program's own making is no wall. */

import type { Edits } from "../syntax/edits.ts";
import { literalText, sourceOf, TOOLS_MODULE } from "../syntax/imports.ts";
import {
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

/** Returns what is served once it was read as the engine reads it: each import has its guard there, too.
 * Throws `ImportUnguarded`. */
export function guarded<T extends Pick<ServedModule, "served" | "transpile" | "form">>(
  module: T,
): T {
  const { served, transpile, form } = module;
  if (form === "function" && !served.includes("import")) return module;
  // Deno reads types once more, and takes these for comments in modules, too.
  if (transpile && /<!--|-->/.test(served)) throw new ImportUnguarded("A comment of scripts");
  const parsed = parseServed(served, { isScript: form === "function", hasTypes: transpile });
  if (parsed.kind === "failed") throw new ImportUnguarded(parsed.message);
  walk(parsed.program, (node) => {
    const source = sourceOf(node);
    if (source && !(form === "module" && isGuarded(source, served))) {
      throw new ImportUnguarded("An import has no guard");
    }
  });
  return module;
}

function isGuarded(source: Node, text: string): boolean {
  const specifier = literalText(source);
  if (specifier !== undefined) {
    return specifier === TOOLS_MODULE || /^\.\.?\//.test(specifier);
  }
  if (source.type !== "CallExpression" || source.arguments.length !== 1) return false;
  return text.startsWith(GUARD, startOf(source)) &&
    endOf(source.callee) === startOf(source) + GUARD.length - 1;
}
