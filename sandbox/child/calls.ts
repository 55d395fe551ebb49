/** Calls of tools over the loader's own pipes: a word out, a frame back. A connection would cost
 * each of them several times as much. */

import type { Word } from "./protocol.ts";

export interface CarrierOptions {
  /** The address below which tools are called. */
  readonly gateway: string;
  readonly stdin: Pick<typeof Deno.stdin, "read">;
  readonly say: (...words: readonly Word[]) => void;
  /** Whether a call of so many characters may go this way. */
  readonly carries: (length: number) => boolean;
  readonly fetch: typeof fetch;
}

const { queueMicrotask } = globalThis;

/** What the preloaded module reads of a response. */
type Answer = Pick<Response, "ok" | "status" | "json">;

/** Stands for `fetch` where the preloaded module asks for it. */
export function createCarrier(options: CarrierOptions): typeof fetch {
  const { gateway, stdin, say, carries, fetch } = options;
  const tools = `${gateway}/tools/`;
  const waiting = new Map<string, (answer: Answer) => void>();
  const replies = new ReplyReader((id, status, text) => {
    waiting.get(id)?.({ ok: status < 300, status, json: async () => await JSON.parse(text) });
    waiting.delete(id);
  });
  const chunk = new Uint8Array(65_536);
  const words: Word[] = [];
  let isReading = false;
  let last = 0;

  /** Reads for as long as something is to come: a read that waits keeps the program from its end. */
  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (waiting.size > 0) {
      const count = await stdin.read(chunk);
      if (count === null) return; // The gateway has gone, and this process goes with it.
      replies.push(chunk.subarray(0, count));
    }
    isReading = false;
  }

  function call(name: string, body: string): Promise<Answer> {
    const id = `${++last}`;
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    words.push(`call ${id} ${name} ${body}`);
    // Calls of one moment go together: each write may wake the gateway.
    if (words.length === 1) queueMicrotask(flush);
    return answer;
  }

  function flush(): void {
    say(...words.splice(0));
    void read();
  }

  const carrier = (url: string, init: RequestInit): Promise<Answer> => {
    const { body } = init;
    const isCall = url.startsWith(tools) && typeof body === "string";
    if (!isCall || !carries(url.length + body.length)) return fetch(url, init);
    return call(url.slice(tools.length), body);
  };
  return carrier as typeof fetch;
}

/** Takes frames out of what comes: `<id> <status> <bytes>`, a newline, and the bytes. */
class ReplyReader {
  readonly #deliver: (id: string, status: number, text: string) => void;
  readonly #decoder = new TextDecoder();
  /** What came of a frame that is not whole yet. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Bytes that the frame has, its head included, as far as known. */
  #needed = 0;

  constructor(deliver: (id: string, status: number, text: string) => void) {
    this.#deliver = deliver;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#parts.length > 0) {
      this.#keep(chunk);
      if (this.#size < this.#needed) return;
      rest = this.#whole();
    }
    for (let length = this.#take(rest); length > 0; length = this.#take(rest)) {
      rest = rest.subarray(length);
    }
    if (rest.length > 0) this.#keep(rest);
  }

  /** Delivers the frame at the start of `bytes`; its length, 0 where it is not whole. */
  #take(bytes: Uint8Array): number {
    const head = bytes.indexOf(10);
    if (head === -1) return this.#needed = 0;
    const [id = "", status, size] = this.#decoder.decode(bytes.subarray(0, head)).split(" ");
    this.#needed = head + 1 + Number(size);
    if (bytes.length < this.#needed) return 0;
    const text = this.#decoder.decode(bytes.subarray(head + 1, this.#needed));
    this.#deliver(id, Number(status), text);
    return this.#needed;
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part.slice());
    this.#size += part.length;
  }

  #whole(): Uint8Array {
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}
