/** Translates a command into TypeScript: fence, snippet, parse, dialect, in this order. */

import { parseModule, type ParseResult } from "../syntax/parse.ts";
import type { Place } from "../syntax/place.ts";
import { rewrite } from "./dialect/dialect.ts";
import { stripFence } from "./fence.ts";
import { authorPlace, composed } from "./map.ts";
import type { NameTable } from "./names.ts";
import { parseCommand } from "./recover.ts";
import type { expandCalls } from "./snippet/expand_calls.ts";
import { syntaxFinding } from "./syntax_finding.ts";
import type { CommandFinding, CommandMap, CommandSource } from "./types.ts";

/** Longest command that is read; a longer one would delay all others. */
export const MAX_COMMAND = 1_000_000;

/** Function that expands the snippet calls in a command. */
export type Expand = typeof expandCalls;

/** Loads the expansion of snippets if the command may need it: few do, and the module is large. */
export async function loadExpand(text: string): Promise<Expand | undefined> {
  if (!/(?:^|[\s`])\$[A-Za-z_]/.test(text)) return undefined;
  return (await import("./snippet/expand_calls.ts")).expandCalls;
}

/** Translates a command without running it, or returns the finding against it. Without `expand`,
 * snippet calls stay as they are. */
export function translateCommand(
  text: string,
  names: NameTable,
  expand?: Expand,
): CommandSource | CommandFinding {
  if (text.length > MAX_COMMAND) {
    return finding(
      "too_large",
      `The command has ${text.length} characters, more than ${MAX_COMMAND}: send the data ` +
        "through a tool, or run a file",
    );
  }
  try {
    const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
    const fenced = stripFence(plain);
    if (fenced.kind === "finding") return fenced;
    const expanded = expand?.(fenced.text, names.names.snippets);
    if (expanded?.kind === "finding") return expanded;
    return readExpanded(expanded ?? { text: fenced.text, lines: null }, names);
  } catch (error) {
    // The parser accepts deeper nesting than the walk over the tree.
    if (!(error instanceof RangeError)) throw error;
    return finding("syntax_error", "The command is nested too deeply: split it up");
  }
}

function readExpanded(
  { text, lines }: { readonly text: string; readonly lines: CommandMap["lines"] },
  names: NameTable,
): CommandSource | CommandFinding {
  const parsed = parseCommand(text);
  if (parsed.kind === "failed") return atAuthor(syntaxFinding(text, parsed), { shifts: [], lines });
  const { module, shifts } = parsed;
  const before = { shifts, lines };
  const rewritten = rewrite(module, names);
  if (rewritten.kind === "finding") return atAuthor(rewritten, before);
  const map = { shifts: composed(shifts, rewritten.shifts), lines };
  const whole: ParseResult = rewritten.text === module.text
    ? { kind: "parsed", text: module.text, program: module.program }
    : parseModule(rewritten.text);
  if (whole.kind === "failed") return atAuthor(finding("syntax_error", whole.message, whole), map);
  const { prelude, magic, servers, unknown } = rewritten;
  return {
    kind: "source",
    module: whole,
    prelude,
    map,
    magic,
    servers,
    unknown: unknown && atAuthor(unknown, before),
  };
}

function atAuthor(finding: CommandFinding, map: CommandMap): CommandFinding {
  return { ...finding, ...authorPlace(map, finding) };
}

function finding(
  code: CommandFinding["code"],
  message: string,
  { line, column }: Place = { line: 1, column: 1 },
): CommandFinding {
  return { kind: "finding", code, message, line, column };
}

/** The rewritten code for people (`run --explain`), with its prelude on lines of its own. */
export function explain({ prelude, module }: CommandSource): string {
  const before = (prelude.imports + prelude.checked).replaceAll(";", ";\n").trim();
  const body = module.text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
  return [before, body].filter((part) => part !== "").join("\n");
}
