/** Questions of a run to the person behind an MCP client. The request is answered with the question,
 * and the run waits until the client sends the request again with the answer. On the older protocol
 * the library asks by itself, within the one request. */

import { isObject, type JsonObject, type JsonValue } from "#sandbox";
import type { RunReply } from "#runtime";
import { INVALID_PARAMS, McpError, type McpExchange } from "./types.ts";

/** A call that a person is asked about. */
export interface Question {
  readonly tool: string;
  /** As they are, or as written where they are not known yet. */
  readonly arguments: JsonValue;
  readonly line?: number;
}

/** This call, this tool for the rest of the run, or not. */
export type Answer = "call" | "run" | "no";
export type Ask = (question: Question) => Promise<Answer>;

export interface Confirmable {
  readonly signal: AbortSignal;
  /** Missing where the client can ask nobody. */
  readonly ask?: Ask;
  /** The request that waits for the run at the moment, if one does. */
  readonly exchange: () => McpExchange | undefined;
}

export type Round =
  | { readonly kind: "reply"; readonly reply: RunReply }
  | { readonly kind: "question"; readonly result: JsonObject };

export interface McpConfirmer {
  /** Starts a run and waits for its reply or its first question. */
  begin(work: (run: Confirmable) => Promise<RunReply>, exchange: McpExchange): Promise<Round>;
  /** Goes on with the run that asked, with the answer that the client brings. */
  resume(exchange: McpExchange): Promise<Round>;
}

export interface McpConfirmerDeps {
  readonly newId: () => string;
  /** How long a question may wait, milliseconds; then the run is ended. */
  readonly timeoutMs: number;
}

interface Pending {
  readonly question: Question;
  readonly answer: (answer: Answer) => void;
}

interface HeldRun {
  readonly end: AbortController;
  readonly reply: Promise<RunReply>;
  readonly questions: Pending[];
  exchange?: McpExchange;
  /** Called when there is a question. */
  wake: () => void;
}

const KEY = "allow";
const MAX_ARGUMENTS = 2_000;

/** Builds the confirmer; runs that wait for an answer are held in it. */
export function createMcpConfirmer({ newId, timeoutMs }: McpConfirmerDeps): McpConfirmer {
  const waiting = new Map<string, HeldRun>();

  async function next(held: HeldRun, exchange: McpExchange): Promise<Round> {
    held.exchange = exchange;
    const cancel = () => held.end.abort();
    exchange.signal.addEventListener("abort", cancel, { once: true });
    if (exchange.signal.aborted) cancel();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    held.wake = resolve;
    if (held.questions.length > 0) resolve();
    const replied = held.reply.then((reply): Round => ({ kind: "reply", reply }));
    const round = await Promise.race([replied, asked.then(() => undefined)]).finally(() => {
      exchange.signal.removeEventListener("abort", cancel);
      held.exchange = undefined;
    });
    return round ?? hold(held);
  }

  function hold(held: HeldRun): Round {
    const state = newId();
    waiting.set(state, held);
    const timer = setTimeout(() => {
      if (waiting.delete(state)) held.end.abort();
    }, timeoutMs);
    Deno.unrefTimer(timer);
    const [pending] = held.questions;
    return { kind: "question", result: pending ? inputRequired(pending.question, state) : {} };
  }

  return {
    begin(work, exchange) {
      const end = new AbortController();
      const questions: Pending[] = [];
      const ask: Ask = (question) =>
        new Promise((answer) => {
          questions.push({ question, answer });
          held.wake();
        });
      const reply = Promise.resolve().then(() =>
        work({
          signal: end.signal,
          ...(isObject(exchange.capabilities.elicitation) ? { ask } : {}),
          exchange: () => held.exchange,
        })
      );
      reply.catch(() => {}); // whoever waits for the run is told
      const held: HeldRun = { end, reply, questions, wake: () => {}, exchange };
      return next(held, exchange);
    },
    resume(exchange) {
      const { requestState = "" } = exchange;
      const held = waiting.get(requestState);
      const pending = held?.questions.shift();
      if (!held || !pending) {
        throw new McpError(INVALID_PARAMS, "Cannot go on: no run waits for this answer any more");
      }
      waiting.delete(requestState);
      pending.answer(readAnswer(exchange.inputResponses?.[KEY]));
      return next(held, exchange);
    },
  };
}

function inputRequired(question: Question, requestState: string): JsonObject {
  const { tool, arguments: args, line } = question;
  const written = typeof args === "string" ? args : JSON.stringify(args, null, 2);
  const shown = written.length > MAX_ARGUMENTS ? `${written.slice(0, MAX_ARGUMENTS)}…` : written;
  const place = line === undefined ? "" : ` (line ${line})`;
  const choices = [["call", "Allow this call"], ["run", "Allow this tool for this run"], [
    "no",
    "Refuse",
  ]];
  const params = {
    mode: "form",
    message: `Allow a call of ${tool}${place}?\n${shown}`,
    requestedSchema: {
      type: "object",
      properties: {
        [KEY]: {
          type: "string",
          title: "Allow",
          oneOf: choices.map(([value = "", title = ""]) => ({ const: value, title })),
        },
      },
      required: [KEY],
    },
  };
  return {
    resultType: "input_required",
    inputRequests: { [KEY]: { method: "elicitation/create", params } },
    requestState,
  };
}

function readAnswer(response: unknown): Answer {
  if (!isObject(response) || response.action !== "accept") return "no";
  const allow = isObject(response.content) ? response.content[KEY] : undefined;
  return allow === "run" || allow === "call" ? allow : "no";
}
