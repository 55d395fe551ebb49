/** The one place that takes the messages of a server, by whichever transport: what answers an open
 * request, and requests and notifications that are read, go on to the client library; all else is
 * dropped and counted.
 *
 * It is a bypass of the library's validation, too: results are read leniently. On the newest protocol
 * the library refuses a whole tool list for one malformed entry, and a whole result for one unknown
 * content block. So it gets an empty result that carries the real one. */

import { createSemaphore, createTurns, isObject, within } from "#base";
import { cancelledId } from "./cancelled_id.ts";
import { type MessageReader, STAND_IN } from "./event_reader.ts";
import { AnswerTooLong, checkSize, isUnasked, readMessage, TOO_LONG } from "./long_messages.ts";
import { OpenReplies } from "./open_replies.ts";
import type { Pipe } from "./pipe.ts";
import { trimHandshake, trimUnasked } from "./trim.ts";

const SESSION_END_MS = 2_000;
/** Replies and notifications on their way at once, where each takes a connection of its own. */
const SENT_AT_ONCE = 2;
/** Errors in a row without a message that is taken: malformed messages, lost streams. */
const MOST_ERRORS = 1_000;
/** Time that a stream has to end after the answer. */
const ANSWERED_MS = 1_000;
const KEY = "toolscript/result";
/** Code of our error for a lost response. */
export const STREAM_LOST = -32_099;

export interface RawResultsOptions {
  readonly endSession?: () => Promise<void>;
  /** Time for one reply or notification, where each takes a connection of its own. */
  readonly sendMs?: number;
}

interface SendOptions {
  readonly requestSignal?: AbortSignal;
  readonly onRequestStreamEnd?: () => void;
}

/** Wraps results once `wrap` is set, and trims those before. */
export class RawResults implements Pipe, MessageReader {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  /** False during the handshake, whose results the library reads. */
  wrap = false;
  readonly #inner: Pipe;
  /** Requests without an answer, with what ends their streams where the library does not: on the older
   * protocols over HTTP. */
  readonly #unanswered = new Map<unknown, AbortController | undefined>();
  readonly #replies = new OpenReplies();
  readonly #sending = createSemaphore(SENT_AT_ONCE, SENT_AT_ONCE);
  readonly #sendMs: number | undefined;
  #isOverrun = false;
  #errors = 0;
  #tooLong: AnswerTooLong | undefined;
  readonly #endSession?: () => Promise<void>;

  constructor(inner: Pipe, { endSession, sendMs }: RawResultsOptions = {}) {
    this.#inner = inner;
    this.#sendMs = sendMs;
    this.#endSession = endSession;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.refuse(error);
    inner.onmessage = (message) => {
      if (!isObject(message) || message.id !== STAND_IN) this.#take(message);
    };
    inner.ontext = (text) => this.read(text);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  async read(text: string): Promise<boolean> {
    const read = await readMessage(text);
    checkSize(read, text);
    if (!Array.isArray(read)) {
      if (!this.#isMessage(read)) throw new SyntaxError("The server sent JSON that is no message");
      return this.#take(read);
    }
    const turn = createTurns();
    let isAnswer = false;
    for (const each of read) {
      isAnswer = this.#take(each) || isAnswer;
      await turn();
    }
    return isAnswer;
  }

  /** Counts an error; a server that sends nothing else is ended. */
  refuse(error: Error): void {
    if (this.#isOverrun) return;
    this.onerror?.(error);
    if (++this.#errors >= MOST_ERRORS) this.#overrun("The server sends what is no message");
  }

  /** Stores the reason why the next stream ends before its answer: the library does not report
   * it. */
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
  send(message: unknown, options: SendOptions = {}): Promise<void> {
    if (isObject(message) && !("method" in message)) {
      return this.#replies.send(message.id, () => this.#sendInTime(message, options));
    }
    const id = isObject(message) ? message.id : undefined;
    if (id === undefined) {
      // The handshake has a time limit of its own.
      const sent = this.wrap
        ? this.#sendInTime(message, options)
        : this.#inner.send(message, options);
      this.#end(cancelledId(message), 0);
      return sent;
    }
    const sent = this.#inner.send(message, this.#open(id, options));
    sent.catch(() => this.#end(id, 0));
    return sent;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Sends a reply or a notification; one that the server does not take in time ends it. */
  async #sendInTime(message: unknown, options?: unknown): Promise<void> {
    if (this.#sendMs === undefined) return await this.#inner.send(message, options);
    const release = await this.#sending.acquire(undefined, undefined);
    try {
      if (this.#isOverrun) throw new Error("The server was ended");
      const isTaken = await within(this.#inner.send(message, options), this.#sendMs);
      if (!isTaken) this.#overrun("The server does not take a reply or a notification");
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

  /** Registers a request as open; returns the options to send it with. Ids that are texts are the
   * library's, of a probe and of subscriptions, which end by themselves. */
  #open(id: unknown, options: SendOptions): SendOptions {
    const { requestSignal } = options;
    requestSignal?.addEventListener("abort", () => this.#end(id, 0), { once: true });
    const isOwn = typeof id === "number" && requestSignal === undefined;
    const stream = isOwn && this.#inner.hasPerRequestStream ? new AbortController() : undefined;
    this.#unanswered.set(id, stream);
    if (typeof id !== "number") return options;
    const own = stream ? { requestSignal: stream.signal } : {};
    return { onRequestStreamEnd: () => this.#lose(id), ...options, ...own };
  }

  /** Ends a request, and its stream. One that was answered has time to end by itself. */
  #end(id: unknown, afterMs: number): void {
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

  /** Returns true for what is meant as a message. Processes write all sorts of JSON, and some servers
   * answer without a version. */
  #isMessage(read: unknown): boolean {
    return isObject(read) && (read.jsonrpc === "2.0" || this.#unanswered.has(read.id));
  }

  /** Takes a message; returns true for the answer to an open request. */
  #take(message: unknown): boolean {
    if (this.#isOverrun) return false;
    if (isObject(message) && isUnasked(message)) {
      this.#takeUnasked(message);
      return false;
    }
    if (!isObject(message) || !this.#unanswered.has(message.id)) {
      this.refuse(new Error("The server sent what answers no open request"));
      return false;
    }
    const { id } = message;
    this.#errors = 0;
    this.#end(id, ANSWERED_MS);
    this.onmessage?.({ jsonrpc: "2.0", id, ...this.#outcome(message) });
    return true;
  }

  #takeUnasked(message: Record<string, unknown>): void {
    const read = trimUnasked(message);
    if (read.kind === "malformed") {
      return this.refuse(new Error("The server sent a malformed request or notification"));
    }
    this.#errors = 0;
    if (read.kind === "unread") return;
    const refusal = this.#replies.refusal(read.message);
    if (refusal === undefined) this.onmessage?.(read.message);
    else this.#overrun(refusal);
  }

  #outcome({ result, error }: Record<string, unknown>): Record<string, unknown> {
    if (error !== undefined && error !== null) return { error: readError(error) };
    return { result: this.wrap ? wrapResult(result) : trimHandshake(result) };
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
