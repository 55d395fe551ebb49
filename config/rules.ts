/** Rules about calls, and patterns of names: checked and compiled when the configuration is read. */

import { isObject } from "#base";
import type { CallRule } from "#packs";
import { expandBraces } from "#packs/name-pattern";
import { LEVEL_NAMES } from "#packs/policy";
import type { CheckedConfig } from "./schema.ts";
import { hasNode, type Node, type Place, placeIn, placeOf } from "./tree/node.ts";
import type { ConfigFinding } from "./types.ts";

export interface ReadRules {
  readonly rules: readonly CallRule[];
  readonly findings: readonly ConfigFinding[];
}

type Written = CheckedConfig["security"]["rules"][number];

/** Compiles the rules; what evaluates their expressions is loaded where there is one. */
export async function readRules(config: CheckedConfig, root: Node): Promise<ReadRules> {
  const { security } = config;
  const findings: ConfigFinding[] = patternFindings(config, root);
  const rules: CallRule[] = [];
  for (const [index, rule] of security.rules.entries()) {
    const path = ["security", "rules", String(index)];
    const problem = shapeProblem(rule, (key) => hasNode(root, [...path, key]));
    if (problem) findings.push(finding(placeOf(root, path), index, problem));
    const { then = "blocked", when: text, ...rest } = rule;
    const when = text === undefined ? undefined : await compile(text);
    const isWrong = when && "message" in when;
    if (isWrong) {
      const place = placeIn(root, [...path, "when"], when.at);
      findings.push(finding(place, index, `"when": ${when.message}`));
    }
    // Without its wrong condition a rule is stricter, unless it allows: then it is dropped.
    if (isWrong && then === "allow") continue;
    rules.push({ ...rest, then, ...(when && !isWrong ? { when } : {}) });
  }
  return { rules, findings };
}

async function compile(text: string) {
  const { compileWhen } = await import("#packs/when");
  return compileWhen(text);
}

/** Tells what a rule lacks; a value that is wrong is told by itself. */
function shapeProblem(
  { tool, effect, then }: Written,
  isWritten: (key: string) => boolean,
): string | undefined {
  const isAbout = tool !== undefined || effect !== undefined;
  if (!isAbout && !isWritten("tool") && !isWritten("effect")) {
    return 'it has neither "tool" nor "effect"';
  }
  if (then !== undefined || isWritten("then")) return undefined;
  return 'it has no "then": blocked, ask, warned or allow';
}

function finding(place: Place, index: number, problem: string): ConfigFinding {
  const message = `Cannot take "security.rules[${index}]": ${problem}`;
  const fix = "See docs/effects.md for what a rule may say";
  return { severity: "error", message, ...place, fix };
}

export interface PatternProblem {
  readonly message: string;
  readonly fix: string;
}

/** Forms of globs of paths that patterns of names do not have, and what is not closed. */
const OTHER_FORMS = /^!|[!@?+*]\(|[|\\]|\[\^/;
const FORMS = '"*", "?", "[ab]" and "[!ab]"';

function isOtherForm(pattern: string): boolean {
  return OTHER_FORMS.test(pattern) || isOpen(pattern);
}

/** True for a bracket that nothing closes; one in first place is a member. */
function isOpen(pattern: string): boolean {
  for (let at = pattern.indexOf("["); at >= 0;) {
    const end = pattern.indexOf("]", at + (pattern[at + 1] === "!" ? 3 : 2));
    if (end < 0) return true;
    at = pattern.indexOf("[", end);
  }
  return false;
}

/** Problem of a pattern that chooses the tools of a server; undefined for one that can match. */
export function filterPatternProblem(pattern: string): PatternProblem | undefined {
  const fix = `Write it with ${FORMS}, and "{a,b}"`;
  if (isOtherForm(pattern)) return { message: UNUSABLE, fix };
  const all = expandBraces(pattern);
  if (!all) return { message: "a pattern has too many alternatives", fix: "Make it shorter" };
  return all.some((one) => /[{}]/.test(one)) ? { message: UNUSABLE, fix } : undefined;
}

/** Problem of a pattern in a list, a rule or an effect; undefined for one that can match. */
function patternProblem(pattern: string): PatternProblem | undefined {
  if (!isOtherForm(pattern) && !/[{},()]/.test(pattern)) return undefined;
  return { message: UNUSABLE, fix: `Write it with ${FORMS}, and each alternative by itself` };
}

const UNUSABLE = 'a pattern has a form of paths ("!" in front, "(a|b)", "[^", "\\", "{a,b}"): ' +
  "it would match nothing";

/** Findings about patterns that would match nothing in the lists and rules of `security` and in declared
 * effects: a list that protects would leave the tool out, unseen. */
function patternFindings(config: CheckedConfig, root: Node): ConfigFinding[] {
  return patternsOf(config).flatMap(({ pattern, path }) => {
    const problem = patternProblem(pattern);
    if (!problem) return [];
    const message = `Cannot take "${path.join(".")}": ${problem.message}`;
    return [{ severity: "error" as const, ...problem, message, ...placeOf(root, path) }];
  });
}

interface WrittenPattern {
  readonly pattern: string;
  readonly path: readonly string[];
}

function patternsOf(
  { security, servers, packs: { extensions, ...builtin } }: CheckedConfig,
): WrittenPattern[] {
  const lists = [...LEVEL_NAMES, "allow"] as const;
  const effects = [
    ...Object.entries({ ...builtin, ...extensions }).map(([name, one]) =>
      ["packs", name, one] as const
    ),
    ...Object.entries(servers).map(([name, one]) => ["servers", name, one] as const),
  ];
  return [
    ...lists.flatMap((list) =>
      security[list].map((pattern, at) => ({ pattern, path: ["security", list, String(at)] }))
    ),
    ...security.rules.flatMap(({ tool }, at) =>
      tool === undefined ? [] : [{ pattern: tool, path: ["security", "rules", String(at), "tool"] }]
    ),
    ...effects.flatMap(([section, name, one]) =>
      isObject(one) && isObject(one.effects)
        ? Object.keys(one.effects).map((pattern) => ({
          pattern,
          path: [section, name, "effects", pattern],
        }))
        : []
    ),
  ];
}
