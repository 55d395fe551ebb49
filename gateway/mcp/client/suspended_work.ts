/** Work that is suspended until the client answers a question. The response to the request is the
 * question (`input_required`); the work resumes when the client repeats the request with the answer.
 * On the older protocol the library asks within the one request. */

import { isObject, type JsonObject, type JsonValue } from "#base";
import type { ServerQuestion } from "#packs";
import { MOST_QUESTIONS } from "#runtime/peer";
import { INVALID_PARAMS, McpError, type McpExchange, REFUSED } from "../types.ts";

export interface AskClientOptions {
  /** Takes the question back. */
  readonly signal?: AbortSignal;
  /** Name by which the client's connection knows a question that can be taken back. */
  readonly id?: string;
}

/** Asks the client; resolves with undefined without an answer in time or once `signal` is aborted. */
export type AskClient = (request: ServerQuestion, options?: AskClientOptions) => Promise<unknown>;

/** Passes on all questions of a server, by key; resolves with the answers to them, or with undefined
 * where the client does not return in time. Throws `McpError` beyond the limit of one request. */
export type AskAll = (inputRequests: JsonValue) => Promise<JsonObject | undefined>;

export interface WorkContext {
  readonly signal: AbortSignal;
  readonly ask: AskClient;
  readonly askAll: AskAll;
  /** Returns the request that currently waits for the work, if any. */
  readonly exchange: () => McpExchange | undefined;
}

export interface SuspendedWork {
  /** Starts work; resolves with its result or its first question. */
  begin(
    work: (context: WorkContext) => Promise<JsonObject>,
    exchange: McpExchange,
  ): Promise<JsonObject>;
  /** Passes the answer to the suspended work; resolves with its result or next question. Throws
   * `McpError` where none is suspended under the state of this request. */
  resume(exchange: McpExchange): Promise<JsonObject>;
  /** Signal that is aborted when the question of this name, which the client has, is taken back. */
  withdrawal(id: string): AbortSignal | undefined;
}

export interface SuspendedWorkDeps {
  readonly newId: () => string;
  /** Time limit for an answer, in milliseconds; read at each question, since the configuration can be
   * reloaded. */
  readonly timeoutMs: () => number;
}

interface Pending {
  readonly inputRequests: JsonValue;
  readonly answer: (responses: JsonObject | undefined) => void;
  readonly signal?: AbortSignal;
  readonly id?: string;
  /** True while the client has it. */
  isSent: boolean;
}

interface Work {
  /** Request that the work answers; no other one resumes it. */
  readonly subject: string;
  readonly end: AbortController;
  readonly result: Promise<JsonObject>;
  readonly questions: Pending[];
  exchange?: McpExchange;
  /** True after an unanswered question: no further one is asked until the client returns. */
  isAbandoned: boolean;
  /** Called for each new question. */
  wake: () => void;
}

const KEY = "input";
/** Key of `_meta` that marks a question of the gateway, with its name or `true`: without an answer,
 * the work continues. */
export const QUESTION_KEY = "toolscript/held";
/** Extra time for a client that applies the same limit itself and reports it a little later. */
const LATE_MS = 1_000;
/** Time for which a result is kept for a late client. */
const KEEP_MS = 120_000;
/** Limit of suspended work; beyond it, the oldest counts as unanswered. */
const MOST_WAITING = 200;

