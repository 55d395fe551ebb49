/** The rewritten code, for people (`run --explain`). */

import type { CommandSource } from "./types.ts";

/** What is checked and run of a command, its prelude on lines of its own. */
export function explain({ prelude, module }: CommandSource): string {
  const before = (prelude.imports + prelude.checked).replaceAll(";", ";\n").trim();
  const body = module.text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
  return [before, body].filter((part) => part !== "").join("\n");
}
