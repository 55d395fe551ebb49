/** Work that asks the client for something before it can go on. The request is answered with the
 * question (`input_required`), and the work waits until the client sends the request again with the
 * answer. On the older protocol the library asks by itself, within the one request. */

import type { ServerQuestion } from "#packs";
import { isObject, type JsonObject } from "#sandbox";
import { INVALID_PARAMS, McpError, type McpExchange } from "./types.ts";

/** Gives undefined for what was not answered in time, or before the signal was aborted. */
export type AskClient = (request: ServerQuestion, signal?: AbortSignal) => Promise<unknown>;

export interface Held {
  readonly signal: AbortSignal;
  readonly ask: AskClient;
  /** The request that waits for the work at the moment, if one does. */
  readonly exchange: () => McpExchange | undefined;
}

export interface Holder {
  /** Starts work, and answers with its result or its first question. */
  begin(work: (held: Held) => Promise<JsonObject>, exchange: McpExchange): Promise<JsonObject>;
  /** Whether work waits for the answer that comes with this state. */
  holds(exchange: McpExchange): boolean;
  /** Goes on with the work that asked. */
  resume(exchange: McpExchange): Promise<JsonObject>;
}

export interface HolderDeps {
  readonly newId: () => string;
  /** How long a question may wait, milliseconds; then it is answered with nothing. Read
   * each time: the configuration can be loaded anew. */
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
  /** The client let a question pass: it is asked no more until it is back. */
  left: boolean;
  /** Called when there is a question. */
  wake: () => void;
}

const KEY = "input";
/** Marks a question of ours in its `_meta`: where it has no answer, what asked goes on. */
export const HELD_KEY = "toolscript/held";
/** A client that counts the time itself may say so a little later. */
const LATE_MS = 1_000;
/** How long a result waits for a client that was late. */
const KEEP_MS = 120_000;

/** Builds the holder; work that waits for an answer is kept in it. */
export function createHolder(deps: HolderDeps): Holder {
  const waiting = new Map<string, Work>();

  async function next(work: Work, exchange: McpExchange): Promise<JsonObject> {
    work.exchange = exchange;
    const cancel = () => work.end.abort();
    exchange.signal.addEventListener("abort", cancel, { once: true });
    if (exchange.signal.aborted) cancel();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    work.wake = resolve;
    if (work.questions.length > 0) resolve();
    const result = await Promise.race([work.result, asked]).finally(() => {
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
      ? { [KEY]: { method: question.request.method, params: held(question.request.params) } }
      : {};
    return { resultType: "input_required", inputRequests, requestState };
  }

  /** The work goes on without its client, which may still come for the result. */
  function leave(work: Work, requestState: string): void {
    work.left = true;
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
          if (work.left || signal?.aborted) return answer(undefined);
          questions.push({ request, answer });
          work.wake();
          signal?.addEventListener("abort", () => answer(undefined), { once: true });
        });
      const result = Promise.resolve().then(() =>
        start({ signal: end.signal, ask, exchange: () => work.exchange })
      );
      result.catch(() => {}); // whoever waits for it is told
      const work: Work = { end, result, questions, left: false, wake: () => {}, exchange };
      return next(work, exchange);
    },
    holds: ({ requestState }) => requestState !== undefined && waiting.has(requestState),
    resume(exchange) {
      const { requestState = "" } = exchange;
      const work = waiting.get(requestState);
      if (!work) {
        throw new McpError(INVALID_PARAMS, "Cannot go on: nothing waits for this answer any more");
      }
      waiting.delete(requestState);
      work.left = false;
      work.questions.shift()?.answer(exchange.inputResponses?.[KEY]);
      return next(work, exchange);
    },
  };
}

function held(params: JsonObject): JsonObject {
  const meta = isObject(params._meta) ? params._meta as JsonObject : {};
  return { ...params, _meta: { ...meta, [HELD_KEY]: true } };
}

/** Does something after a time that the process does not wait for. */
function later(work: () => void, ms: number): void {
  Deno.unrefTimer(setTimeout(work, ms));
}
