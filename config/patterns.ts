/** Patterns of names that would match nothing: a list that protects would leave the tool out, unseen. */

import { isObject } from "#base";
import { expandBraces } from "#packs/name-pattern";
import { LEVEL_NAMES } from "#packs/policy";
import type { CheckedConfig } from "./schema.ts";
import { type Node, placeOf } from "./tree/node.ts";
import type { ConfigFinding } from "./types.ts";

export interface PatternProblem {
  readonly message: string;
  readonly fix: string;
}

/** Forms of globs of paths that patterns of names do not have. */
const OTHER_FORMS = /^!|[!@?+*]\(|\[\^|\\/;

/** Problem of a pattern; undefined for one that can match. */
export function patternProblem(pattern: string): PatternProblem | undefined {
  if (OTHER_FORMS.test(pattern)) {
    const message = 'a pattern has a form of paths ("!" in front, "!(", "[^" or "\\")';
    return { message, fix: 'Write it with "*", "?", "[ab]", "[!ab]" and "{a,b}"' };
  }
  if (expandBraces(pattern) !== undefined) return undefined;
  return { message: "a pattern has too many alternatives", fix: "Make it shorter" };
}

/** Findings about the lists and rules of `security`, and about declared effects. */
export function patternFindings(config: CheckedConfig, root: Node): ConfigFinding[] {
  return patternsOf(config).flatMap(({ pattern, path }) => {
    const problem = patternProblem(pattern);
    if (!problem) return [];
    const message = `Cannot take "${path.join(".")}": ${problem.message}`;
    return [{ severity: "error" as const, ...problem, message, ...placeOf(root, path) }];
  });
}

interface Written {
  readonly pattern: string;
  readonly path: readonly string[];
}

function patternsOf(
  { security, servers, packs: { extensions, ...builtin } }: CheckedConfig,
): Written[] {
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
