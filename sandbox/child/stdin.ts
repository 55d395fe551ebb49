/** `Deno.stdin` of a program: requested at the first read, then read from memory. */

import { copyOf, copyTo, sizeOf, viewOf } from "./bytes.ts";
import type { Frame, Inbox } from "./inbox.ts";

export interface StdinOptions {
  readonly inbox: Inbox;
  /** Requests the input, which comes as the frame `input`. */
  readonly ask: () => void;
  readonly about: () => {
    /** True when the run has input. */
    readonly stdin: boolean;
  };
}

const { Promise } = globalThis;
const INPUT = "input";

/** Makes a `Deno.stdin` that reads from the loader's own pipe. */
export function createStdin({ inbox, ask, about }: StdinOptions): object {
  let input: Uint8Array | undefined;
  let requested: Promise<Uint8Array> | undefined;
  const keep = ({ bytes }: Frame) => input = copyOf(bytes);
  const receive = () => {
    ask();
    return new Promise<Uint8Array>((resolve) => {
      inbox.expect(INPUT, (frame) => resolve(keep(frame)));
    });
  };
  const receiveSync = () => {
    inbox.expectSync(INPUT, { ask, receive: keep });
    return input ??= new Uint8Array();
  };
  const read = (into: Uint8Array, from: Uint8Array): number | null => {
    const size = sizeOf(from);
    if (size === 0) return null;
    const room = sizeOf(into);
    const count = size < room ? size : room;
    copyTo(into, viewOf(from, 0, count), 0);
    input = viewOf(from, count, size);
    return count;
  };
  const whole = async () => {
    if (!about().stdin) return new Uint8Array();
    return input ?? await (requested ??= receive());
  };
  const stdin = {
    async read(into: Uint8Array): Promise<number | null> {
      const bytes = await whole();
      return read(into, input ?? bytes);
    },
    readSync(into: Uint8Array): number | null {
      if (!about().stdin) return null;
      return read(into, input ?? receiveSync());
    },
    get readable(): ReadableStream<Uint8Array> {
      // Deno loads its streams with this name, which takes a sixth of a start. A program that replaces
      // it gets nothing but its own input.
      return new globalThis.ReadableStream({
        async pull(controller) {
          const chunk = new Uint8Array(65_536);
          const count = await stdin.read(chunk);
          if (count === null) controller.close();
          else controller.enqueue(viewOf(chunk, 0, count));
        },
      }, { highWaterMark: 0 });
    },
    isTerminal: () => false,
    setRaw: () => {},
    close: () => {},
  };
  return stdin;
}
