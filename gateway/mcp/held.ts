/** Work that asks the client for something before it can go on. The request is answered with the
 * question (`input_required`), and the work waits until the client sends the request again with the
 * answer. On the older protocol the library asks by itself, within the one request. */

import type { JsonObject } from "#sandbox";
import { INVALID_PARAMS, McpError, type McpExchange } from "./types.ts";

/** A request to the client: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
}
export type AskClient = (request: InputRequest) => Promise<unknown>;

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
  /** How long a question may wait, milliseconds; then the work is ended. */
  readonly timeoutMs: number;
}

interface Pending {
  readonly request: InputRequest;
  readonly answer: (response: unknown) => void;
}

interface Work {
  readonly end: AbortController;
  readonly result: Promise<JsonObject>;
  readonly questions: Pending[];
  exchange?: McpExchange;
  /** Called when there is a question. */
  wake: () => void;
}

const KEY = "input";

/** Builds the holder; work that waits for an answer is kept in it. */
export function createHolder({ newId, timeoutMs }: HolderDeps): Holder {
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
    const requestState = newId();
    waiting.set(requestState, work);
    const timer = setTimeout(() => {
      if (waiting.delete(requestState)) work.end.abort();
    }, timeoutMs);
    Deno.unrefTimer(timer);
    const [question] = work.questions;
    const inputRequests: JsonObject = question
      ? { [KEY]: { method: question.request.method, params: question.request.params } }
      : {};
    return { resultType: "input_required", inputRequests, requestState };
  }

  return {
    begin(start, exchange) {
      const end = new AbortController();
      const questions: Pending[] = [];
      const ask: AskClient = (request) =>
        new Promise((answer) => {
          questions.push({ request, answer });
          work.wake();
        });
      const result = Promise.resolve().then(() =>
        start({ signal: end.signal, ask, exchange: () => work.exchange })
      );
      result.catch(() => {}); // whoever waits for it is told
      const work: Work = { end, result, questions, wake: () => {}, exchange };
      return next(work, exchange);
    },
    holds: ({ requestState }) => requestState !== undefined && waiting.has(requestState),
    resume(exchange) {
      const { requestState = "" } = exchange;
      const work = waiting.get(requestState);
      const question = work?.questions.shift();
      if (!work || !question) {
        throw new McpError(INVALID_PARAMS, "Cannot go on: nothing waits for this answer any more");
      }
      waiting.delete(requestState);
      question.answer(exchange.inputResponses?.[KEY]);
      return next(work, exchange);
    },
  };
}