/** Builds the store of suspended work. */
export function createSuspendedWork(deps: SuspendedWorkDeps): SuspendedWork {
  const waiting = new Map<string, Work>();
  /** Questions that clients have, by name. */
  const sent = new Map<string, AbortSignal>();

  async function next(work: Work, exchange: McpExchange): Promise<JsonObject> {
    work.exchange = exchange;
    const cancel = () => work.end.abort();
    exchange.signal.addEventListener("abort", cancel, { once: true });
    if (exchange.signal.aborted) cancel();
    const result = await resultOrQuestion(work).finally(() => {
      exchange.signal.removeEventListener("abort", cancel);
      work.exchange = undefined;
    });
    return result ?? hold(work);
  }

  /** Resolves with undefined once there is a question. */
  async function resultOrQuestion(work: Work): Promise<JsonObject | void> {
    while (true) {
      const { promise: question, resolve } = Promise.withResolvers<void>();
      work.wake = resolve;
      if (work.questions.length > 0) resolve();
      const result = await Promise.race([work.result, question]);
      if (result || work.questions.length > 0) return result;
    }
  }

  function hold(work: Work): JsonObject {
    const requestState = deps.newId();
    waiting.set(requestState, work);
    if (waiting.size > MOST_WAITING) evictOldest();
    later(() => {
      if (waiting.get(requestState) === work) leave(work, requestState);
    }, deps.timeoutMs() + LATE_MS);
    const [question] = work.questions;
    if (!question) throw new Error("Nothing to ask");
    question.isSent = true;
    if (question.id !== undefined && question.signal) sent.set(question.id, question.signal);
    const { inputRequests } = question;
    return { resultType: "input_required", inputRequests, requestState };
  }

  function evictOldest(): void {
    for (const [requestState, work] of waiting) {
      leave(work, requestState);
      waiting.delete(requestState);
      return;
    }
  }

  /** Continues the work without its client, which may still fetch the result. */
  function leave(work: Work, requestState: string): void {
    work.isAbandoned = true;
    for (const question of work.questions.splice(0)) close(question, undefined);
    const forget = () => later(() => waiting.delete(requestState), KEEP_MS);
    work.result.then(forget, forget);
  }

  function close({ id, answer }: Pending, responses: JsonObject | undefined): void {
    if (id !== undefined) sent.delete(id);
    answer(responses);
  }

  return {
    withdrawal: (id) => sent.get(id),
    begin: (start, exchange) => next(startWork(start, exchange), exchange),
    resume(exchange) {
      const { requestState = "" } = exchange;
      const work = waiting.get(requestState);
      if (work?.subject !== exchange.subject) {
        throw new McpError(
          INVALID_PARAMS,
          "Cannot resume: the request has ended or its state is unknown: send it again",
        );
      }
      waiting.delete(requestState);
      work.isAbandoned = false;
      const question = work.questions.shift();
      if (question) close(question, exchange.inputResponses ?? {});
      return next(work, exchange);
    },
  };
}

function startWork(
  start: (context: WorkContext) => Promise<JsonObject>,
  exchange: McpExchange,
): Work {
  const end = new AbortController();
  const questions: Pending[] = [];
  const askAll = (inputRequests: JsonValue, { signal, id }: AskClientOptions = {}) =>
    new Promise<JsonObject | undefined>((answer) => {
      if (work.isAbandoned || signal?.aborted) return answer(undefined);
      const question = { inputRequests, answer, signal, id, isSent: false };
      questions.push(question);
      work.wake();
      signal?.addEventListener("abort", () => takeBack(question, questions), { once: true });
    });
  const ask: AskClient = async (request, options = {}) => {
    const responses = await askAll({ [KEY]: markQuestion(request, options.id) }, options);
    return responses?.[KEY];
  };
  const { signal } = end;
  const passOn = countQuestions(askAll);
  const result = Promise.resolve().then(() =>
    start({ signal, ask, askAll: passOn, exchange: () => work.exchange })
  );
  result.catch(() => {}); // the request that waits reports it
  const { subject } = exchange;
  const now = { isAbandoned: false, wake: () => {}, exchange };
  const work: Work = { subject, end, result, questions, ...now };
  return work;
}

/** Counts the questions that are passed on, each round without any as one. */
function countQuestions(askAll: AskAll): AskAll {
  let count = 0;
  return async (inputRequests) => {
    count += isObject(inputRequests) ? Object.keys(inputRequests).length || 1 : 1;
    if (count <= MOST_QUESTIONS) return await askAll(inputRequests);
    throw new McpError(
      REFUSED,
      `Cannot go on: a server asks more than ${MOST_QUESTIONS} questions in one request: leave it ` +
        "out of direct",
    );
  };
}

/** Takes a question back. One that the client has stays first, since the client still answers
 * it. */
function takeBack(question: Pending, questions: Pending[]): void {
  question.answer(undefined);
  const at = questions.indexOf(question);
  if (!question.isSent && at >= 0) questions.splice(at, 1);
}

function markQuestion({ method, params }: ServerQuestion, id: string | true = true): JsonObject {
  const meta = isObject(params._meta) ? params._meta as JsonObject : {};
  return { method, params: { ...params, _meta: { ...meta, [QUESTION_KEY]: id } } };
}

/** Runs `work` later, without keeping the process alive for it. */
function later(work: () => void, ms: number): void {
  Deno.unrefTimer(setTimeout(work, ms));
}
