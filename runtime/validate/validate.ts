/** Validates code before it runs: its syntax, and what it uses against the four lists. */

import { type ParsedModule, parseModule } from "../syntax/parse.ts";
import { createSecurityPolicy } from "./defaults.ts";
import { judge } from "./findings.ts";
import type { ValidateOptions, Validation, ValidationFinding } from "./types.ts";
import { findUses } from "./uses.ts";

/** More of them say nothing new. */
const MAX_FINDINGS = 200;

/** Validates a command or a module, from its text or as it was parsed. Names are judged for what
 * they stand for, whatever they are called by.
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
  const { text } = parsed;
  const findings = new Map<string, ValidationFinding>();
  for (const use of findUses(parsed, packs)) {
    const finding = judge(use, { policy, text });
    if (!finding) continue;
    const key = JSON.stringify([finding.line, finding.column, finding.message]);
    if (!findings.has(key)) findings.set(key, finding);
  }
  return createValidation(inOrder([...findings.values()]));
}

function createValidation(findings: readonly ValidationFinding[]): Validation {
  const errors = findings.filter(({ level }) => level === "syntax" || level === "blocked");
  const warnings = findings.filter(({ level }) => level === "warned");
  return {
    valid: errors.length === 0,
    errors: errors.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    requiresConfirmation: findings.some(({ level }) => level === "ask"),
    findings,
  };
}

/** By place; of too many, those that matter most. */
function inOrder(findings: ValidationFinding[]): ValidationFinding[] {
  const byPlace = (a: ValidationFinding, b: ValidationFinding) =>
    a.line - b.line || a.column - b.column;
  if (findings.length <= MAX_FINDINGS) return findings.sort(byPlace);
  const weight = { syntax: 0, blocked: 1, ask: 2, warned: 3 };
  findings.sort((a, b) => weight[a.level] - weight[b.level] || byPlace(a, b));
  return findings.slice(0, MAX_FINDINGS).sort(byPlace);
}
