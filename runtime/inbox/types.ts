/** Questions to a person, and their answers; keys as on the wire (docs/reference/http.md). */

import type { JsonObject } from "#base";

/** A call as a person sees it. */
export interface ShownCall {
  /** `github.delete_repo`. */
  readonly tool: string;
  /** Those that the tool would get. */
  readonly arguments: JsonObject;
  /** Where the code calls it, if that is known. */
  readonly line?: number;
}

export interface PlannedCall extends ShownCall {
  readonly effect: string;
  /** Reason why it must be confirmed, as the configuration gives it. */
  readonly because?: string;
}

interface AnyQuestion {
  /** Run that waits for the answer, if one does. */
  readonly run?: string;
  /** Reason for the question, as the configuration gives it. */
  readonly because?: string;
}

/** A call that must be confirmed; with `code`, the use of a builtin or a module. */
export interface CallQuestionPut extends AnyQuestion, ShownCall {
  readonly kind: "call";
  readonly code?: boolean;
}

/** All calls that a program would make. */
export interface PlanQuestion extends AnyQuestion {
  readonly kind: "plan";
  readonly calls: readonly PlannedCall[];
  /** True where a later call may depend on the result of one that was not made. */
  readonly uncertain?: boolean;
  /** True where the program failed while it was planned. */
  readonly incomplete?: boolean;
}

/** A sign-in at a server; it is answered by signing in, or refused. */
export interface SignInQuestion extends AnyQuestion {
  readonly kind: "sign_in";
  readonly server: string;
  readonly account?: string;
  readonly url: string;
}

export type OpenQuestion = CallQuestionPut | PlanQuestion | SignInQuestion;

/** An open question, as `GET /questions` lists it. */
export interface WaitingQuestion {
  readonly id: string;
  readonly run: string | null;
  readonly kind: OpenQuestion["kind"];
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly line: number | null;
  readonly because: string | null;
  readonly asked_at: string;
  readonly expires_at: string;
  readonly code?: boolean;
  readonly calls?: readonly (Omit<PlannedCall, "line"> & { readonly line: number | null })[];
  readonly uncertain?: boolean;
  readonly incomplete?: boolean;
  readonly server?: string;
  readonly account?: string;
  readonly url?: string;
}

/** Answer of a person. A call: `call`, `run` (its tool for the run) or `no`; a plan: `all`, with
 * `calls` only those at these places, or `no`; a sign-in: `no`. */
export interface GivenAnswer {
  readonly allow: "call" | "run" | "all" | "no";
  readonly calls?: readonly number[];
}

/** Way by which an answer came. */
export interface AnswerSource {
  readonly via: "client" | "terminal" | "http" | "page";
  /** Name of the client, if it gave one. */
  readonly client?: string;
}

/** End of a question: an answer; `done` where it has become true by itself, as a sign-in;
 * `late` without an answer in time; `withdrawn` where the asker has gone. */
export type InboxAnswer =
  | (GivenAnswer & { readonly from: AnswerSource })
  | { readonly allow: "done" | "late" | "withdrawn" };

/** One way to get an answer, beside the page: a form of the client, a prompt. */
export interface Answerer {
  readonly from: AnswerSource;
  /** Asks; resolves with undefined where no answer can come this way any more. `signal` is aborted
   * when the question has its answer: whatever was shown is taken back. */
  ask(
    question: WaitingQuestion,
    signal: AbortSignal,
  ): Promise<GivenAnswer | { readonly allow: "done" } | undefined>;
}

/** Notice that a question waits and that only the page can answer it. */
export interface Notice {
  /** Address where it can be answered. */
  readonly address: string;
  readonly waitedMs: number;
  readonly waitMs: number;
}

/** `isListed`: the page and `GET /questions` show the question. */
export type InboxEvent =
  & { readonly question: WaitingQuestion; readonly isListed: boolean }
  & ({ readonly type: "question" } | { readonly type: "answered"; readonly answer: InboxAnswer });
