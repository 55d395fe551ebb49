/** Guards imports whose address is computed at run time. */

import type { Edits } from "../syntax/edits.ts";
import { literalText, TOOLS_MODULE } from "../syntax/imports.ts";
import { endOf, type ParsedModule, startOf, walk } from "../syntax/parse.ts";

/** Passes the addresses that a literal import may have. The sandbox stops imports that bypass it. */
const GUARD = "((address)=>{const specifier=String(address);" +
  `if(specifier===${
    JSON.stringify(TOOLS_MODULE)
  }||/^\\.\\.?\\//.test(specifier))return specifier;` +
  "throw new TypeError('Refused the import of '+JSON.stringify(specifier))})(";

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
