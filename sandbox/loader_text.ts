/** What a sandbox process is made of, as JavaScript: the main module, and the loader. */

import { stripTypeScriptTypes } from "node:module";
import { inlineModule } from "./inline.ts";

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

/** The address of the main module, which holds all of it. */
export function bootAddress(): string {
  const script = stripTypeScriptTypes(read("boot"));
  return `data:text/javascript,${encodeURIComponent(script.replace(/^\s*\n/gm, ""))}`;
}

/** The line that gives a process its loader, for any `preload`: an expression whose value is what
 * `toolscript` exports. */
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
  return Deno.readTextFileSync(new URL(`child/${file}.ts`, import.meta.url));
}
