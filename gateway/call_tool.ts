/** `POST /tools/:name` outside a run: one call, confirmed where it has to be. */

import { type Args, type CallQuestion, type CallResult, PackError, type Registry } from "#packs";
import { type Confirmations, subjectOfCall } from "#runtime";
import type { TraceContext } from "#sandbox";

export const CONFIRM_HEADER = "x-toolscript-confirm";

export interface CallToolDeps {
  readonly registry: Registry;
  readonly confirmations: Confirmations;
}

export interface ToolRequest {
  readonly wire: string;
  readonly args: unknown;
  /** The id of a confirmation that came with the request. */
  readonly confirm: string | undefined;
  readonly signal: AbortSignal;
  /** The client's name, where it gave one. */
  readonly client?: string;
  /** The client's span, where it sent one. */
  readonly trace?: TraceContext;
}

/** Calls a tool. Where it must be confirmed the error carries the id to send it again with. */
export async function callTool(
  { registry, confirmations }: CallToolDeps,
  { wire, args, confirm, signal, client, trace }: ToolRequest,
): Promise<CallResult> {
  let asked: { tool: string; arguments: Args } | undefined;

  async function ask(question: CallQuestion): Promise<"allowed" | "nobody"> {
    const subject = await subjectOfCall(question.tool, question.arguments);
    if (confirm !== undefined && confirmations.take(confirm, subject)) return "allowed";
    asked = question;
    return "nobody";
  }

  try {
    return await registry.call(wire, args, { signal, ask, origin: { client }, trace });
  } catch (error) {
    const isUnconfirmed = error instanceof PackError && error.code === "needs_confirmation";
    if (!isUnconfirmed || !asked) throw error;
    const { tool, details } = error;
    const subject = await subjectOfCall(asked.tool, asked.arguments);
    const id = confirmations.issue(subject, [{ tool: asked.tool, arguments: asked.arguments }]);
    throw new PackError(
      "needs_confirmation",
      `${error.message}; to confirm it, repeat the call within 5 minutes with the header ` +
        `X-Toolscript-Confirm: ${id}`,
      { cause: error, tool, details: { ...details, confirm: id } },
    );
  }
}
