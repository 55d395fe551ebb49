/** Rules about calls: by tool, by effect, and by what they are called with. */

import { Buffer } from "node:buffer";
import { attempt, processorMs } from "#base";
import type { Effect } from "../../effect.ts";
import type { InTurn } from "../call_turns.ts";
import type { Args, CallOrigin, ToolEntry } from "../../types.ts";
import { type Level, LEVEL_NAMES, type PolicyDecision } from "../levels.ts";
import { viewsOf } from "./path_views.ts";

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
  /** One object for all calls of a run. */
  readonly origin?: CallOrigin;
  readonly inTurn: InTurn;
}

export interface CallRulesOptions {
  readonly rules: readonly CallRule[];
  readonly project: string;
  /** Name of the server in the configuration: a further account is a pack of another name. */
  readonly serverOf: (pack: string) => string;
  /** Tells that a pattern matches a tool. */
  readonly matches: (pattern: string, entry: ToolEntry) => boolean;
  /** Time that this thread has had the processor, in milliseconds. */
  readonly processor?: () => number;
}

export interface CallRules {
  /** Decides about a call; undefined where no rule matches. */
  decide(entry: ToolEntry, call: JudgedCall): Promise<PolicyDecision | undefined>;
  /** Tells that some call of a tool is asked about: an expression that fails asks, too. */
  mayAsk(entry: ToolEntry): boolean;
  /** Tells that every call of a tool is blocked. */
  isBlocked(entry: ToolEntry): boolean;
}

/** Bytes of the arguments that expressions see, as JSON. */
const MOST_ARGUMENTS = 65_536;
/** Time on the processor for all expressions about one call, and for those about all calls of a run. */
const MOST_MS = 500;
const MOST_RUN_MS = 5_000;

const RANKS: readonly (Level | "allowed")[] = [...LEVEL_NAMES, "allowed"];

/** Rank of a decision; the strictest is 0. */
export function rankOf({ level }: PolicyDecision): number {
  return RANKS.indexOf(level);
}

/** Compiles rules. Which of them are about a tool is found once for each entry. */
export function createCallRules(
  { rules, project, serverOf, matches, processor = processorMs }: CallRulesOptions,
): CallRules {
  const budgets = new WeakMap<CallOrigin, Budget>();
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

  function budgetOf({ origin = {} }: JudgedCall): Budget {
    const budget = budgets.get(origin) ?? { left: MOST_RUN_MS };
    budgets.set(origin, budget);
    return budget;
  }

  return {
    mayAsk: (entry) =>
      rulesOf(entry).some(({ rule }) => {
        return rule.then === "ask" || rule.when !== undefined;
      }),
    isBlocked: (entry) =>
      rulesOf(entry).some(({ rule }) => rule.then === "blocked" && rule.when === undefined),
    async decide(entry, call) {
      const own = rulesOf(entry);
      if (own.length === 0) return undefined;
      const about = { project, server: serverOf(entry.pack) };
      const judge = createJudge({ ...call, run: budgetOf(call), processor });
      const decisions: PolicyDecision[] = [];
      const isAbout = own.some(({ rule }) => rule.when !== undefined);
      const views = isAbout ? await viewsOf(entry, call.args, project) : [call.args];
      for (const args of views) {
        const facts = factsOf(entry, { ...call, args }, about);
        const holds = (when: When) => judge(when, facts);
        for (const rule of own) decisions.push(...await decide(rule, holds));
      }
      // The sort is stable: of equal ones the first counts.
      return decisions.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
    },
  };
}

interface Numbered {
  readonly rule: CallRule;
  readonly index: number;
}

/** Time on the processor that is left, in milliseconds. */
interface Budget {
  left: number;
}

interface JudgeOptions extends Pick<JudgedCall, "args" | "inTurn"> {
  readonly run: Budget;
  readonly processor: () => number;
}

type Judge = (when: When, facts: RuleFacts) => Promise<unknown>;

/** Builds the evaluation of expressions about one call. It gives no boolean where one fails, and where
 * all before it, of the call or of its run, took too long together. */
function createJudge({ args, inTurn, run, processor }: JudgeOptions): Judge {
  const call: Budget = { left: MOST_MS };
  let isShort: boolean | undefined;
  return (when, facts) =>
    inTurn(() => {
      isShort ??= Buffer.byteLength(JSON.stringify(args)) <= MOST_ARGUMENTS;
      if (!isShort || call.left <= 0 || run.left <= 0) return undefined;
      const before = processor();
      const result = attempt(() => when(facts));
      const used = processor() - before;
      call.left -= used;
      run.left -= used;
      return result;
    });
}

/** Gives the decision of a rule that holds. One whose expression fails asks. */
async function decide(
  { rule, index }: Numbered,
  holds: (when: When) => Promise<unknown>,
): Promise<readonly PolicyDecision[]> {
  const { when, then, because } = rule;
  const about = {
    pattern: `security.rules[${index}]`,
    rule: index,
    ...(because === undefined ? {} : { because }),
  };
  // Too long, too much, or about what the arguments do not have: a person decides.
  const result = when ? await holds(when) : true;
  if (result === false) return [];
  if (result !== true) return [{ level: "ask", ...about }];
  return [{ level: then === "allow" ? "allowed" : then, ...about }];
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
