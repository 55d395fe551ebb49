/** `POST /tools/:name` outside a run: one call, confirmed where it has to be. */

import type { JsonObject, TraceContext } from "#base";
import { type CallResult, PackError, type Registry } from "#packs";
import {
  type Confirmations,
  createApprovals,
  createCallKeeper,
  createRunQuestions,
  type KeptCall,
  type Question,
  type Unconfirmed,
} from "#runtime";

export const CONFIRM_HEADER = "x-toolscript-confirm";

export interface CallToolDeps {
  readonly registry: Registry;
  readonly confirmations: Confirmations;
}

export interface ToolRequest {
  readonly wire: string;
  readonly args: unknown;
  /** Repetitions of the call, where it failed for a reason that may pass. */
  readonly retry?: number;
  /** The id of a confirmation that came with the request. */
  readonly confirm: string | undefined;
  readonly signal: AbortSignal;
  /** The client's name, where it gave one. */
  readonly client?: string;
  /** The client's span, where it sent one. */
  readonly trace?: TraceContext;
}

/** Calls a tool. Where it, or a call within it, must be confirmed the error carries the id to send
 * it again with. */
export async function callTool(
  { registry, confirmations }: CallToolDeps,
  { wire, args, retry, confirm, signal, client, trace }: ToolRequest,
): Promise<CallResult> {
  const origin = { client };
  const keeper = createCallKeeper({ pace: registry.pace, origin });
  const approvals = createApprovals(keeper);
  const confirmer = createRunQuestions({ approvals, pause: () => () => {}, end: () => {} });
  let approved: Promise<readonly KeptCall[]> | undefined;
  let subject: Promise<string> | undefined;

  /** An id is used up by a call that needs it, once its arguments are known to be right. */
  async function takeConfirmed(): Promise<readonly KeptCall[]> {
    if (confirm === undefined) return [];
    const calls = confirmations.take(confirm, await subjectOf(), { client }) ?? [];
    for (const call of calls) approvals.add(call);
    return calls;
  }

  function subjectOf(): Promise<string> {
    const call = { tool: registry.nameOf(wire), arguments: args as JsonObject };
    return subject ??= keeper.keyOf(call, signal);
  }

  try {
    return await registry.call(wire, args, {
      signal,
      retry,
      async ask(question) {
        await (approved ??= takeConfirmed());
        return await confirmer.ask(question, { signal });
      },
      async askWithin(question, aborted) {
        await (approved ??= takeConfirmed());
        return await confirmer.askWithin(question, aborted);
      },
      origin,
      trace,
    });
  } catch (error) {
    const unconfirmed = confirmer.unconfirmed();
    if (!unconfirmed || !(error instanceof PackError)) throw error;
    const before = await approved ?? [];
    const calls = [...await keeper.read(before), unconfirmed.question];
    const kept = [...before, await keeper.keep(unconfirmed.question)];
    const id = confirmations.issue(await subjectOf(), kept);
    throw toConfirm(error, { unconfirmed, calls, id });
  }
}

/** Details of the error of a call that has to be confirmed. */
export interface ConfirmDetails {
  /** Id to send the call again with. */
  readonly confirm: string;
  /** Calls that the id approves: the call itself, or those within it. */
  readonly calls: readonly Question[];
}

interface ToConfirm {
  readonly unconfirmed: Unconfirmed;
  readonly calls: readonly Question[];
  readonly id: string;
}

function toConfirm(cause: PackError, { unconfirmed, calls, id }: ToConfirm): PackError {
  return new PackError(
    "needs_confirmation",
    `${cause.message}; to confirm it, repeat the call within 5 minutes with the header ` +
      `X-Toolscript-Confirm: ${id}`,
    {
      cause,
      tool: unconfirmed.question.tool,
      details: {
        confirm: id,
        calls: calls.map((call) => ({ ...call })),
        pattern: unconfirmed.pattern ?? null,
        ...(unconfirmed.rule === undefined ? {} : { rule: unconfirmed.rule }),
      },
    },
  );
}
