/** Patterns of a call as regular expressions of JavaScript and of ripgrep. */

import { messageOf } from "#base";
import { PackError } from "../../errors.ts";
import type { Pattern } from "../search/mod.ts";
import type { PatternArgs } from "./params.ts";

const MAX_PATTERN = 10_000;

/** Reads the pattern of a call. Throws `PackError`. */
export function readPattern(
  { pattern, fixed, ignore_case, word, multiline }: PatternArgs,
): Pattern {
  if (pattern === "" || pattern.length > MAX_PATTERN) {
    throw unusable(pattern, `it has 1 to ${MAX_PATTERN} characters`);
  }
  const bare = fixed ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern;
  const source = word ? `\\b(?:${bare})\\b` : bare;
  const looksAround = /\(\?<?[=!]/.test(source);
  const shared = { source, multiline, looksAround };
  const caseFlag = ignore_case ? "i" : "";
  const problem = problemOf(bare, `${caseFlag}u`);
  if (problem === undefined) return { ...shared, flags: `${caseFlag}u` };
  // Without Unicode mode more is allowed, such as an escaped quote.
  if (problemOf(bare, caseFlag) === undefined) return { ...shared, flags: caseFlag };
  throw unusable(pattern, `${problem}: escape it, or search with fixed=true`);
}

function problemOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function unusable(pattern: string, why: string): PackError {
  const quoted = JSON.stringify(pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern);
  return new PackError("invalid_arguments", `Cannot search for ${quoted}: ${why}`);
}

const SPACES = "\\t\\n\\x0B\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}" +
  "\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
/** Escapes whose meaning differs in ripgrep, outside and inside of brackets. */
const OUTSIDE: Readonly<Record<string, string>> = {
  d: "[0-9]",
  D: "[^0-9]",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_]",
  s: `[${SPACES}]`,
  S: `[^${SPACES}]`,
  b: "(?-u:\\b)",
};
const INSIDE: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: SPACES };

/** Translates a pattern for ripgrep. Returns undefined if it might have another meaning there. */
export function forRipgrep({ source, flags, looksAround }: Pattern): string | undefined {
  if (looksAround || !flags.includes("u")) return undefined;
  let result = "";
  let inClass = false;
  for (const [token] of source.matchAll(/\\[^]|\(\?.?|\[\^?|[^]/gu)) {
    const translated = inClass ? inBrackets(token) : outside(token);
    if (translated === undefined) return undefined;
    if (!inClass && token.startsWith("[")) inClass = true;
    else if (inClass && token === "]") inClass = false;
    result += translated;
  }
  return /\[\^?\]/.test(source) ? undefined : result;
}

function outside(token: string): string | undefined {
  if (token.startsWith("(?")) return token === "(?:" ? token : undefined;
  if (token === ".") return "[^\\n\\r\\x{2028}\\x{2029}]";
  return token.startsWith("\\") ? escape(token.slice(1), OUTSIDE) : token;
}

function inBrackets(token: string): string | undefined {
  if (token.startsWith("\\")) return escape(token.slice(1), INSIDE);
  // Characters that are special only in ripgrep's brackets.
  if (token.startsWith("[")) return `\\[${token.slice(1)}`;
  if (token.startsWith("(?")) return token;
  return token === "&" || token === "~" ? `\\${token}` : token;
}

function escape(letter: string, table: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(table, letter)) return table[letter];
  if (/^[tnrf]$/.test(letter)) return `\\${letter}`;
  return /^[^\w\s]$/.test(letter) && letter.charCodeAt(0) < 128
    ? letter === "/" ? "/" : `\\${letter}`
    : undefined;
}
