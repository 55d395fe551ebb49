/** The compiler's own protocol over its stdin and stdout (TypeScript 7, `--api`): MessagePack
 * tuples of a kind, a name and JSON. The compiler handles one request after another, and requests
 * files in between. */

import { ChunkReader, createQueue, joinBytes } from "#base";
export interface Channel {
  /** Sends a request once those before it have a response. Rejects when the compiler refuses it or
   * ends. */
  request(method: string, params: unknown): Promise<unknown>;
  /** Sends several requests in one message; the compiler's own requests must be foreseen. Rejects
   * with `Unforeseen` when it sends another one; the channel is of no further use then. */
  batch(steps: readonly Step[]): Promise<unknown[]>;
}

export interface Step {
  readonly method: string;
  readonly params: unknown;
  /** Requests that the compiler will send before its response, in this order. */
  readonly asks?: readonly Ask[];
}

interface Ask {
  readonly method: string;
  readonly params: unknown;
}

export interface ChannelOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Responds to requests of the compiler. */
  readonly answer: (method: string, params: unknown) => unknown;
  /** The longest message of the compiler that is read, in bytes; without it, of any length. */
  readonly mostBytes?: number;
}

/** The compiler sent a request without a prepared response. */
export class Unforeseen extends Error {
  override readonly name = "Unforeseen";
}

/** The compiler sent more than is read: parsing it would hold up all other work. */
export class TooLong extends Error {
  override readonly name = "TooLong";
  constructor(mostBytes: number) {
    super(
      `the checker's findings took more than ${mostBytes / 2 ** 20} MB: make the program smaller`,
    );
  }
}

/** Talks until `input` ends or holds what is not read; what is unanswered then is rejected. */
export function openChannel(options: ChannelOptions): Channel {
  return new CompilerChannel(options);
}

const REQUEST = 1;
const ANSWER = 2;
const RESPONSE = 4;
const REFUSAL = 5;
const QUESTION = 6;

type Waiting = PromiseWithResolvers<unknown>;

class CompilerChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting: Waiting[] = [];
  /** Requests that the compiler will send and whose responses it has already. */
  readonly #foreseen: string[] = [];
  readonly #queue = createQueue();
  #end: Error | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#writer = options.output.getWriter();
    const tuples = new TupleReader(options.mostBytes);
    const gone = new Error("The compiler is gone");
    new ChunkReader(options.input).each((chunk) => {
      for (const tuple of tuples.take(chunk)) this.#receive(tuple);
    }).then(() => this.#fail(gone), (error) => this.#fail(error instanceof TooLong ? error : gone));
  }

  request(method: string, params: unknown): Promise<unknown> {
    return this.#queue(async () => (await this.#send([{ method, params }]))[0]);
  }

  batch(steps: readonly Step[]): Promise<unknown[]> {
    return this.#queue(() => this.#send(steps));
  }

  #send(steps: readonly Step[]): Promise<unknown[]> {
    if (this.#end) return Promise.reject(this.#end);
    const tuples: Uint8Array[] = [];
    const answers = steps.map(({ method, params, asks = [] }) => {
      tuples.push(encodeTuple(REQUEST, method, JSON.stringify(params)));
      for (const ask of asks) {
        this.#foreseen.push(`${ask.method} ${JSON.stringify(ask.params)}`);
        tuples.push(this.#encodeAnswer(ask.method, ask.params));
      }
      const waiting = Promise.withResolvers<unknown>();
      this.#waiting.push(waiting);
      return waiting.promise;
    });
    this.#write(joinBytes(tuples));
    return Promise.all(answers);
  }

  #write(bytes: Uint8Array): void {
    // The end of stdout reports a compiler that has exited.
    this.#writer.write(bytes).catch(() => {});
  }

  #encodeAnswer(method: string, params: unknown): Uint8Array {
    return encodeTuple(ANSWER, method, JSON.stringify(this.#options.answer(method, params)) ?? "");
  }

  #receive({ kind, name, text }: Tuple): void {
    if (kind === QUESTION) return this.#answerCompiler(name, text);
    // A response before the expected requests: they will not come, but were answered.
    if (this.#foreseen.length > 0) return this.#fail(new Unforeseen(`${name} without a question`));
    const waiting = this.#waiting.shift();
    if (kind === RESPONSE) waiting?.resolve(text === "" ? undefined : JSON.parse(text));
    else if (kind === REFUSAL) waiting?.reject(new Error(`The compiler refused: ${text}`));
    else this.#fail(new Error(`The compiler sent a tuple of the unknown kind ${kind}`));
  }

  #answerCompiler(method: string, text: string): void {
    const params: unknown = JSON.parse(text);
    const foreseen = this.#foreseen.shift();
    if (foreseen === `${method} ${JSON.stringify(params)}`) return;
    const isBatch = foreseen !== undefined || this.#waiting.length > 1;
    if (isBatch) this.#fail(new Unforeseen(`${method} ${text}`));
    else if (!this.#end) this.#write(this.#encodeAnswer(method, params));
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
  }
}

