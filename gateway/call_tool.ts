/** `POST /tools/:name` outside a run: one call, confirmed where it has to be. */

import type { JsonValue, TraceContext } from "#base";
import { type CallResult, PackError, type Registry } from "#packs";
import {
  type Confirmations,
  createApprovals,
  createRunQuestions,
  type Question,
  subjectOfCall,
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
  const approvals = createApprovals(new Map());
  const confirmer = createRunQuestions({ approvals, pause: () => () => {}, end: () => {} });
  let approved: Promise<readonly Question[]> | undefined;

  /** An id is used up by a call that needs it, once its arguments are known to be right. */
  async function takeConfirmed(): Promise<readonly Question[]> {
    if (confirm === undefined) return [];
    const calls = confirmations.take(confirm, await subjectOf(), { client }) ?? [];
    for (const call of calls) approvals.add(call);
    return calls;
  }

  function subjectOf(): Promise<string> {
    return subjectOfCall(registry.nameOf(wire), args as JsonValue);
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
      origin: { client },
      trace,
    });
  } catch (error) {
    const unconfirmed = confirmer.unconfirmed();
    if (!unconfirmed || !(error instanceof PackError)) throw error;
    const calls = [...await approved ?? [], unconfirmed.question];
    const id = confirmations.issue(await subjectOf(), calls);
    throw toConfirm(error, { unconfirmed, calls, id });
  }
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
