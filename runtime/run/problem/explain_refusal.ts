/** From everything that keeps a program from beginning to the one answer that its author reads. */

import type { Log } from "#base";
import type { ProgramFinding, RefusedProgram } from "../../program/types.ts";
import { FINDING_LEVELS, type Validation } from "../../validate/types.ts";
import type { ValidationFinding } from "../../validate/types.ts";
import { excerpt } from "./excerpt.ts";
import { type Explained, explained } from "./problem.ts";

/** Adds the warnings of the lists to the reply and to the log. */
export function warnOf(
  validation: Validation | undefined,
  { file, record, log }: { file: string; record: { warn(message: string): void }; log: Log },
): void {
  for (const finding of validation?.findings ?? []) {
    if (FINDING_LEVELS[finding.level] !== "warn") continue;
    const message = withPlace(finding, file);
    record.warn(message);
    log("warning", message);
  }
}

export interface RefusedOptions {
  /** The name of a program whose findings name no module. */
  readonly file: string;
  /** The author's text of a module. */
  readonly text?: (file: string) => string | undefined;
}

/** Explains why a program cannot be run: everything that was found, blocked patterns first. */
export function explainRefused(refused: RefusedProgram, options: RefusedOptions): Explained {
  const { finding, others = [], validation } = refused;
  const blocked = blockedOf(validation);
  const findings = [finding, ...others];
  const remaining = findings.filter((item) => !isReportedBy(blocked, item));
  return joined([
    ...blocked.map((item) => explainOne(item, options.file)),
    ...remaining.map((item) => explainFinding(item, options.text)),
  ], {
    patterns: [...blocked, ...findings].flatMap(({ pattern }) => pattern ?? []),
    specifier: findings.find(({ code }) => code === "blocked")?.specifier,
  });
}

/** Explains the blocked parts of a program; undefined where nothing is blocked. */
export function explainBlocked(validation: Validation, file: string): Explained | undefined {
  const blocked = blockedOf(validation);
  if (blocked.length === 0) return undefined;
  const patterns = blocked.flatMap(({ pattern }) => pattern ?? []);
  return joined(blocked.map((finding) => explainOne(finding, file)), { patterns });
}

function blockedOf(validation: Validation | undefined): ValidationFinding[] {
  return validation?.findings.filter(({ level }) =>
    level !== "syntax" && FINDING_LEVELS[level] === "refuse"
  ) ?? [];
}

interface Joint {
  readonly patterns: readonly string[];
  readonly specifier?: string;
}

/** All texts under the error of the first. */
function joined(parts: readonly Explained[], { patterns, specifier }: Joint): Explained {
  const [first] = parts;
  if (!first) throw new TypeError("Cannot explain a refusal: nothing was found");
  const details = {
    ...first.error.details,
    ...(patterns[0] === undefined
      ? {}
      : { pattern: patterns[0], patterns: [...new Set(patterns)] }),
    ...(specifier === undefined ? {} : { specifier }),
  };
  return { text: parts.map(({ text }) => text).join("\n"), error: { ...first.error, details } };
}

/** Returns true if the lists block the same name at the same place. */
function isReportedBy(blocked: readonly ValidationFinding[], finding: ProgramFinding): boolean {
  return blocked.some(({ line, column, message, file = finding.file }) =>
    file === finding.file && line === finding.line &&
    (message === finding.message || (column === finding.column && finding.code !== "blocked"))
  );
}

function explainOne(finding: ValidationFinding, file: string): Explained {
  const { message, line, column } = finding;
  return explained({
    text: withPlace(finding, file),
    code: "blocked",
    name: FINDING_NAMES.blocked,
    message,
    file: finding.file ?? file,
    line,
    column,
  });
}

const FINDING_NAMES = {
  syntax_error: "SyntaxError",
  type_error: "TypeError",
  blocked: "BlockedError",
  bad_request: "BadRequest",
  too_large: "TooLarge",
} satisfies Record<ProgramFinding["code"], string>;

function explainFinding(finding: ProgramFinding, text: RefusedOptions["text"]): Explained {
  const { code, message, file, line, column, specifier, details } = finding;
  const prefix = code === "syntax_error" ? `Syntax error at line ${line}: ` : "";
  const place = line === undefined ? "" : `  at ${file}:${line}${column ? `:${column}` : ""}`;
  const lines = line === undefined ? "" : excerpt(text?.(file) ?? "", line, column);
  return explained({
    text: [`${prefix}${message}`, place, lines].filter((part) => part !== "").join("\n"),
    code,
    name: FINDING_NAMES[code],
    message,
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    details: { ...details, ...(specifier === undefined ? {} : { specifier }) },
  });
}

/** A finding as a person reads it. */
function withPlace({ message, line, column, file }: ValidationFinding, program: string): string {
  return `${message} at ${file ?? program}:${line}:${column}`;
}
