/** Rules about calls: by tool, by effect, and by what they are called with. */

import { Buffer } from "node:buffer";
import { attempt } from "#base";
import type { Effect } from "../../effect.ts";
import type { Args, CallOrigin, ToolEntry } from "../../types.ts";
import { type Level, LEVEL_NAMES, type PolicyDecision } from "../levels.ts";

/** Variables of an expression. */
export interface RuleFacts {
  readonly args: Args;
  readonly tool: string;
  readonly server: string;
  readonly effect: Effect;
  readonly client: string;
  readonly project: string;
}

/** Compiled expression; throws where it fails. */
export type When = (facts: RuleFacts) => unknown;

export interface CallRule {
  readonly tool?: string;
  readonly effect?: Effect;
  readonly when?: When;
  readonly then: Level | "allow";
  readonly because?: string;
}

/** A call, as rules see it. */
export interface JudgedCall {
  readonly args: Args;
  readonly origin: CallOrigin | undefined;
}

export interface CallRulesOptions {
  readonly rules: readonly CallRule[];
  readonly project: string;
  /** Name of the server in the configuration: a further account is a pack of another name. */
  readonly serverOf: (pack: string) => string;
  /** Tells that a pattern matches a tool. */
  readonly matches: (pattern: string, entry: ToolEntry) => boolean;
}

export interface CallRules {
  /** Decides about a call; undefined where no rule matches. */
  decide(entry: ToolEntry, call: JudgedCall): PolicyDecision | undefined;
  /** Tells that some call of a tool is asked about: an expression that fails asks, too. */
  mayAsk(entry: ToolEntry): boolean;
  /** Tells that every call of a tool is blocked. */
  isBlocked(entry: ToolEntry): boolean;
}

/** Bytes of the arguments that expressions see, as JSON. */
const MOST_ARGUMENTS = 65_536;
/** Time for all expressions about one call, and the most that one of them takes. */
const MOST_MS = 100;
const MOST_EACH_MS = 20;

const RANKS: readonly (Level | "allowed")[] = [...LEVEL_NAMES, "allowed"];

/** Rank of a decision; the strictest is 0. */
export function rankOf({ level }: PolicyDecision): number {
  return RANKS.indexOf(level);
}

/** Compiles rules. Which of them are about a tool is found once for each entry. */
export function createCallRules(
  { rules, project, serverOf, matches }: CallRulesOptions,
): CallRules {
  const byEntry = new WeakMap<ToolEntry, readonly Numbered[]>();
  const numbered = rules.map((rule, index) => ({ rule, index }));

  function rulesOf(entry: ToolEntry): readonly Numbered[] {
    const own = byEntry.get(entry) ?? numbered.filter(({ rule: { tool, effect } }) => {
      return (effect === undefined || effect === entry.effect) &&
        (tool === undefined || matches(tool, entry));
    });
    byEntry.set(entry, own);
    return own;
  }

  return {
    mayAsk: (entry) =>
      rulesOf(entry).some(({ rule }) => {
        return rule.then === "ask" || rule.when !== undefined;
      }),
    isBlocked: (entry) =>
      rulesOf(entry).some(({ rule }) => rule.then === "blocked" && rule.when === undefined),
    decide(entry, call) {
      const own = rulesOf(entry);
      if (own.length === 0) return undefined;
      const facts = factsOf(entry, call, { project, server: serverOf(entry.pack) });
      const holds = createJudge(facts);
      const decisions = own.flatMap((rule) => decide(rule, holds) ?? []);
      // The sort is stable: of equal ones the first counts.
      return decisions.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    },
  };
}

interface Numbered {
  readonly rule: CallRule;
  readonly index: number;
}

/** Builds the evaluation of expressions about one call. It gives no boolean where one fails, and where
 * all before it took too long together: the calls of all programs wait meanwhile. */
function createJudge(facts: RuleFacts): (when: When) => unknown {
  let left = MOST_MS;
  let isShort: boolean | undefined;
  return (when) => {
    isShort ??= Buffer.byteLength(JSON.stringify(facts.args)) <= MOST_ARGUMENTS;
    if (!isShort || left <= 0) return undefined;
    const start = performance.now();
    const result = attempt(() => when(facts));
    // A process that only waited for the processor has not used it up.
    left -= Math.min(performance.now() - start, MOST_EACH_MS);
    return result;
  };
}

/** A rule whose expression fails asks. */
function decide(
  { rule, index }: Numbered,
  holds: (when: When) => unknown,
): PolicyDecision | undefined {
  const { when, then, because } = rule;
  const about = {
    pattern: `security.rules[${index}]`,
    rule: index,
    ...(because === undefined ? {} : { because }),
  };
  // Too long, too much, or about what the arguments do not have: a person decides.
  const result = when ? holds(when) : true;
  if (result === false) return undefined;
  if (result !== true) return { level: "ask", ...about };
  return { level: then === "allow" ? "allowed" : then, ...about };
}

function factsOf(
  entry: ToolEntry,
  { args, origin }: JudgedCall,
  about: Pick<RuleFacts, "project" | "server">,
): RuleFacts {
  const { pack, tool, effect } = entry;
  const { client, via } = origin ?? {};
  const own = client === "cli" ? "cli" : "http";
  const isTaken = client === "cli" || client === "http";
  return {
    args,
    tool: `${pack}.${tool}`,
    effect,
    client: via !== "mcp" ? own : isTaken ? "mcp" : client ?? "mcp",
    ...about,
  };
}
