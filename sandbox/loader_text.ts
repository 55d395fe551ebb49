/** The loader as one module of JavaScript. */

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

/** Reads every file of `child/` and puts them together, each in a scope of its own. */
export function loaderText(): string {
  return FILES.map((file) => {
    const url = new URL(`child/${file}.ts`, import.meta.url);
    return inlineModule(file, Deno.readTextFileSync(url));
  }).join("");
}
