/** JSON-RPC 2.0 with one worker process: requests both ways, notifications from the worker. */

import {
  attempt,
  BatchWriter,
  type ChunkReader,
  isObject,
  LARGE,
  messageOf,
  parseLarge,
  readLines,
} from "#base";

/** Characters of a worker's requests that have no response yet. */
const MOST_OPEN = 67_108_864;
/** Characters of messages that a worker has not read, beyond which it counts as not reading. */
const MOST_UNREAD = 16_777_216;

/** Error response of the worker. */
export class WorkerFault extends Error {
  override readonly name = "WorkerFault";
  /** Class of the thrown error, `ValueError`. */
  readonly thrown: string;
  /** `too_large`, or the code of the pack's own error. */
  readonly code: string | undefined;
  readonly line: number | undefined;
  readonly stack_: string;
  constructor(error: Record<string, unknown>) {
    super(typeof error.message === "string" ? error.message : "no message");
    const data = isObject(error.data) ? error.data : {};
    this.thrown = typeof data.name === "string" ? data.name : "Error";
    this.code = typeof data.code === "string" ? data.code : undefined;
    this.line = typeof data.line === "number" ? data.line : undefined;
    this.stack_ = typeof data.stack === "string" ? data.stack : "";
  }
}

/** The process ended before it responded. */
export class WorkerEnded extends Error {
  override readonly name = "WorkerEnded";
}

export interface ChannelOptions {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ChunkReader;
  readonly maxLineBytes: number;
  readonly onNotification: (method: string, params: Record<string, unknown>) => void;
  /** Handles a request of the worker; a thrown error becomes the error response. */
  readonly onRequest: (method: string, params: Record<string, unknown>) => Promise<unknown>;
  /** Receives a line that is not a message. */
  readonly onRubbish: (line: string) => void;
}

export interface PendingRequest {
  readonly id: string;
  readonly answer: Promise<unknown>;
}

/** Channel that is open until the process closes its stdout. Ids are random, so that printed text
 * cannot be a response (WRK-02). */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #writer: BatchWriter;
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>();
  /** Characters of the worker's requests without a response. */
  #open = 0;
  /** Characters of messages that the worker has not read, and the end of the last one. */
  #unread = 0;
  #read: Promise<void> = Promise.resolve();
  /** Reason why the channel is closed. */
  #closeReason: string | undefined;
  /** Resolves when the worker has closed its stdout. */
  readonly closed: Promise<void>;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#writer = new BatchWriter(options.stdin);
    this.closed = this.#listen();
  }

  request(method: string, params: object): PendingRequest {
    const id = crypto.randomUUID();
    const waiting = Promise.withResolvers<unknown>();
    if (this.#closeReason !== undefined) waiting.reject(new WorkerEnded(this.#closeReason));
    else {
      this.#waiting.set(id, waiting);
      this.#send({ id, method, params });
    }
    return { id, answer: waiting.promise };
  }

  notify(method: string, params: object): void {
    if (this.#closeReason === undefined) this.#send({ method, params });
  }

  /** Ignores the response of an abandoned request. */
  forget(id: string): void {
    this.#waiting.delete(id);
  }

  /** Rejects pending and future requests. */
  fail(reason: string): void {
    this.#closeReason ??= reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new WorkerEnded(this.#closeReason));
  }

  /** Closes the worker's stdin. */
  closeInput(): void {
    void this.#writer.close().catch(() => {}); // the process may have ended already
  }

  /** Resolves once the worker has read most messages. */
  async readsOn(): Promise<void> {
    while (this.#unread > MOST_UNREAD) await this.#read;
  }

  #send(message: object): void {
    const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    this.#unread += line.length;
    // The end of a worker is noticed at the end of its stdout.
    this.#read = this.#writer.write(line).catch(() => {}).finally(() =>
      this.#unread -= line.length
    );
  }

  async #listen(): Promise<void> {
    const { stdout, maxLineBytes, onRubbish } = this.#options;
    try {
      for await (const line of readLines(stdout, maxLineBytes)) {
        if (line === "") continue;
        const message = await parse(line);
        if (message) this.#receive(message, line.length);
        else onRubbish(line);
      }
    } catch (error) {
      onRubbish(messageOf(error));
    }
  }

  #receive(message: Record<string, unknown>, size: number): void {
    const { id, method, result, error } = message;
    const params = isObject(message.params) ? message.params : {};
    if (typeof method === "string") {
      if (typeof id === "string") void this.#answer(id, { method, params, size });
      else this.#options.onNotification(method, params);
      return;
    }
    const waiting = typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (typeof id !== "string" || !waiting) {
      this.#options.onRubbish("a response to an unknown request");
      return;
    }
    this.#waiting.delete(id);
    if (isObject(error)) waiting.reject(new WorkerFault(error));
    else waiting.resolve(result ?? null);
  }

  async #answer(id: string, { method, params, size }: WorkerRequest): Promise<void> {
    this.#open += size;
    try {
      if (this.#open > MOST_OPEN) throw tooMuchOpen();
      const result = await this.#options.onRequest(method, params);
      this.#send({ id, result });
    } catch (error) {
      const { message, code } = error as { message?: string; code?: unknown };
      const data = typeof code === "string" ? { code } : {};
      this.#send({ id, error: { code: -32000, message: message ?? String(error), data } });
    } finally {
      this.#open -= size;
    }
  }
}

interface WorkerRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** In characters. */
  readonly size: number;
}

function tooMuchOpen(): Error {
  const message = `The open calls of the pack have over ${MOST_OPEN} characters: await some first`;
  return Object.assign(new Error(message), { code: "too_large" });
}

/** Parses a JSON-RPC message; undefined for any other line. */
async function parse(line: string): Promise<Record<string, unknown> | undefined> {
  // Printed text.
  const message: unknown = await attempt(async () => {
    return line.length < LARGE ? JSON.parse(line) : await parseLarge(line);
  });
  return isObject(message) && message.jsonrpc === "2.0" ? message : undefined;
}
