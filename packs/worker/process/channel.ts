/** JSON-RPC 2.0 with one worker process: requests both ways, notifications from it. */

import { BatchWriter, type ChunkReader, isObject, readLines } from "#sandbox";

/** What the worker answered a request with, where it was an error. */
export class WorkerFault extends Error {
  override readonly name = "WorkerFault";
  /** The class of what was thrown, `ValueError`. */
  readonly thrown: string;
  /** `too_large`, or what the pack's own error carries. */
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

/** The process ended, or was ended, before it answered. */
export class WorkerGone extends Error {
  override readonly name = "WorkerGone";
}

export interface ChannelOptions {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ChunkReader;
  readonly maxLineBytes: number;
  readonly onNotification: (method: string, params: Record<string, unknown>) => void;
  /** Answers what the worker asks; what it throws goes back as an error. */
  readonly onRequest: (method: string, params: Record<string, unknown>) => Promise<unknown>;
  /** A line that is no message. */
  readonly onRubbish: (line: string) => void;
}

export interface Sent {
  readonly id: string;
  readonly answer: Promise<unknown>;
}

/** Talks until the process closes its stdout. Ids are random, so that nothing that is printed can
 * be an answer (WRK-02). */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #writer: BatchWriter;
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>();
  /** Why nothing more is answered. */
  #gone: string | undefined;
  /** Resolves when the worker has closed its side. */
  readonly closed: Promise<void>;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#writer = new BatchWriter(options.stdin);
    this.closed = this.#listen();
  }

  request(method: string, params: object): Sent {
    const id = crypto.randomUUID();
    const waiting = Promise.withResolvers<unknown>();
    if (this.#gone !== undefined) waiting.reject(new WorkerGone(this.#gone));
    else {
      this.#waiting.set(id, waiting);
      this.#send({ id, method, params });
    }
    return { id, answer: waiting.promise };
  }

  notify(method: string, params: object): void {
    if (this.#gone === undefined) this.#send({ method, params });
  }

  /** Nobody waits for this answer any more. */
  forget(id: string): void {
    this.#waiting.delete(id);
  }

  /** Rejects whatever waits, and what is still to come. */
  fail(reason: string): void {
    this.#gone ??= reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new WorkerGone(this.#gone));
  }

  /** The worker reads that there is nothing more to come. */
  closeInput(): void {
    void this.#writer.close().catch(() => {}); // it may be gone already
  }

  #send(message: object): void {
    // A worker that is gone is noticed where its stdout ends.
    this.#writer.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).catch(() => {});
  }

  async #listen(): Promise<void> {
    const { stdout, maxLineBytes, onRubbish } = this.#options;
    try {
      for await (const line of readLines(stdout, maxLineBytes)) {
        if (line === "") continue;
        const message = parse(line);
        if (message) this.#receive(message);
        else onRubbish(line);
      }
    } catch (error) {
      onRubbish(error instanceof Error ? error.message : String(error));
    }
  }

  #receive(message: Record<string, unknown>): void {
    const { id, method, result, error } = message;
    const params = isObject(message.params) ? message.params : {};
    if (typeof method === "string") {
      if (typeof id === "string") void this.#answer(id, { method, params });
      else this.#options.onNotification(method, params);
      return;
    }
    const waiting = typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (typeof id !== "string" || !waiting) {
      this.#options.onRubbish("an answer that nobody waits for");
      return;
    }
    this.#waiting.delete(id);
    if (isObject(error)) waiting.reject(new WorkerFault(error));
    else waiting.resolve(result ?? null);
  }

  async #answer(
    id: string,
    asked: { readonly method: string; readonly params: Record<string, unknown> },
  ): Promise<void> {
    try {
      const result = await this.#options.onRequest(asked.method, asked.params);
      this.#send({ id, result });
    } catch (error) {
      const { message, code } = error as { message?: string; code?: unknown };
      const data = typeof code === "string" ? { code } : {};
      this.#send({ id, error: { code: -32000, message: message ?? String(error), data } });
    }
  }
}

/** A JSON-RPC message, or undefined for what is none. */
function parse(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) && message.jsonrpc === "2.0" ? message : undefined;
  } catch {
    // Something that was printed.
    return undefined;
  }
}
