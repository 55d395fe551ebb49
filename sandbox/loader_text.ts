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

/** The script whose value is the loader, for any `preload`: an expression whose value is what
 * `toolscript` exports. */
export function loaderText(): (preload: string) => string {
  const modules = FILES.map((file) => inlineModule(file, read(file))).join("");
  return (preload) =>
    `"use strict";\n${modules}(started) => loaderModule.start({ ...started, preload: () => ${preload} });\n`;
}

function read(file: string): string {
  return Deno.readTextFileSync(new URL(`child/${file}.ts`, import.meta.url));
}
