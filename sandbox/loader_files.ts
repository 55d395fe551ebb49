/** The loader's own modules, as JavaScript. */

import { stripTypeScriptTypes } from "node:module";

const NAMES = ["loader", "calls", "encode", "failure", "protocol", "rehearsal", "scrub", "stdin"];

/** Reads and strips every file of `child/`, once per sandbox: name → JavaScript. */
export function loaderFiles(): ReadonlyMap<string, string> {
  return new Map(NAMES.map((name) => [`${name}.ts`, readStripped(name)]));
}

function readStripped(name: string): string {
  return stripTypeScriptTypes(Deno.readTextFileSync(new URL(`child/${name}.ts`, import.meta.url)));
}
