/** The question about a plan, and what its answer approves. */

import { abortable } from "#base";
import type { Inbox, InboxAskOptions } from "../../inbox/mod.ts";
import type { Approvals } from "../approval/approvals.ts";
import type { PersonOptions } from "../approval/person.ts";
import { type Explained, explained } from "../problem/problem.ts";
import type { MadePlan } from "./make_plan.ts";
import { cancelledEarly } from "../errors.ts";
import { fitsQuestion } from "./plan_text.ts";

export interface AskPlanOptions extends PersonOptions {
  readonly inbox: Pick<Inbox, "ask" | "address">;
  readonly approvals: Approvals;
  readonly signal: InboxAskOptions["signal"];
}

/** Asks about the calls of a plan at once. Adds what was approved, and what was left out; returns the
 * refusal where the answer is a no, or where no question can show all of them. */
export async function askPlan(
  { calls, uncertain, failure, isCut }: Omit<MadePlan, "made">,
  { inbox, run, answerers, onWaiting, approvals, signal }: AskPlanOptions,
): Promise<Explained | undefined> {
  if (isCut) return tooLarge();
  const questioned = calls.map(({ call }) => call);
  const fitting = fitsQuestion(questioned, signal);
  if (!await abortable(fitting, signal, { onAbort: cancelledEarly })) return tooLarge();
  const pending = inbox.ask(
    { kind: "plan", run, calls: questioned, uncertain, incomplete: failure !== undefined },
    { signal, answerers, onWaiting },
  );
  const answer = await abortable(pending, signal, { onAbort: cancelledEarly });
  const isLate = answer.allow === "late" && (answerers ?? []).length === 0;
  if (answer.allow !== "all") return declined(isLate ? inbox.address() : undefined);
  const { calls: places = calls.keys() } = answer;
  const approved = new Set(places);
  if (approved.size === 0) return declined(undefined);
  calls.forEach(({ kept }, at) =>
    approved.has(at) ? approvals.add(kept) : approvals.leaveOut(kept)
  );
}

function tooLarge(): Explained {
  const message = "Cannot run: what the program would do is more than one question can show: do " +
    "less in one run";
  return explained({ code: "too_large", name: "TooLarge", message });
}

function declined(address: string | undefined): Explained {
  const message = address === undefined
    ? "Cannot run: what the program would do was declined: do without it, or explain why it is " +
      "needed before it is asked for again"
    : "Cannot run: what the program would do must be confirmed, and no person has answered in " +
      `time: try it again, or do without it. It can be answered at ${address}`;
  const details = { reason: "declined" };
  return explained({ code: "blocked", name: "BlockedError", message, details });
}
