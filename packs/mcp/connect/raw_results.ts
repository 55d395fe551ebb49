/** Bypass of the client library's validation: we read the results of servers, leniently.
 *
 * On the newest protocol the library refuses a whole tool list for one malformed entry, and a whole
 * result for one unknown content block. So it gets an empty result that carries the real one. */

import { createSemaphore, isObject, within } from "#base";
import { cancelledId } from "./cancelled_id.ts";
import { AnswerTooLong, TOO_LONG } from "./long_messages.ts";
import { OpenReplies } from "./open_replies.ts";
import type { Pipe } from "./pipe.ts";
import type { SetAside } from "./set_aside.ts";
import { trimAcknowledgement, trimHandshake } from "./trim.ts";

const SESSION_END_MS = 2_000;
/** Replies on their way at once, where each takes a connection of its own. */
const REPLIES_AT_ONCE = 2;
/** Errors in a row without a message: malformed events, lost streams. */
const MOST_ERRORS = 1_000;
/** Time that a stream has to end after the answer. */
const ANSWERED_MS = 1_000;
const KEY = "toolscript/result";
/** Code of our error for a lost response. */
export const STREAM_LOST = -32_099;

export interface RawResultsOptions {
  /** Large answers that come in place of small ones. */
  readonly setAside?: SetAside;
  readonly endSession?: () => Promise<void>;
  /** Time for one reply, where each takes a connection of its own. */
  readonly replyMs?: number;
}

/** Forwards all messages; wraps the results of numbered requests once `wrap` is set, and trims those
 * before. */
export class RawResults implements Pipe {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown, extra?: unknown) => void;
  /** False during the handshake, whose results the library reads. */
  wrap = false;
  readonly #inner: Pipe;
  /** Requests without an answer, with what ends their streams where the library does not: on the older
   * protocols over HTTP. */
  readonly #unanswered = new Map<number, AbortController | undefined>();
  readonly #replies = new OpenReplies();
  readonly #replying = createSemaphore(REPLIES_AT_ONCE);
  readonly #replyMs: number | undefined;
  #isOverrun = false;
  #errors = 0;
  #tooLong: AnswerTooLong | undefined;
  readonly #endSession?: () => Promise<void>;

  constructor(inner: Pipe, { setAside, endSession, replyMs }: RawResultsOptions = {}) {
    this.#inner = inner;
    this.#replyMs = replyMs;
    this.#endSession = endSession;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => {
      if (this.#isOverrun) return;
      this.onerror?.(error);
      if (++this.#errors >= MOST_ERRORS) this.#overrun("The server sends what is no message");
    };
    inner.onmessage = (sent, extra) => {
      if (this.#isOverrun) return;
      this.#errors = 0;
      const message = setAside ? setAside.take(sent) : sent;
      if (this.#replies.admit(message)) this.onmessage?.(this.#passed(message), extra);
      else this.#overrun("The server has too many requests without a reply");
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  /** Takes why the next stream ends before its answer: the library does not tell. */
  explainLoss(error: unknown): void {
    if (error instanceof AnswerTooLong) this.#tooLong = error;
  }

  /** Ends the session at the server; an unreachable server drops it by itself. */
  async endSession(): Promise<void> {
    if (!this.#endSession) return;
    await within(this.#endSession(), SESSION_END_MS).catch(() => {});
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  /** Sends a message, and fails a request whose stream ends before its response: the library reports
   * that only on request. */
  send(message: unknown, options?: unknown): Promise<void> {
    if (isObject(message) && !("method" in message)) {
      return this.#replies.send(message.id, () => this.#reply(message, options));
    }
    const id = isObject(message) ? message.id : undefined;
    if (typeof id !== "number") {
      const sent = this.#inner.send(message, options);
      this.#end(cancelledId(message), 0);
      return sent;
    }
    const sent = { onRequestStreamEnd: () => this.#lose(id), ...options ?? {} };
    const isEnded = "requestSignal" in sent && sent.requestSignal !== undefined;
    const stream = this.#inner.hasPerRequestStream && !isEnded ? new AbortController() : undefined;
    this.#unanswered.set(id, stream);
    return this.#inner.send(message, stream ? { ...sent, requestSignal: stream.signal } : sent);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Sends a reply; one that the server does not take in time ends it. */
  async #reply(message: unknown, options?: unknown): Promise<void> {
    if (this.#replyMs === undefined) return await this.#inner.send(message, options);
    const release = await this.#replying.acquire();
    try {
      const isTaken = await within(this.#inner.send(message, options), this.#replyMs);
      if (!isTaken) this.#overrun("The server does not take a reply");
    } finally {
      release();
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Ends a server that requests more than it takes replies for. */
  #overrun(why: string): void {
    this.#isOverrun = true;
    this.onerror?.(new Error(why));
    void this.#inner.close().catch(() => {}); // it is ended either way
  }

  /** Ends a request, and its stream. One that was answered has time to end by itself. */
  #end(id: unknown, afterMs: number): void {
    if (typeof id !== "number") return;
    const stream = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (stream) Deno.unrefTimer(setTimeout(() => stream.abort(), afterMs));
  }

  #lose(id: number): void {
    if (!this.#unanswered.delete(id)) return;
    const error = this.#tooLong
      ? { code: TOO_LONG, message: this.#tooLong.message }
      : { code: STREAM_LOST, message: "The connection was lost" };
    this.#tooLong = undefined;
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  #passed(message: unknown): unknown {
    if (isObject(message) && typeof message.id === "number" && !("method" in message)) {
      this.#end(message.id, ANSWERED_MS);
    }
    if (!isObject(message)) return message;
    if ("method" in message) return trimAcknowledgement(message);
    if (this.wrap && typeof message.id !== "number") return message;
    const head = { jsonrpc: "2.0", id: message.id };
    if (message.error !== undefined && message.error !== null) {
      return { ...head, error: readError(message.error) };
    }
    const result = message.result;
    if (!this.wrap) return { ...head, result: trimHandshake(result) };
    if (isObject(result) && result.resultType === "input_required") return { ...head, result };
    return { ...head, result: wrapResult(result) };
  }
}

/** `RawResults` of a child process. The client recognizes one by these two properties, and then takes
 * silence on its first probe for an older server. */
export class RawProcessResults extends RawResults {
  readonly pid = null;
  readonly stderr = null;
}

/** Result of the server, unwrapped from that of the library. */
export function unwrapResult(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  if (result.resultType === "input_required") return result;
  return isObject(result._meta) ? result._meta[KEY] : undefined;
}

/** Fields that the library requires in results. */
const EMPTY = {
  tools: [],
  content: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  prompts: [],
  messages: [],
  completion: { values: [] },
};

function wrapResult(result: unknown): Record<string, unknown> {
  return {
    resultType: "complete",
    ...EMPTY,
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [KEY]: result },
  };
}

function readError(error: unknown): Record<string, unknown> {
  const fields = isObject(error) ? error : {};
  return {
    code: Number.isInteger(fields.code) ? fields.code : -32603,
    message: typeof fields.message === "string" ? fields.message : "The server gave no reason",
    ...(fields.data === undefined ? {} : { data: fields.data }),
  };
}
