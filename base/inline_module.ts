/** Puts modules into the text of another one: separate modules would cost every process a request,
 * a file and a parse each. */

import { stripTypeScriptTypes } from "node:module";

const IMPORT = /^import \{([^}]*)\} from "\.\/(\w+)\.ts";$/gm;
/** Comments on lines of their own. */
const COMMENT = /^\s*(?:\/\*[^]*?\*\/|\/\/.*)$/gm;
const EXPORT = /^export ((?:async )?function|class|const) (\w+)/gm;

/** A module of ours as one statement of JavaScript, in a scope of its own: `const <name>Module`
 * holds what it exports. What it imports must stand before it. Comments and indentation are left out:
 * every process reads the text. No text in the module may span lines. */
export function inlineModule(name: string, text: string): string {
  const script = stripTypeScriptTypes(text).replace(COMMENT, "").replace(/^\s+/gm, "");
  const names = [...script.matchAll(EXPORT)].map(([, , exported]) => exported);
  const body = script.replace(IMPORT, "const {$1} = $2Module;").replace(EXPORT, "$1 $2");
  return `const ${name}Module = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();\n`;
}
