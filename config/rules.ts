/** Rules about calls: checked and compiled when the configuration is read. */

import type { CallRule } from "#packs";
import type { CheckedConfig } from "./schema.ts";
import { hasNode, type Node, type Place, placeIn, placeOf } from "./tree/node.ts";
import type { ConfigFinding } from "./types.ts";

export interface ReadRules {
  readonly rules: readonly CallRule[];
  readonly findings: readonly ConfigFinding[];
}

type Written = CheckedConfig["security"]["rules"][number];

/** Compiles the rules; what evaluates their expressions is loaded where there is one. */
export async function readRules({ security }: CheckedConfig, root: Node): Promise<ReadRules> {
  const findings: ConfigFinding[] = [];
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
