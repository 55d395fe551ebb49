/** `Deno.stdin` as a program sees it: asked for when first touched, then read from memory. */

export interface StdinOptions {
  /** Asks for the input; the answer is a length, a newline and the bytes. */
  readonly ask: () => void;
  readonly about: () => {
    /** Whether there is any. */
    readonly stdin: boolean;
  };
}

type Pipe = Pick<typeof Deno.stdin, "read" | "readSync">;

/** An input behind the loader's own pipe. */
export function createStdin(pipe: Pipe, { ask, about }: StdinOptions): object {
  let input: Uint8Array | undefined;
  let asked: Promise<Uint8Array> | undefined;
  const take = (into: Uint8Array, from: Uint8Array): number | null => {
    if (from.length === 0) return null;
    const part = from.subarray(0, into.length);
    into.set(part);
    input = from.subarray(part.length);
    return part.length;
  };
  const whole = async () => {
    if (!about().stdin) return new Uint8Array();
    return input ?? await (asked ??= (ask(), receive(pipe)));
  };
  const stdin = {
    async read(into: Uint8Array): Promise<number | null> {
      const bytes = await whole();
      return take(into, input ?? bytes);
    },
    readSync(into: Uint8Array): number | null {
      if (input === undefined && asked !== undefined) {
        throw new Deno.errors.Busy("Cannot read stdin: another read is under way: await it first");
      }
      if (!about().stdin) return null;
      return take(into, input ??= (ask(), receiveSync(pipe)));
    },
    get readable(): ReadableStream<Uint8Array> {
      return new ReadableStream({
        async pull(controller) {
          const chunk = new Uint8Array(65_536);
          const count = await stdin.read(chunk);
          if (count === null) controller.close();
          else controller.enqueue(chunk.subarray(0, count));
        },
      }, { highWaterMark: 0 });
    },
    isTerminal: () => false,
    setRaw: () => {},
    close: () => {},
  };
  return stdin;
}

async function receive(pipe: Pipe): Promise<Uint8Array> {
  const reading = reader();
  while (reading.wanted() > 0) {
    const chunk = new Uint8Array(reading.wanted());
    const count = await pipe.read(chunk);
    if (count === null) break;
    reading.push(chunk.subarray(0, count));
  }
  return reading.done();
}

function receiveSync(pipe: Pipe): Uint8Array {
  const reading = reader();
  while (reading.wanted() > 0) {
    const chunk = new Uint8Array(reading.wanted());
    const count = pipe.readSync(chunk);
    if (count === null) break;
    reading.push(chunk.subarray(0, count));
  }
  return reading.done();
}

/** Takes the header byte by byte, then the body; never a byte too many. */
function reader() {
  let header = "";
  let body: Uint8Array | undefined;
  let filled = 0;
  return {
    wanted: () => body === undefined ? 1 : body.length - filled,
    push(chunk: Uint8Array): void {
      if (body !== undefined) {
        body.set(chunk, filled);
        filled += chunk.length;
      } else if (chunk[0] === 10) body = new Uint8Array(Number(header));
      else header += String.fromCharCode(chunk[0] ?? 0);
    },
    done(): Uint8Array {
      return body?.subarray(0, filled) ?? new Uint8Array();
    },
  };
}
