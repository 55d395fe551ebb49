/** Dispatch of a call by the decision about it, for names made at run time too. */

import type { Log } from "#base";
import type { Effect } from "../effect.ts";
import { PackError } from "../errors.ts";
import { reasonText, stopAsking, unconfirmedState } from "../unconfirmed.ts";
import { isSnippet } from "./names.ts";
import { LEVELS, type PolicyDecision } from "./levels.ts";
import { parametersFirst } from "./prefix.ts";
import type { Args, CallOptions, PolicyMatch, ToolEntry } from "../types.ts";

type PolicyMatchRule = Pick<PolicyMatch, "rule" | "because">;

/** Allows the call, asks for confirmation, or throws `PackError`. */
export async function checkPolicy(
  { decision, log, entry, args, options }: {
    readonly decision: PolicyDecision;
    /** Receives warnings of calls without `onWarning`. */
    readonly log: Log;
    readonly entry: ToolEntry;
    readonly args: Args;
    readonly options: CallOptions;
  },
): Promise<void> {
  const tool = `${entry.pack}.${entry.tool}`;
  const { level, pattern = "" } = decision;
  if (level === "allowed" || LEVELS[level] !== "refuse") checkLook(entry, args, options);
  if (level === "allowed") return;
  const effect = LEVELS[level];
  switch (effect) {
    case "warn": {
      const message = `Potentially unsafe function '${tool}'`;
      if (options.onWarning) options.onWarning({ message, pattern, entry });
      else log("warning", message, { pattern });
      return;
    }
    case "refuse":
      throw refusal(tool, decision);
    case "ask":
      return await confirmCall({
        tool,
        pattern,
        entry,
        ...ruleOf(decision),
        arguments: parametersFirst(args, entry.spec.inputSchema),
      }, options);
    default:
      throw effect satisfies never;
  }
}

function refusal(tool: string, decision: PolicyDecision): PackError {
  const { level, pattern = "", because } = decision;
  const list = decision.rule === undefined ? level : "rules";
  return new PackError(
    "blocked",
    `Cannot call "${tool}": not allowed (matches '${pattern}')${
      reasonText(because)
    }: use another ` +
      `tool, or take the pattern out of security.${list} in the config`,
    { tool, details: { pattern, ...ruleOf(decision) } },
  );
}

/** Throws for a call of a look that does not only read. */
function checkLook(entry: ToolEntry, args: Args, { look }: CallOptions): void {
  const { pack, effect, spec } = entry;
  if (!look || effect === "read" || isSnippet(entry)) return;
  const tool = `${pack}.${entry.tool}`;
  look({ tool, arguments: parametersFirst(args, spec.inputSchema) });
  throw lookError(tool, effect);
}

/** Builds the error of a call that only a run may make. */
function lookError(tool: string, effect: Effect): PackError {
  const does = effect === "destroy" ? "may destroy" : "writes";
  return new PackError(
    "read_only",
    `Cannot call "${tool}": it ${does}, and this is only a look: make the call in a run`,
    { tool, details: { effect } },
  );
}

/** Rule of a decision, with its reason. */
function ruleOf({ rule, because }: PolicyMatchRule): PolicyMatchRule {
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(because === undefined ? {} : { because }),
  };
}

async function confirmCall(
  question: Parameters<NonNullable<CallOptions["ask"]>>[0],
  { ask }: CallOptions,
): Promise<void> {
  const { tool, pattern, because } = question;
  const answer = await ask?.(question) ?? "unanswerable";
  if (answer === "allowed") return;
  if (answer === "declined") {
    throw new PackError(
      "blocked",
      `Cannot call "${tool}": it was declined (matches '${pattern}')${
        reasonText(because)
      }: do without it, ` +
        "or explain why it is needed before it is asked for again",
      { tool, details: { reason: "declined", pattern, ...ruleOf(question) } },
    );
  }
  throw new PackError(
    "needs_confirmation",
    `Cannot call "${tool}": ${
      unconfirmedState([pattern], { because })
    }: confirm it beforehand, or ${stopAsking(pattern)}`,
    {
      tool,
      details: { pattern, ...ruleOf(question), calls: [{ tool, arguments: question.arguments }] },
    },
  );
}
