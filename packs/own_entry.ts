/** Entries that start Toolscript itself, in the files of other clients: as a server of its own it would
 * start itself without end. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = /(^|\/)(toolscript(@[^/]*)?|toolscript\/main\.[tj]s|npm\/starter\.cjs)$/;
/** This program, where it runs from a clone of any name. */
const MAIN = join(fileURLToPath(new URL("..", import.meta.url)), "main.ts");

/** Returns true for a command line that starts `toolscript mcp`, directly or by another program. */
export function isOwnEntry(words: readonly string[]): boolean {
  const at = words.indexOf("mcp");
  const program = words[at - 1] ?? "";
  return program === MAIN ||
    PROGRAM.test(program.replaceAll("\\", "/").replace(/\.(cmd|exe)$/, ""));
}
