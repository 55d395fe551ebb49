/** What the gateway sends to a program while it runs: the answers to its calls, and its input. */

import { joinBytes } from "./bytes.ts";

/** `<id> <status> <bytes>`, a newline, and the bytes, which hold until the next frame is read. */
export interface Frame {
  readonly status: number;
  readonly bytes: Uint8Array;
}

type Pipe = Pick<typeof Deno.stdin, "read" | "readSync">;

/** Reads for as long as something is to come: a read that waits keeps the program from its end. */
export class Inbox {
  readonly #pipe: Pipe;
  readonly #waiting = new Map<string, (frame: Frame) => void>();
  readonly #frames = new FrameReader((id, frame) => {
    const take = this.#waiting.get(id);
    this.#waiting.delete(id);
    take?.(frame);
  });
  readonly #chunk = new Uint8Array(65_536);
  #isReading = false;

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
  }

  /** Gives the frame of this id to `take` when it comes; it takes what it needs at once. */
  expect(id: string, take: (frame: Frame) => void): void {
    this.#waiting.set(id, take);
    if (!this.#isReading) void this.#read();
  }

  /** Asks for the frame of this id, and blocks until it has come. */
  expectSync(
    id: string,
    { ask, take }: { readonly ask: () => void; readonly take: (frame: Frame) => void },
  ): void {
    if (this.#isReading) {
      throw new Deno.errors.Busy("Cannot read stdin: another read is under way: await it first");
    }
    ask();
    this.#waiting.set(id, take);
    while (this.#waiting.has(id)) {
      const count = this.#pipe.readSync(this.#chunk);
      if (count === null) return; // the gateway has gone, and this process goes with it
      this.#frames.push(this.#chunk.subarray(0, count));
    }
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      const count = await this.#pipe.read(this.#chunk);
      if (count === null) return;
      this.#frames.push(this.#chunk.subarray(0, count));
    }
    this.#isReading = false;
  }
}

/** Takes frames out of what comes. */
class FrameReader {
  readonly #deliver: (id: string, frame: Frame) => void;
  readonly #decoder = new TextDecoder();
  /** What came of a frame that is not whole yet. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Bytes that the frame has, its head included, as far as known. */
  #needed = 0;

  constructor(deliver: (id: string, frame: Frame) => void) {
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
    this.#deliver(id, { status: Number(status), bytes: bytes.subarray(head + 1, this.#needed) });
    return this.#needed;
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part.slice());
    this.#size += part.length;
  }

  #whole(): Uint8Array {
    const whole = joinBytes(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}
