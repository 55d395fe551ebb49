/** Header of a pack's file: a TOML block in comments, as in PEP 723 (WRK-05, WRK-06). */

import { parse, TomlError } from "smol-toml";
import { isObject, messageOf } from "#base";
import {
  type Extent,
  isTexts,
  type Language,
  type PackFinding,
  type Permission,
  PERMISSIONS,
} from "../types.ts";

export interface PackHeader {
  readonly dependencies: readonly string[];
  /** Python versions, `>=3.11`. */
  readonly requiresPython?: string;
  /** Permissions that a TypeScript pack requests. */
  readonly permissions: Readonly<Partial<Record<Permission, Extent>>>;
}

export interface HeaderResult {
  /** Undefined where it is missing or unreadable. */
  readonly header?: PackHeader;
  readonly findings: readonly PackFinding[];
}

const MARK: Readonly<Record<Language, string>> = { typescript: "//", python: "#" };

/** Reads the `script` block of a file's text. A malformed block is ignored (WRK-06). */
export function readHeader(
  text: string,
  { language, file }: { readonly language: Language; readonly file: string },
): HeaderResult {
  const block = findBlock(text, MARK[language]);
  if (!block) return { findings: [] };
  try {
    return { header: toHeader(parse(block.toml)), findings: [] };
  } catch (error) {
    const line = error instanceof TomlError ? block.line + error.line : block.line;
    return { findings: [malformed(error, { file, line })] };
  }
}

function malformed(error: unknown, place: { readonly file: string; readonly line: number }) {
  const [why = "not TOML"] = messageOf(error).split("\n");
  return {
    severity: "error",
    message: `Cannot read the script header: ${why}`,
    ...place,
    fix: "Correct it: until then the pack has no dependencies and no permissions",
  } as const satisfies PackFinding;
}

interface Block {
  readonly toml: string;
  /** The line of `/// script`, 1-based. */
  readonly line: number;
}

/** The block from `<mark> /// script` to the last `<mark> ///` of the comment lines after it. */
function findBlock(text: string, mark: string): Block | undefined {
  const lines = text.split(/\r?\n/);
  const start = lines.indexOf(`${mark} /// script`);
  if (start < 0) return undefined;
  let end = -1;
  for (let at = start + 1; at < lines.length && isComment(lines[at] ?? "", mark); at++) {
    if (lines[at] === `${mark} ///`) end = at;
  }
  if (end < 0) return undefined;
  const inner = lines.slice(start + 1, end).map((line) => line.slice(mark.length + 1));
  return { toml: inner.join("\n"), line: start + 1 };
}

function isComment(line: string, mark: string): boolean {
  return line === mark || line.startsWith(`${mark} `);
}

function toHeader(toml: unknown): PackHeader {
  if (!isObject(toml)) throw new Error("it is no table");
  const { dependencies = [], "requires-python": requiresPython, permissions = {} } = toml;
  if (!isTexts(dependencies)) throw new Error('"dependencies" is no list of texts');
  if (requiresPython !== undefined && typeof requiresPython !== "string") {
    throw new Error('"requires-python" is no text');
  }
  return { dependencies, requiresPython, permissions: toPermissions(permissions) };
}

function toPermissions(table: unknown): PackHeader["permissions"] {
  if (!isObject(table)) throw new Error('"permissions" is no table');
  const permissions: Partial<Record<Permission, Extent>> = {};
  for (const [name, extent] of Object.entries(table)) {
    const permission = PERMISSIONS.find((each) => each === name);
    if (!permission) {
      throw new Error(`no such permission "${name}": there are ${PERMISSIONS.join(", ")}`);
    }
    if (extent === false) continue;
    if (extent !== true && !isTexts(extent)) {
      throw new Error(`the permission "${name}" is neither true nor a list of texts`);
    }
    permissions[permission] = extent;
  }
  return permissions;
}
