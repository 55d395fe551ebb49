/** Addresses of imports that are made at run time pass a guard: what reading cannot see. */

import type { Edits } from "../syntax/edits.ts";
import { literalText, TOOLS_MODULE } from "../syntax/imports.ts";
import { endOf, type ParsedModule, startOf, walk } from "../syntax/parse.ts";

/** Lets through what a literal import could name. The sandbox holds whatever gets round it. */
const GUARD = "((address)=>{const specifier=String(address);" +
  `if(specifier===${
    JSON.stringify(TOOLS_MODULE)
  }||/^\\.\\.?\\//.test(specifier))return specifier;` +
  "throw new TypeError('Refused the import of '+JSON.stringify(specifier))})(";

/** Puts the guard around the address of every `import()` that is not a literal. */
export function guardImports(module: ParsedModule, edits: Edits): void {
  if (!module.text.includes("import")) return;
  walk(module.program, (node) => {
    if (node.type === "ImportExpression" && literalText(node.source) === undefined) {
      edits.insert(startOf(node.source), GUARD);
      edits.close(startOf(node.source), endOf(node.source), ")");
    }
  });
}
