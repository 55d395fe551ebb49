/** Judges the uses in a module by the lists, in the words of the specification. */

import { isObject, type JsonObject } from "#base";
import { type Level, LEVELS, type Policy, type PolicyDecision } from "#packs/policy";
import { literalValue } from "../syntax/literal.ts";
import type { Node } from "../syntax/parse.ts";
import type { Reference } from "./references.ts";
import type { LiteralUse, ValidationFinding } from "./types.ts";
import type { Use } from "./uses.ts";

/** Finding for one use; undefined where the lists allow it. */
export function judge(use: Use, policy: Policy): ValidationFinding | undefined {
  const judged = use.kind === "import" ? judgeImport(use.module, policy) : judgeUse(use, policy);
  if (!judged) return undefined;
  const { name, level, pattern } = judged;
  const { line, column } = use;
  const call = LEVELS[level] === "ask" ? callOf(name, use) : undefined;
  return {
    level,
    message: messageOf(judged, use.kind === "import"),
    name,
    pattern,
    line,
    column,
    ...(call ? { call } : {}),
  };
}

interface Judged {
  readonly name: string;
  readonly level: Level;
  readonly pattern: string;
}

function judgeImport(module: string, policy: Policy): Judged | undefined {
  return judged(module, policy.decideImport(module));
}

function judgeUse(use: Exclude<Use, { kind: "import" }>, policy: Policy): Judged | undefined {
  const judgement = judgeReference(use.reference, policy);
  if (use.kind === "call") {
    const shorter = use.instead && judgeReference(use.instead, policy);
    return judgement ?? shorter;
  }
  // A tool that is passed on is confirmed when it is called, with its real arguments.
  const isRefused = judgement !== undefined && LEVELS[judgement.level] === "refuse";
  return use.reference.from === "tools" && !isRefused ? undefined : judgement;
}

function judgeReference({ from, path }: Reference, policy: Policy): Judged | undefined {
  const name = path.join(".");
  if (from === "tools") {
    const [pack, tool] = path;
    if (pack === undefined || tool === undefined) return undefined;
    return judged(`${pack}.${tool}`, policy.decideTool({ pack, tool }));
  }
  // A whole module is judged at its import.
  if (path.length === 0 || (from === "module" && path.length === 1)) return undefined;
  return judged(name, policy.decide(name));
}

/** Characters of a name in findings: each use of a long one would repeat it. */
const MOST_NAME = 300;

function judged(name: string, { level, pattern }: PolicyDecision): Judged | undefined {
  if (level === "allowed" || pattern === undefined) return undefined;
  const brief = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
  return { name: brief, level, pattern };
}

/** Message about an import that a list names. */
export function importMessage(judged: Judged): string {
  return messageOf(judged, true);
}

function messageOf({ name, level, pattern }: Judged, imported: boolean): string {
  const isQualified = !imported && name.includes(".");
  const effect = LEVELS[level];
  switch (effect) {
    case "refuse": {
      const subject = imported
        ? `Import of '${name}'`
        : isQualified
        ? name
        : `Dangerous builtin '${name}'`;
      return `${subject} is not allowed (matches '${pattern}')`;
    }
    case "ask":
      return `${imported ? "Import of " : ""}'${name}' needs confirmation (matches '${pattern}')`;
    case "warn":
      return `Potentially unsafe ${imported ? "import" : "function"} '${name}'`;
    default:
      return effect satisfies never;
  }
}

function callOf(tool: string, use: Use): LiteralUse | undefined {
  const { line } = use;
  if (use.kind === "import" || use.reference.from !== "tools") {
    return { kind: "code", tool, arguments: {}, line };
  }
  const args = use.kind === "call" ? literalArguments(use.arguments) : undefined;
  return args && { tool, arguments: args, line };
}

/** The arguments of a call with one literal object or none; undefined where they are known only
 * when the program runs. */
function literalArguments(args: readonly Node[] | undefined): JsonObject | undefined {
  if (!args) return undefined;
  const [first, ...rest] = args;
  if (!first) return {};
  const value = rest.length === 0 ? literalValue(first) : undefined;
  return isObject(value) ? value as JsonObject : undefined;
}
