/** Inbox of all questions to persons: put in by runs, calls and sign-ins, answered by the first of
 * the ways that each can be answered. */

import { Listeners } from "#base";
import type {
  Answerer,
  AnswerSource,
  GivenAnswer,
  InboxAnswer,
  InboxEvent,
  Notice,
  OpenQuestion,
  WaitingQuestion,
} from "./types.ts";

export interface InboxAskOptions {
  readonly signal: AbortSignal;
  /** Ways to get an answer beside the page. */
  readonly answerers?: readonly Answerer[];
  /** Time until the question ends without an answer; by default that of the configuration. */
  readonly waitMs?: number;
  /** Called while only the page can answer: at once, and then every ten seconds. */
  readonly onWaiting?: (notice: Notice) => void;
}

export interface Inbox {
  /** Puts a question and resolves with its first answer. Rejects when `signal` is aborted. */
  ask(question: OpenQuestion, options: InboxAskOptions): Promise<InboxAnswer>;
  /** Questions that the page may answer, the oldest first. */
  list(): readonly WaitingQuestion[];
  /** Answers a listed question; `bad` for an answer that does not fit its kind. */
  answer(id: string, answer: GivenAnswer, from: AnswerSource): "answered" | "unknown" | "bad";
  /** Address of the page; undefined where questions cannot be answered there. */
  address(): string | undefined;
  /** Registers a listener of questions and answers; returns the function that removes it. */
  subscribe(listener: (event: InboxEvent) => void): () => void;
}

export interface InboxDeps {
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time limit of a question; read at each, since the configuration can be reloaded. */
  readonly waitMs: () => number;
  readonly address: () => string | undefined;
  /** Time between two notices; ten seconds. */
  readonly noticeMs?: number;
}

interface Open {
  readonly question: WaitingQuestion;
  readonly isListed: boolean;
  readonly end: (answer: InboxAnswer) => void;
}

const NOTICE_MS = 10_000;
/** Longest time that a timer takes. */
const MOST_MS = 2 ** 31 - 1;

/** Builds an inbox without questions.
 *
 * @example
 * ```ts
 * import { createInbox } from "#runtime";
 * const inbox = createInbox({
 *   newId: () => crypto.randomUUID(),
 *   now: Date.now,
 *   waitMs: () => 1_000,
 *   address: () => "http://127.0.0.1:1/",
 * });
 * const { signal } = new AbortController();
 * const answer = inbox.ask({ kind: "call", tool: "git.push", arguments: {} }, { signal });
 * const [{ id } = { id: "" }] = inbox.list();
 * inbox.answer(id, { allow: "call" }, { via: "page" });
 * console.assert((await answer).allow === "call");
 * ```
 */
export function createInbox(deps: InboxDeps): Inbox {
  const { newId, now, noticeMs = NOTICE_MS } = deps;
  const open = new Map<string, Open>();
  const listeners = new Listeners<InboxEvent>();

  async function ask(
    about: OpenQuestion,
    { signal, answerers = [], waitMs = deps.waitMs(), onWaiting }: InboxAskOptions,
  ): Promise<InboxAnswer> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<InboxAnswer>();
    const question = waitingQuestion(about, { id: `q_${newId()}`, now: now(), waitMs });
    const end = (answer: InboxAnswer) => {
      open.delete(question.id); // a second answer comes too late
      resolve(answer);
    };
    const isListed = deps.address() !== undefined;
    open.set(question.id, { question, isListed, end });
    listeners.tell({ type: "question", question, isListed });
    const withdraw = () => end({ allow: "withdrawn" });
    signal.addEventListener("abort", withdraw, { once: true });
    const timer = setTimeout(() => end({ allow: "late" }), Math.min(waitMs, MOST_MS));
    const answered = new AbortController();
    void askAll({ question, answerers, end, signal: answered.signal }).then((isAnswered) => {
      if (isAnswered || answered.signal.aborted) return;
      if (!isListed) return end({ allow: "late" });
      if (onWaiting) notice({ waitMs, onWaiting, signal: answered.signal });
    });
    const answer = await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", withdraw);
    answered.abort();
    listeners.tell({ type: "answered", question, answer, isListed });
    signal.throwIfAborted();
    return answer;
  }

  /** Tells again and again that only the page can answer. */
  function notice(
    { waitMs, onWaiting, signal }: {
      readonly waitMs: number;
      readonly onWaiting: (notice: Notice) => void;
      readonly signal: AbortSignal;
    },
  ): void {
    const since = now();
    const tell = () => {
      onWaiting({ address: deps.address() ?? "", waitedMs: now() - since, waitMs });
    };
    const timer = setInterval(tell, noticeMs);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    tell();
  }

  return {
    ask,
    list: () => [...open.values()].flatMap((each) => each.isListed ? [each.question] : []),
    answer(id, answer, from) {
      const question = open.get(id);
      if (!question?.isListed) return "unknown";
      if (!fits(answer, question.question)) return "bad";
      question.end({ ...answer, from });
      return "answered";
    },
    address: deps.address,
    subscribe: listeners.add,
  };
}

interface Asked {
  readonly question: WaitingQuestion;
  readonly answerers: readonly Answerer[];
  readonly end: (answer: InboxAnswer) => void;
  readonly signal: AbortSignal;
}

/** Asks by all ways at once; resolves with true once one has brought the answer, with false when
 * none can any more. */
async function askAll({ question, answerers, end, signal }: Asked): Promise<boolean> {
  const answers = await Promise.all(answerers.map(async ({ from, ask }) => {
    try {
      const answer = await ask(question, signal);
      if (answer?.allow === "done") end({ allow: "done" });
      else if (answer) end({ ...fits(answer, question) ? answer : { allow: "no" }, from });
      return answer !== undefined;
    } catch {
      // The client has gone or failed: its question stays open for the others.
      return false;
    }
  }));
  return answers.includes(true);
}

export interface WaitingOptions {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly waitMs: number;
}

/** Latest time that a date can hold. */
const MOST_TIME = 8.64e15;

/** Builds the form in which a question is listed. */
export function waitingQuestion(
  question: OpenQuestion,
  { id, now, waitMs }: WaitingOptions,
): WaitingQuestion {
  return {
    id,
    run: question.run ?? null,
    kind: question.kind,
    ...aboutOf(question),
    because: question.because ?? null,
    asked_at: new Date(now).toISOString(),
    expires_at: new Date(Math.min(now + waitMs, MOST_TIME)).toISOString(),
  };
}

function aboutOf(question: OpenQuestion) {
  switch (question.kind) {
    case "call": {
      const { tool, arguments: args, line = null, code } = question;
      return { tool, arguments: args, line, ...(code ? { code } : {}) };
    }
    case "plan": {
      const calls = question.calls.map(({ line = null, ...call }) => ({ ...call, line }));
      return { calls, line: null, uncertain: question.uncertain, incomplete: question.incomplete };
    }
    case "sign_in": {
      const { server, account, url } = question;
      return { server, url, line: null, ...(account === undefined ? {} : { account }) };
    }
    default:
      throw question satisfies never;
  }
}

/** Returns true for an answer that this question can have. */
export function fits({ allow, calls }: GivenAnswer, question: WaitingQuestion): boolean {
  if (allow === "no") return true;
  if (question.kind === "call") return allow === "call" || allow === "run";
  if (question.kind === "sign_in" || allow !== "all") return false;
  const count = question.calls?.length ?? 0;
  return calls?.every((place) => Number.isInteger(place) && place >= 0 && place < count) ?? true;
}
