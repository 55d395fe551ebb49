/** JSON-RPC with `Content-Length` headers over a child's stdin and stdout, in both directions. */

import { ChunkReader } from "#sandbox";

export interface Connection {
  /** Rejects when the other side answers with an error or is gone. */
  request(method: string, params: unknown): Promise<unknown>;
}

export interface ConnectionOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Answers what the other side asks. */
  readonly answer: (method: string, params: unknown) => unknown;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Talks until `input` ends; what is unanswered then is rejected. */
export function connect({ input, output, answer }: ConnectionOptions): Connection {
  const pending = new Map<unknown, PromiseWithResolvers<unknown>>();
  const writer = output.getWriter();
  const frames: Uint8Array[] = [];
  let lastId = 0;
  let open = true;

  /** Messages of one moment go in one write: each wakes the other side up. */
  function send(message: Record<string, unknown>): void {
    frames.push(frame(JSON.stringify({ jsonrpc: "2.0", ...message })));
    if (frames.length === 1) queueMicrotask(flush);
  }

  function flush(): void {
    const bytes = concat(frames.splice(0));
    // A child that is gone is noticed where its stdout ends.
    writer.write(bytes).catch(() => {});
  }

  function receive(message: Message): void {
    const { id, method, params, result, error } = message;
    if (typeof method === "string") {
      if (id !== undefined) send({ id, result: answer(method, params) ?? null });
      return;
    }
    const waiting = pending.get(id);
    pending.delete(id);
    if (error === undefined || error === null) waiting?.resolve(result);
    else waiting?.reject(new Error(`The compiler refused: ${JSON.stringify(error)}`));
  }

  async function listen(): Promise<void> {
    const reader = new FrameReader();
    await new ChunkReader(input).each((chunk) => {
      for (const text of reader.take(chunk)) receive(JSON.parse(text));
    });
  }

  listen().catch(() => {}).finally(() => {
    open = false;
    for (const { reject } of pending.values()) reject(new Error("The compiler is gone"));
    pending.clear();
  });

  return {
    request(method, params) {
      if (!open) return Promise.reject(new Error("The compiler is gone"));
      const id = ++lastId;
      const answered = Promise.withResolvers<unknown>();
      pending.set(id, answered);
      send({ id, method, params });
      return answered.promise;
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function frame(text: string): Uint8Array {
  const body = encoder.encode(text);
  return concat([encoder.encode(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Cuts a stream of bytes into messages. */
class FrameReader {
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Bytes that the next message needs, its header included, as far as known. */
  #needed = 0;

  take(chunk: Uint8Array): string[] {
    this.#size += chunk.length;
    if (this.#size < this.#needed) {
      this.#parts.push(chunk.slice());
      return [];
    }
    const bytes = this.#parts.length === 0 ? chunk : concat([...this.#parts, chunk]);
    const texts: string[] = [];
    let at = 0;
    this.#needed = 0;
    for (;;) {
      const head = readHead(bytes, at);
      if (!head) break;
      if (head.end > bytes.length) {
        this.#needed = head.end - at;
        break;
      }
      texts.push(decoder.decode(bytes.subarray(head.start, head.end)));
      at = head.end;
    }
    const rest = bytes.slice(at);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return texts;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function readHead(bytes: Uint8Array, at: number): { start: number; end: number } | undefined {
  const text = decoder.decode(bytes.subarray(at, at + 256));
  const close = text.indexOf("\r\n\r\n");
  if (close < 0) return undefined;
  const [, length] = /content-length: *(\d+)/i.exec(text.slice(0, close)) ?? [];
  if (length === undefined) throw new Error("The compiler sent no length");
  const start = at + close + 4;
  return { start, end: start + Number(length) };
}
