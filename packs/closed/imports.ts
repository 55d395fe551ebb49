/** Modules that a script imports from other folders: `bin/server.js` loads `../src/tools.js`. */

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { IMPLIED } from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { isBelow } from "./names.ts";

const MOST_FILES = 300;
const MOST_BYTES = 256 * 1024;
/** `from "../a.js"`, `import "./a"`, `import("./a")`, `require("../a")`. */
const SPECIFIERS = /\b(?:from|import|require)\s*\(?\s*["'`](?<path>\.{1,2}\/[^"'`\n]*)["'`]/g;

/** Adds the files that a script and its modules import by a relative path, and those that would be
 * loaded in their place. Those below the script's folder are closed as its own modules. */
export async function addImports(script: string, files: Set<string>): Promise<void> {
  const waiting = new Set([script]);
  const folder = dirname(script);
  for (const file of waiting) {
    for (const candidate of importsOf(file).flatMap(candidatesOf)) {
      if (waiting.size < MOST_FILES && await isFile(candidate)) waiting.add(candidate);
      const names = isBelow(candidate, folder) ? [] : await namesOf(candidate);
      names.forEach((name) => files.add(name));
    }
  }
}

/** Files that an import of a path may mean. */
function candidatesOf(path: string): string[] {
  const stem = path.replace(/\.[cm]?[jt]sx?$/, "");
  return [path, ...endingsOf(stem), ...endingsOf(join(path, "index"))];
}

function importsOf(file: string): string[] {
  // A file that cannot be read imports nothing.
  const text = attempt(() => readRegularText(file, MOST_BYTES)) ?? "";
  const paths = [...text.matchAll(SPECIFIERS)].map(({ groups }) => groups?.path ?? "");
  return [...new Set(paths)].map((path) => resolve(dirname(file), path));
}

function endingsOf(stem: string): string[] {
  return [...IMPLIED, "jsx", "tsx", "node"].map((ending) => `${stem}.${ending}`);
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((info) => info.isFile(), () => false);
}
