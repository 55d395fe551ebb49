/** Reading commands in tests. */

import type { CommandSource } from "../../../runtime/command/types.ts";
import type { CommandFinding } from "../../../runtime/command/types.ts";
import type { NameTable } from "../../../runtime/command/names.ts";
import { translateCommand } from "../../../runtime/command/translate.ts";
import { expandCalls } from "../../../runtime/command/snippet/expand_calls.ts";
import { TABLE } from "./names.ts";

/** The source of a command that must be one. */
export function source(text: string, table: NameTable = TABLE): CommandSource {
  const read = translateCommand(text, table, expandCalls);
  if (read.kind === "finding") throw new Error(`${JSON.stringify(text)}: ${read.message}`);
  return read;
}

/** The rewritten text of a command. */
export function rewritten(text: string): string {
  return squeezed(source(text).module.text);
}

/** Without the spaces that stand for what was overwritten. */
export function squeezed(text: string): string {
  return text.replace(/ {2,}/g, " ").replace(/ (?=[(),:}])/g, "").trim();
}

/** What keeps a command from being run. */
export function finding(text: string, table: NameTable = TABLE): CommandFinding {
  const read = translateCommand(text, table, expandCalls);
  if (read.kind === "source") throw new Error(`${JSON.stringify(text)} is read`);
  return read;
}
