/** The loader as one module of JavaScript: each further one would cost every process a request, a
 * file and a parse. */

import { stripTypeScriptTypes } from "node:module";

/** The loader's own files, what is imported first. */
const FILES = [
  "bytes",
  "protocol",
  "inbox",
  "calls",
  "encode",
  "failure",
  "rehearsal",
  "scrub",
  "stdin",
  "loader",
];
const IMPORT = /^import \{([^}]*)\} from "\.\/(\w+)\.ts";$/gm;
const EXPORT = /^export ((?:async )?function|class|const) (\w+)/gm;

/** Reads every file of `child/` and puts them together, each in a scope of its own. */
export function loaderText(): string {
  return FILES.map((file) => {
    const url = new URL(`child/${file}.ts`, import.meta.url);
    const text = stripTypeScriptTypes(Deno.readTextFileSync(url));
    const names = [...text.matchAll(EXPORT)].map(([, , name]) => name);
    const body = text.replace(IMPORT, "const {$1} = $2Module;").replace(EXPORT, "$1 $2");
    return `const ${file}Module = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();\n`;
  }).join("");
}
