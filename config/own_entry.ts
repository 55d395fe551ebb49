/** Entries that start Toolscript itself, in the files of other clients: as a server of its own it would
 * start itself without end. */

import { basename } from "node:path";

const PROGRAM = /^(toolscript(@.*)?|main\.[tj]s|starter\.cjs)$/;

/** Returns true for a command line that starts `toolscript mcp`, directly or by another program. */
export function isOwnEntry(words: readonly string[]): boolean {
  const at = words.indexOf("mcp");
  const program = basename((words[at - 1] ?? "").replaceAll("\\", "/"));
  return PROGRAM.test(program.replace(/\.(cmd|exe)$/, ""));
}
