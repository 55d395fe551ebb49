/** Validates code before it runs: its syntax, and what it uses against the four lists. */

import { type ParsedModule, parseModule } from "../syntax/parse.ts";
import { createSecurityPolicy } from "./defaults.ts";
import { judge } from "./findings.ts";
import { FINDING_LEVELS, type ValidateOptions } from "./types.ts";
import type { Validation, ValidationFinding } from "./types.ts";
import { findUses } from "./uses.ts";

/** Most findings in one result. */
const MAX_FINDINGS = 200;

/** Validates a command or a module, as text or parsed. References are followed through aliases, and
 * judged by the original name.
 *
 * @example
 * ```ts
 * import { validateCode } from "#runtime";
 * const { errors } = validateCode("const e = globalThis['eval']; e('1')");
 * console.assert(errors[0] === "Dangerous builtin 'eval' is not allowed (matches 'eval')");
 * ```
 */
export function validateCode(
  code: string | ParsedModule,
  options: ValidateOptions = {},
): Validation {
  const { checkSecurity = true, packs = new Set() } = options;
  const parsed = typeof code === "string" ? parseModule(code) : code;
  if (parsed.kind === "failed") {
    const { line, column } = parsed;
    const message = `Syntax error at line ${line}: ${parsed.message}`;
    return createValidation([{ level: "syntax", message, line, column }]);
  }
  if (!checkSecurity) return createValidation([]);
  const policy = options.policy ?? createSecurityPolicy();
  const findings = new Map<string, ValidationFinding>();
  const uses = findUses(parsed, packs);
  for (const use of uses) {
    const finding = judge(use, policy);
    if (!finding) continue;
    const key = JSON.stringify([finding.line, finding.column, finding.message]);
    if (!findings.has(key)) findings.set(key, finding);
  }
  const open = uses.some((use) => use.kind === "hand_on" && use.reference.from === "tools");
  return { ...createValidation(inOrder([...findings.values()])), ...(open ? { open } : {}) };
}

function createValidation(findings: readonly ValidationFinding[]): Validation {
  const errors = findings.filter(({ level }) => FINDING_LEVELS[level] === "refuse");
  const warnings = findings.filter(({ level }) => FINDING_LEVELS[level] === "warn");
  return {
    valid: errors.length === 0,
    errors: errors.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    requiresConfirmation: findings.some(({ level }) => FINDING_LEVELS[level] === "ask"),
    findings,
  };
}

/** Findings in the order of the text. Of too many, the most severe stay: a builtin is only
 * confirmed before the run, a tool also when it is called. */
function inOrder(findings: ValidationFinding[]): ValidationFinding[] {
  const byPlace = (a: ValidationFinding, b: ValidationFinding) =>
    a.line - b.line || a.column - b.column;
  findings.sort(byPlace);
  if (findings.length <= MAX_FINDINGS) return findings;
  const names = new Set<string>();
  const weights = new Map(findings.map((finding) => {
    const { level, call, name = "" } = finding;
    const isFirst = call?.kind === "code" && !names.has(name);
    if (isFirst) names.add(name);
    return [finding, isFirst ? 0 : WEIGHTS.indexOf(level)];
  }));
  const weigh = (finding: ValidationFinding) => weights.get(finding) ?? 0;
  findings.sort((a, b) => weigh(a) - weigh(b) || byPlace(a, b));
  return findings.slice(0, MAX_FINDINGS).sort(byPlace);
}

const WEIGHTS = Object.keys(FINDING_LEVELS);
