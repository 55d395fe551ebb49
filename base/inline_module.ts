/** Puts modules into the text of another one: separate modules would cost every process a request,
 * a file and a parse each. */

import { stripTypeScriptTypes } from "node:module";

const IMPORT = /^import \{([^}]*)\} from "\.\/(\w+)\.ts";$/gm;
const EXPORT = /^export ((?:async )?function|class|const) (\w+)/gm;

/** A module of ours as one statement of JavaScript, in a scope of its own: `const <name>Module`
 * holds what it exports. What it imports must stand before it. */
export function inlineModule(name: string, text: string): string {
  const script = stripTypeScriptTypes(text);
  const names = [...script.matchAll(EXPORT)].map(([, , exported]) => exported);
  const body = script.replace(IMPORT, "const {$1} = $2Module;").replace(EXPORT, "$1 $2");
  return `const ${name}Module = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();\n`;
}
