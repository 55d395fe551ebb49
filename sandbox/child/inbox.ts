/** Frames from the gateway to a running program: the answers to its calls, and its input. */

import { copyOf, copyTo, findByte, findText, sizeOf, sliceText, viewOf } from "./bytes.ts";

/** `<id> <status> <bytes>`, a newline, and the bytes, which are valid until the next frame is read. */
export interface Frame {
  readonly status: number;
  readonly bytes: Uint8Array;
}

type Receive = (frame: Frame) => void;
type Pipe = Pick<typeof Deno.stdin, "read" | "readSync">;

const { Busy } = Deno.errors;
const CHUNK = 65_536;

/** Reads only while a frame is expected: a pending read would keep the program from its end. */
export class Inbox {
  readonly #pipe: Pipe;
  readonly #waiting: Record<string, Receive | undefined> = { __proto__: null } as never;
  #count = 0;
  readonly #frames = new FrameReader((id, frame) => {
    const receive = this.#waiting[id];
    if (!receive) return;
    delete this.#waiting[id];
    this.#count--;
    receive(frame);
  });
  readonly #chunk = new Uint8Array(CHUNK);
  #isReading = false;

  constructor(pipe: Pipe) {
    this.#pipe = { read: pipe.read.bind(pipe), readSync: pipe.readSync.bind(pipe) };
  }

  /** Passes the frame of this id to `receive`, which must copy what it keeps. */
  expect(id: string, receive: Receive): void {
    this.#wait(id, receive);
    if (!this.#isReading) void this.#read();
  }

  /** Requests the frame of this id, and blocks until it has come. */
  expectSync(
    id: string,
    { ask, receive }: { readonly ask: () => void; readonly receive: Receive },
  ): void {
    if (this.#isReading) {
      throw new Busy("Cannot read stdin: another read is under way: await it first");
    }
    ask();
    this.#wait(id, receive);
    while (this.#waiting[id]) {
      const count = this.#pipe.readSync(this.#chunk);
      if (count === null) return; // the gateway has ended, and this process ends with it
      this.#frames.push(viewOf(this.#chunk, 0, count));
    }
  }

  #wait(id: string, receive: Receive): void {
    if (!this.#waiting[id]) this.#count++;
    this.#waiting[id] = receive;
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

/** Splits chunks into frames. */
class FrameReader {
  readonly #deliver: (id: string, frame: Frame) => void;
  readonly #decode: (bytes: Uint8Array) => string;
  /** Start of an incomplete frame. */
  #frame: Uint8Array | undefined;
  #size = 0;
  /** Size of the frame with its head; 0 while the head is incomplete. */
  #needed = 0;

  constructor(deliver: (id: string, frame: Frame) => void) {
    const decoder = new TextDecoder();
    this.#deliver = deliver;
    this.#decode = decoder.decode.bind(decoder);
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    if (this.#frame) {
      rest = this.#keep(this.#frame, chunk);
      if (this.#size < this.#needed) return;
      this.#frame = undefined;
    }
    for (let length = this.#deliverFirst(rest); length > 0; length = this.#deliverFirst(rest)) {
      rest = viewOf(rest, length, sizeOf(rest));
    }
    this.#size = sizeOf(rest);
    if (this.#size > 0) this.#frame = copyOf(rest);
  }

  /** Delivers the frame at the start of `bytes`. Returns its length, 0 when it is incomplete. */
  #deliverFirst(bytes: Uint8Array): number {
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

  /** Appends a chunk to the incomplete frame, in memory for the whole frame. Returns all its bytes. */
  #keep(frame: Uint8Array, chunk: Uint8Array): Uint8Array {
    const size = this.#size + sizeOf(chunk);
    let room = frame;
    if (size > sizeOf(frame)) {
      const needed = this.#needed > size ? this.#needed + CHUNK : 2 * size;
      room = new Uint8Array(needed);
      copyTo(room, viewOf(frame, 0, this.#size), 0);
    }
    copyTo(room, chunk, this.#size);
    this.#size = size;
    this.#frame = room;
    return viewOf(room, 0, size);
  }
}