interface Tuple {
  readonly kind: number;
  readonly name: string;
  readonly text: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An array of three: a small integer, and two runs of bytes. */
const OPEN = 0x93;
const BYTES_8 = 0xc4;
const BYTES_16 = 0xc5;
const BYTES_32 = 0xc6;
const LONGEST_HEAD = 5;

function encodeTuple(kind: number, name: string, text: string): Uint8Array {
  const runs = [encoder.encode(name), encoder.encode(text)];
  const tuple = new Uint8Array(runs.reduce((size, run) => size + LONGEST_HEAD + run.length, 2));
  tuple[0] = OPEN;
  tuple[1] = kind;
  let end = 2;
  for (const run of runs) {
    end = writeHead(tuple, end, run.length);
    tuple.set(run, end);
    end += run.length;
  }
  return tuple.subarray(0, end);
}

/** Writes the head of a run of bytes, and returns where the run begins. */
function writeHead(bytes: Uint8Array, at: number, length: number): number {
  const width = length < 2 ** 8 ? 1 : length < 2 ** 16 ? 2 : 4;
  bytes[at] = width === 1 ? BYTES_8 : width === 2 ? BYTES_16 : BYTES_32;
  for (let place = 0; place < width; place++) {
    bytes[at + width - place] = length >>> 8 * place & 0xff;
  }
  return at + 1 + width;
}

/** Cuts a stream of bytes into tuples. */
class TupleReader {
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Bytes that the next tuple needs, as far as known. */
  #needed = 0;
  readonly #most: number;

  constructor(most = Infinity) {
    this.#most = most;
  }

  take(chunk: Uint8Array): Tuple[] {
    this.#size += chunk.length;
    if (this.#size < this.#needed) {
      this.#parts.push(chunk.slice());
      return [];
    }
    const bytes = this.#parts.length === 0 ? chunk : joinBytes([...this.#parts, chunk]);
    const tuples: Tuple[] = [];
    let at = 0;
    for (;;) {
      const read = readTuple(bytes, at);
      if (typeof read === "number") {
        this.#needed = read - at;
        if (this.#needed > this.#most) throw new TooLong(this.#most);
        break;
      }
      tuples.push(read);
      at = read.end;
    }
    const rest = bytes.slice(at);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return tuples;
  }
}

/** Reads the tuple at `at`; of an incomplete one, returns the position up to which it reaches at
 * least. */
function readTuple(bytes: Uint8Array, at: number): (Tuple & { readonly end: number }) | number {
  const name = readRun(bytes, at + 2);
  if (typeof name === "number") return name;
  const text = readRun(bytes, name.end);
  if (typeof text === "number") return text;
  if (bytes[at] !== OPEN) throw new Error("The compiler sent something else than a tuple");
  const decode = ({ start, end }: Run) => decoder.decode(bytes.subarray(start, end));
  return { kind: bytes[at + 1] ?? 0, name: decode(name), text: decode(text), end: text.end };
}

interface Run {
  readonly start: number;
  readonly end: number;
}

function readRun(bytes: Uint8Array, at: number): Run | number {
  const start = at + 1 + widthOf(bytes[at] ?? BYTES_8);
  if (start > bytes.length) return start;
  let length = 0;
  for (let place = at + 1; place < start; place++) length = length * 256 + (bytes[place] ?? 0);
  return start + length > bytes.length ? start + length : { start, end: start + length };
}

/** Returns the number of bytes that hold the length of a run. */
function widthOf(head: number): number {
  if (head === BYTES_8) return 1;
  if (head === BYTES_16) return 2;
  if (head === BYTES_32) return 4;
  throw new Error("The compiler sent something else than bytes");
}
