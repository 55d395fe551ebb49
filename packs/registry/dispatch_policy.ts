/** Check of a call against the four lists and effects at dispatch, for names made at run time too. */

import type { Log } from "#base";
import { PackError, STOP_ASKING, unconfirmedState } from "../errors.ts";
import { lookError } from "./look.ts";
import { LEVELS, type Policy } from "./policy.ts";
import { parametersFirst } from "./prefix.ts";
import type { Args, CallOptions, ToolEntry } from "../types.ts";

/** Allows the call, asks for confirmation, or throws `PackError`. */
export async function checkPolicy(
  { policy, log, entry, args, options }: {
    readonly policy: Policy;
    /** Receives warnings of calls without `onWarning`. */
    readonly log: Log;
    readonly entry: ToolEntry;
    readonly args: Args;
    readonly options: CallOptions;
  },
): Promise<void> {
  const tool = `${entry.pack}.${entry.tool}`;
  const { level, pattern = "" } = policy.decideTool(entry);
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
      throw new PackError(
        "blocked",
        `Cannot call "${tool}": not allowed (matches '${pattern}'): use another tool, or take the ` +
          `pattern out of security.${level} in the config`,
        { tool, details: { pattern } },
      );
    case "ask":
      return await confirmCall({
        ...{ tool, pattern, entry },
        arguments: parametersFirst(args, entry.spec.inputSchema),
      }, options);
    default:
      throw effect satisfies never;
  }
}

/** Throws for a call of a look that does not only read. */
function checkLook(entry: ToolEntry, args: Args, { look }: CallOptions): void {
  const { pack, effect, spec } = entry;
  if (!look || effect === "read") return;
  const tool = `${pack}.${entry.tool}`;
  look({ tool, arguments: parametersFirst(args, spec.inputSchema) });
  throw lookError(tool, effect);
}

async function confirmCall(
  question: Parameters<NonNullable<CallOptions["ask"]>>[0],
  { ask }: CallOptions,
): Promise<void> {
  const { tool, pattern } = question;
  const answer = await ask?.(question) ?? "unanswerable";
  if (answer === "allowed") return;
  if (answer === "declined") {
    throw new PackError(
      "blocked",
      `Cannot call "${tool}": it was declined (matches '${pattern}'): do without it, or explain ` +
        "why it is needed before it is asked for again",
      { tool, details: { reason: "declined", pattern } },
    );
  }
  throw new PackError(
    "needs_confirmation",
    `Cannot call "${tool}": ${
      unconfirmedState([pattern])
    }: confirm it beforehand, or ${STOP_ASKING}`,
    { tool, details: { pattern, calls: [{ tool, arguments: question.arguments }] } },
  );
}
