/** Code of a sandbox process, as JavaScript: the main module, and the loader. */

import { stripTypeScriptTypes } from "node:module";
import { inlineModule } from "#base";

/** The loader's own files, imported ones first. */
const FILES = [
  "bytes",
  "protocol",
  "inbox",
  "caller",
  "calls",
  "encode",
  "failure",
  "scrub",
  "stdin",
  "stand_ins",
  "loader",
];

/** Address of the main module, with its whole text. */
export function bootAddress(): string {
  const script = stripTypeScriptTypes(read("boot"));
  return `data:text/javascript,${encodeURIComponent(script.replace(/^\s*\n/gm, ""))}`;
}

/** Makes the function that returns the line with the loader for a `preload`: an expression whose
 * value holds the exports of `toolscript`. */
export function createLoaderLine(): (preload: string) => Uint8Array {
  const modules = FILES.map((file) => inlineModule(file, read(file))).join("");
  let last: { readonly preload: string; readonly line: Uint8Array } | undefined;
  return (preload) => {
    if (last?.preload === preload) return last.line;
    const start = `(started) => loaderModule.start({ ...started, preload: () => ${preload} });`;
    const script = `"use strict";\n${modules}${start}\n`;
    const line = new TextEncoder().encode(`${JSON.stringify(script)}\n`);
    last = { preload, line };
    return line;
  };
}

function read(file: string): string {
  return Deno.readTextFileSync(new URL(`../child/${file}.ts`, import.meta.url));
}
