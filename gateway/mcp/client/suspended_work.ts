/** Work that is suspended until the client answers a question. The response to the request is the
 * question (`input_required`); the work resumes when the client repeats the request with the answer.
 * On the older protocol the library asks within the one request. */

import { isObject, type JsonObject } from "#base";
import type { ServerQuestion } from "#packs";
import { INVALID_PARAMS, McpError, type McpExchange } from "../types.ts";

/** Asks the client; resolves with undefined without an answer in time or once `signal` is aborted. */
export type AskClient = (request: ServerQuestion, signal?: AbortSignal) => Promise<unknown>;

export interface WorkContext {
  readonly signal: AbortSignal;
  readonly ask: AskClient;
  /** Returns the request that currently waits for the work, if any. */
  readonly exchange: () => McpExchange | undefined;
}

export interface SuspendedWork {
  /** Starts work; resolves with its result or its first question. */
  begin(
    work: (context: WorkContext) => Promise<JsonObject>,
    exchange: McpExchange,
  ): Promise<JsonObject>;
  /** True where work is suspended under the state of this request. */
  has(exchange: McpExchange): boolean;
  /** Passes the answer to the suspended work; resolves with its result or next question. */
  resume(exchange: McpExchange): Promise<JsonObject>;
}

export interface SuspendedWorkDeps {
  readonly newId: () => string;
  /** Time limit for an answer, in milliseconds; read at each question, since the configuration can be
   * reloaded. */
  readonly timeoutMs: () => number;
}

interface Pending {
  readonly request: ServerQuestion;
  readonly answer: (response: unknown) => void;
}

interface Work {
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
/** Key of `_meta` that marks a question of the gateway: without an answer, the work continues. */
export const QUESTION_KEY = "toolscript/held";
/** Extra time for a client that applies the same limit itself and reports it a little later. */
const LATE_MS = 1_000;
/** Time for which a result is kept for a late client. */
const KEEP_MS = 120_000;

/** Builds the store of suspended work. */
export function createSuspendedWork(deps: SuspendedWorkDeps): SuspendedWork {
  const waiting = new Map<string, Work>();

  async function next(work: Work, exchange: McpExchange): Promise<JsonObject> {
    work.exchange = exchange;
    const cancel = () => work.end.abort();
    exchange.signal.addEventListener("abort", cancel, { once: true });
    if (exchange.signal.aborted) cancel();
    const { promise: question, resolve } = Promise.withResolvers<void>();
    work.wake = resolve;
    if (work.questions.length > 0) resolve();
    const result = await Promise.race([work.result, question]).finally(() => {
      exchange.signal.removeEventListener("abort", cancel);
      work.exchange = undefined;
    });
    return result ?? hold(work);
  }

  function hold(work: Work): JsonObject {
    const requestState = deps.newId();
    waiting.set(requestState, work);
    later(() => {
      if (waiting.get(requestState) === work) leave(work, requestState);
    }, deps.timeoutMs() + LATE_MS);
    const [question] = work.questions;
    const inputRequests: JsonObject = question
      ? {
        [KEY]: { method: question.request.method, params: markQuestion(question.request.params) },
      }
      : {};
    return { resultType: "input_required", inputRequests, requestState };
  }

  /** Continues the work without its client, which may still fetch the result. */
  function leave(work: Work, requestState: string): void {
    work.isAbandoned = true;
    for (const question of work.questions.splice(0)) question.answer(undefined);
    const forget = () => later(() => waiting.delete(requestState), KEEP_MS);
    work.result.then(forget, forget);
  }

  return {
    begin(start, exchange) {
      const end = new AbortController();
      const questions: Pending[] = [];
      const ask: AskClient = (request, signal) =>
        new Promise((answer) => {
          if (work.isAbandoned || signal?.aborted) return answer(undefined);
          questions.push({ request, answer });
          work.wake();
          signal?.addEventListener("abort", () => answer(undefined), { once: true });
        });
      const result = Promise.resolve().then(() =>
        start({ signal: end.signal, ask, exchange: () => work.exchange })
      );
      result.catch(() => {}); // the request that waits reports it
      const work: Work = { end, result, questions, isAbandoned: false, wake: () => {}, exchange };
      return next(work, exchange);
    },
    has: ({ requestState }) => requestState !== undefined && waiting.has(requestState),
    resume(exchange) {
      const { requestState = "" } = exchange;
      const work = waiting.get(requestState);
      if (!work) {
        throw new McpError(
          INVALID_PARAMS,
          "Cannot resume: the request has ended or its state is unknown: send it again",
        );
      }
      waiting.delete(requestState);
      work.isAbandoned = false;
      work.questions.shift()?.answer(exchange.inputResponses?.[KEY]);
      return next(work, exchange);
    },
  };
}

function markQuestion(params: JsonObject): JsonObject {
  const meta = isObject(params._meta) ? params._meta as JsonObject : {};
  return { ...params, _meta: { ...meta, [QUESTION_KEY]: true } };
}

/** Runs `work` later, without keeping the process alive for it. */
function later(work: () => void, ms: number): void {
  Deno.unrefTimer(setTimeout(work, ms));
}
