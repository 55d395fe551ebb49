/** What the gateway sends to a program while it runs: the answers to its calls, and its input. */

import { copyOf, copyTo, findByte, findText, sizeOf, sliceText, viewOf } from "./bytes.ts";

/** `<id> <status> <bytes>`, a newline, and the bytes, which hold until the next frame is read. */
export interface Frame {
  readonly status: number;
  readonly bytes: Uint8Array;
}

type Take = (frame: Frame) => void;
type Pipe = Pick<typeof Deno.stdin, "read" | "readSync">;

const { Busy } = Deno.errors;
const CHUNK = 65_536;

/** Reads for as long as something is to come: a read that waits keeps the program from its end. */
export class Inbox {
  readonly #pipe: Pipe;
  readonly #waiting: Record<string, Take | undefined> = { __proto__: null } as never;
  #count = 0;
  readonly #frames = new FrameReader((id, frame) => {
    const take = this.#waiting[id];
    if (!take) return;
    delete this.#waiting[id];
    this.#count--;
    take(frame);
  });
  readonly #chunk = new Uint8Array(CHUNK);
  #isReading = false;

  constructor(pipe: Pipe) {
    this.#pipe = { read: pipe.read.bind(pipe), readSync: pipe.readSync.bind(pipe) };
  }

  /** Gives the frame of this id to `take` when it comes; it takes what it needs at once. */
  expect(id: string, take: Take): void {
    this.#wait(id, take);
    if (!this.#isReading) void this.#read();
  }

  /** Asks for the frame of this id, and blocks until it has come. */
  expectSync(id: string, { ask, take }: { readonly ask: () => void; readonly take: Take }): void {
    if (this.#isReading) {
      throw new Busy("Cannot read stdin: another read is under way: await it first");
    }
    ask();
    this.#wait(id, take);
    while (this.#waiting[id]) {
      const count = this.#pipe.readSync(this.#chunk);
      if (count === null) return; // the gateway has gone, and this process goes with it
      this.#frames.push(viewOf(this.#chunk, 0, count));
    }
  }

  #wait(id: string, take: Take): void {
    if (!this.#waiting[id]) this.#count++;
    this.#waiting[id] = take;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#count > 0) {
      const count = await this.#pipe.read(this.#chunk);
      if (count === null) return;
      this.#frames.push(viewOf(this.#chunk, 0, count));
    }
    this.#isReading = false;
  }
}

/** Takes frames out of what comes. */
class FrameReader {
  readonly #deliver: (id: string, frame: Frame) => void;
  readonly #decode: (bytes: Uint8Array) => string;
  /** What came of a frame that is not whole yet. */
  #kept: Uint8Array | undefined;
  #size = 0;
  /** Bytes that the frame has, its head included, as far as known. */
  #needed = 0;

  constructor(deliver: (id: string, frame: Frame) => void) {
    const decoder = new TextDecoder();
    this.#deliver = deliver;
    this.#decode = decoder.decode.bind(decoder);
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#kept) {
      rest = this.#keep(this.#kept, chunk);
      if (this.#size < this.#needed) return;
      this.#kept = undefined;
    }
    for (let length = this.#take(rest); length > 0; length = this.#take(rest)) {
      rest = viewOf(rest, length, sizeOf(rest));
    }
    this.#size = sizeOf(rest);
    if (this.#size > 0) this.#kept = copyOf(rest);
  }

  /** Delivers the frame at the start of `bytes`; its length, 0 where it is not whole. */
  #take(bytes: Uint8Array): number {
    const head = findByte(bytes, 10);
    if (head === -1) return this.#needed = 0;
    const text = this.#decode(viewOf(bytes, 0, head));
    const first = findText(text, " ", 0);
    const second = findText(text, " ", first + 1);
    const status = +sliceText(text, first + 1, second);
    this.#needed = head + 1 + +sliceText(text, second + 1, head);
    if (sizeOf(bytes) < this.#needed) return 0;
    const frame = { status, bytes: viewOf(bytes, head + 1, this.#needed) };
    this.#deliver(sliceText(text, 0, first), frame);
    return this.#needed;
  }

  /** Adds a chunk to what was kept, in memory for the whole frame; gives all that has come. */
  #keep(kept: Uint8Array, chunk: Uint8Array): Uint8Array {
    const size = this.#size + sizeOf(chunk);
    let room = kept;
    if (size > sizeOf(kept)) {
      const needed = this.#needed > size ? this.#needed + CHUNK : 2 * size;
      room = new Uint8Array(needed);
      copyTo(room, viewOf(kept, 0, this.#size), 0);
    }
    copyTo(room, chunk, this.#size);
    this.#size = size;
    this.#kept = room;
    return viewOf(room, 0, size);
  }
}
