/** The person behind a run or a call, who is asked through the inbox. */

import { PackError, reasonText } from "#packs";
import type { Answerer, Inbox, InboxAskOptions, Notice } from "../../inbox/mod.ts";
import type { Ask, Question, RunRequest } from "../types.ts";
import { nameText } from "./question_text.ts";

export interface PersonOptions extends Pick<InboxAskOptions, "onWaiting"> {
  readonly inbox: Pick<Inbox, "ask" | "address">;
  /** Run that waits for the answers, if one does. */
  readonly run?: string;
  /** Ways of the client itself to ask. */
  readonly answerers?: readonly Answerer[];
  /** True where the client waits for an answer that only the page can give. */
  readonly waits?: boolean;
}

/** Builds the function that asks; undefined where no person can be asked. It throws `PackError`
 * where only the page could answer, and did not in time. */
export function createPerson(
  { inbox, run, answerers = [], waits = false, onWaiting }: PersonOptions,
): Ask | undefined {
  const isPageOnly = answerers.length === 0;
  if (isPageOnly && !(waits && inbox.address() !== undefined)) return undefined;
  return async (question, signal) => {
    const address = inbox.address();
    const { kind, ...call } = question;
    const put = { ...call, kind: "call", run, code: kind === "code" } as const;
    const { allow } = await inbox.ask(put, { signal, answerers, onWaiting });
    if (allow === "call" || allow === "run") return allow;
    if (allow === "late" && isPageOnly && address !== undefined) throw late(question, address);
    return "no";
  };
}

/** Builds the details of a refusal that name the page, where it could have answered. A look asks no
 * person anywhere. */
export function pageOf(
  { address }: Pick<Inbox, "address">,
  { look }: Pick<RunRequest, "look">,
): { readonly page?: string; readonly reason?: "look" } {
  if (look) return { reason: "look" };
  const page = address();
  return page === undefined ? {} : { page };
}

/** Builds the progress of a call about which only the page is asked: in seconds. */
export function waitingProgress(
  { address, waitedMs, waitMs }: Notice,
): { readonly progress: number; readonly total: number; readonly message: string } {
  return {
    progress: Math.round(waitedMs / 1000),
    total: Math.round(waitMs / 1000),
    message: `Waiting for an answer: it can be given at ${address}`,
  };
}

/** Builds the refusal of a call about which no person has decided on the page. */
function late({ tool, because }: Question, address: string): PackError {
  const message =
    `Cannot call "${nameText(tool)}": it must be confirmed${reasonText(because)}, and nobody ` +
    `has answered in time: try it again, or do without it. It can be answered at ${address}`;
  return new PackError("blocked", message, { tool, details: { reason: "declined" } });
}
