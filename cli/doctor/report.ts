/** Report of findings. */

import { escapeControls } from "../terminal.ts";
import type { Printer } from "../print.ts";
import type { Finding, Level } from "./types.ts";

const SIGNS = { ok: "✓", warning: "!", failed: "✗" } as const satisfies Record<Level, string>;
const WORDS = { ok: "ok", warning: "note", failed: "FAILED" } as const satisfies Record<
  Level,
  string
>;
const COLORS = { ok: "\x1b[32m", warning: "\x1b[33m", failed: "\x1b[31m" } as const;
const PLAIN = "\x1b[0m";

/** Prints one line for each finding, with its fix below. */
export async function printReport(findings: readonly Finding[], print: Printer): Promise<void> {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { level, check, message, fix } of findings) {
    const sign = print.hasColors
      ? `${COLORS[level]}${SIGNS[level]}${PLAIN}`
      : WORDS[level].padEnd(6);
    const text = `${sign} ${oneLine(check).padEnd(width)}  ${oneLine(message)}`;
    const indent = " ".repeat((print.hasColors ? 2 : 7) + width + 2);
    const below = fix === undefined ? "" : `\n${indent}→ ${oneLine(fix)}`;
    await print.raw("stdout", `${text}${below}\n`);
  }
}

/** Escapes a text, which may come from a server or a file. */
function oneLine(text: string): string {
  return escapeControls(text.replace(/\s*[\r\n]+\s*/g, " "));
}
