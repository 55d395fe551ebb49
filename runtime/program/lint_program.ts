/** Lints a program for its author, without running it. */

import type { Policy } from "#packs";
import { lintCode } from "../validate/lint.ts";
import { FINDING_LEVELS, type FindingLevel } from "../validate/types.ts";
import { checkedText } from "./checked_text.ts";
import { parseModule } from "../syntax/parse.ts";
import type { Place } from "../syntax/place.ts";
import { readScript } from "./read_script.ts";
import type { ProgramFinding, ProgramSource } from "./types.ts";

/** One error or warning about a program. */
export interface LintFinding extends Place {
  /** An error keeps the program from running. */
  readonly level: "error" | "warning";
  /** The source of the finding: one of the four lists, an import, the syntax, or `deno lint`. */
  readonly kind: FindingLevel | "import" | "lint";
  readonly message: string;
  readonly file: string;
  /** Pattern of the list. */
  readonly pattern?: string;
  /** Rule of `deno lint`. */
  readonly rule?: string;
}

export interface LintProgramOptions {
  readonly policy: Policy;
  /** Path of the Deno executable. */
  readonly deno: string;
  readonly signal?: AbortSignal;
}

const KINDS = {
  bad_request: "import",
  too_large: "syntax",
  blocked: "import",
  syntax_error: "syntax",
  type_error: "import",
} satisfies Record<ProgramFinding["code"], LintFinding["kind"]>;

/** Findings of the lists in all modules of a program, of its imports, and of `deno lint` in its
 * script, by file and place.
 *
 * @example
 * ```ts
 * import { createSecurityPolicy, lintProgram } from "#runtime";
 * const source = { script: "eval('1')", file: "one.ts", files: {} };
 * const options = { policy: createSecurityPolicy(), deno: Deno.execPath() };
 * const [finding] = await lintProgram(source, options);
 * console.assert(finding?.level === "error" && finding.pattern === "eval");
 * ```
 */
export async function lintProgram(
  source: ProgramSource,
  { policy, deno, signal }: LintProgramOptions,
): Promise<LintFinding[]> {
  const { file } = source;
  const read = readScript(source, policy);
  const listed = (read.validation?.findings ?? []).map((finding): LintFinding => {
    const { level, message, line, column, pattern } = finding;
    return {
      level: FINDING_LEVELS[level] === "refuse" ? "error" : "warning",
      kind: level,
      message,
      file: finding.file ?? file,
      line,
      column,
      ...(pattern === undefined ? {} : { pattern }),
    };
  });
  const refused = read.kind === "finding" ? [read.finding, ...read.others ?? []] : [];
  const others = refused.map(refusedFinding).filter((finding) => !isListed(finding, listed));
  const parsed = parseModule(source.script);
  const warnings = parsed.kind === "parsed"
    ? await lintCode(checkedText(parsed), { deno, signal })
    : [];
  const advice = warnings.map((warning): LintFinding => {
    return { level: "warning", kind: "lint", file, ...warning };
  });
  return [...listed, ...others, ...advice].sort(byPlace(file));
}

function refusedFinding(finding: ProgramFinding): LintFinding {
  const { code, message, file, line = 1, column = 1, pattern } = finding;
  return {
    level: "error",
    kind: KINDS[code],
    message: code === "syntax_error" ? `Syntax error at line ${line}: ${message}` : message,
    file,
    line,
    column,
    ...(pattern === undefined ? {} : { pattern }),
  };
}

/** Tells whether a finding of the lists covers an import. */
function isListed(finding: LintFinding, listed: readonly LintFinding[]): boolean {
  return listed.some(({ file, line, message }) =>
    file === finding.file && line === finding.line && message === finding.message
  );
}

/** Order of findings: those of the script first. */
function byPlace(script: string): (a: LintFinding, b: LintFinding) => number {
  const fileOf = ({ file }: LintFinding) => file === script ? "" : file;
  return (a, b) => fileOf(a).localeCompare(fileOf(b)) || a.line - b.line || a.column - b.column;
}
