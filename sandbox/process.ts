/** One sandbox process from start to death. It knows nothing of what it runs. */

import { BatchWriter } from "./batch_writer.ts";
import { joinBytes } from "./child/bytes.ts";
import { ChunkReader } from "./chunk_reader.ts";
import { launch, type LaunchOptions } from "./launch.ts";
import { OutputReader } from "./output.ts";
import { type CallAnswer, SandboxError } from "./types.ts";

/** How long a process may take until its loader waits for a program. */
const START_MS = 15_000;
/** Ending a process keeps a processor busy for some milliseconds, which the reply of its run needs,
 * and the runs that follow it at once. */
const RETIRE_MS = 60;
const LAST_WORDS = 4096;
/** Bytes of answers that are kept for a program that does not read: many times what it may print. */
const MOST_UNREAD = 256 * 1024 * 1024;

export interface ProcessSinks {
  output(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  word(stream: "stdout" | "stderr", word: string): void;
  /** A call of a tool, answered where there are any. */
  called(name: string, body: string): Promise<CallAnswer> | undefined;
  /** The program asks for more than it reads. */
  stuck(): void;
  /** A body that the loader posted to `value` or `report`. */
  posted(path: "value" | "report", request: Request): Promise<void>;
  /** A module below `program/`. */
  module(path: string): { readonly text: string; readonly transpile: boolean } | undefined;
}

export class SandboxProcess implements AsyncDisposable {
  readonly secret: string;
  readonly nonce = randomName(16);
  /** Which state of what programs import it holds; unknown until it asks for the loader. */
  version: number | undefined;
  /** Resolves when the loader waits for a program; rejects when that cannot be. */
  readonly ready: Promise<void>;
  /** Resolves when the process is dead and its output was read. */
  readonly dead: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: BatchWriter;
  readonly #loaderLine: () => Uint8Array;
  readonly #started = Promise.withResolvers<void>();
  readonly #gone: Promise<void>;
  #sinks: ProcessSinks | undefined;
  #lastWords = "";
  /** Bytes of answers that wait until the program reads. */
  #unread = 0;
  #alive = true;
  #retiring: ReturnType<typeof setTimeout> | undefined;

  /** `loaderLine` is asked what gives the process its loader when it has started. */
  constructor(options: LaunchOptions, loaderLine: () => Uint8Array) {
    const { child, folder } = launch(options);
    this.secret = options.secret;
    this.#child = child;
    this.#loaderLine = loaderLine;
    this.#stdin = new BatchWriter(child.stdin);
    void this.send(`${this.nonce}\n`);
    this.ready = this.#started.promise;
    const read = Promise.all([
      this.#read(child.stdout, "stdout"),
      this.#read(child.stderr, "stderr"),
    ]);
    this.dead = child.status.then(async (status) => {
      this.#alive = false;
      clearTimeout(this.#retiring);
      await read;
      return status;
    });
    this.#gone = this.dead.then(() => Deno.remove(folder, { recursive: true })).catch(() => {
      // Nothing of value is in it, and the sandbox removes the folder above at its end.
    });
    this.#watchStart();
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it may ask anything. */
  get isOpen(): boolean {
    return this.#alive && this.#retiring === undefined;
  }

  /** The last of what it said on stderr. */
  get lastWords(): string {
    return this.#lastWords;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** From now on everything the process says goes to `sinks`. */
  attach(sinks: ProcessSinks): void {
    this.#sinks = sinks;
  }

  /** Writes to the loader's stdin. */
  async send(data: string | Uint8Array): Promise<void> {
    try {
      await this.#stdin.write(data);
    } catch {
      // The process is dead, which `dead` tells.
    }
  }

  /** Answers a request below `/r/<secret>/`. */
  async serve(path: string, request: Request): Promise<Response | undefined> {
    const [top = "", ...below] = path.split("/");
    const rest = below.join("/");
    if (top === "program") return moduleResponse(this.#sinks?.module(rest));
    const isEnd = request.method === "POST" && (top === "value" || top === "report");
    if (!isEnd) return undefined;
    await this.#sinks?.posted(top, request);
    return Response.json(null);
  }

  /** Its run is over: it may ask nothing more, and dies as soon as that holds up no reply. */
  retire(): void {
    this.#retiring ??= setTimeout(() => this.kill(), RETIRE_MS);
  }

  kill(): void {
    if (!this.#alive) return;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // Died a moment ago.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    await this.#gone;
    await this.#stdin.abort().catch(() => {
      // Its reader is dead.
    });
  }

  async #read(stream: ReadableStream<Uint8Array>, name: "stdout" | "stderr"): Promise<void> {
    const reader = new OutputReader(this.nonce, {
      data: (bytes) => this.#data(name, bytes),
      word: (word) => this.#word(name, word),
    });
    try {
      await new ChunkReader(stream).each((chunk) => reader.push(chunk));
    } catch {
      // A pipe that breaks is a pipe that ends.
    }
    reader.end();
  }

  #word(stream: "stdout" | "stderr", word: string): void {
    if (word.startsWith("call ")) void this.#call(word);
    else if (word === "ready") this.#started.resolve();
    else if (word === "loader") void this.send(this.#loaderLine());
    else this.#sinks?.word(stream, word);
  }

  /** Answers `call <id> <name> <body>` with `<id> <status> <bytes>\n<body>`. */
  async #call(word: string): Promise<void> {
    const [, id, name = "", body = ""] = CALL.exec(word) ?? [];
    const answer = this.isOpen && await this.#sinks?.called(name, body) || NOBODY;
    const bytes = encoder.encode(answer.body);
    if (this.#unread + bytes.length > MOST_UNREAD) return this.#sinks?.stuck();
    const head = encoder.encode(`${id} ${answer.status} ${bytes.length}\n`);
    this.#unread += bytes.length;
    await this.send(joinBytes([head, bytes]));
    this.#unread -= bytes.length;
  }

  #data(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    if (stream === "stderr") {
      const text = new TextDecoder().decode(bytes.subarray(-LAST_WORDS));
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    }
    this.#sinks?.output(stream, bytes);
  }

  #watchStart(): void {
    const timer = setTimeout(() => this.kill(), START_MS);
    const stop = () => clearTimeout(timer);
    this.ready.then(stop, stop);
    this.dead.then((status) => {
      const why = this.#lastWords.trim().split("\n")[0] ?? "";
      this.#started.reject(
        new SandboxError(
          "unavailable",
          `Cannot start a sandbox process: it ended with ${status.signal ?? status.code}: ${why}`,
        ),
      );
    });
  }
}

const encoder = new TextEncoder();
const CALL = /^call (\d+) (\S+) (.*)$/s;
/** To a call that nobody answers, as the loader's rehearsal, or one after the end. */
const NOBODY: CallAnswer = { status: 404, body: "{}" };

/** A name that nobody can guess: `bytes` random bytes, in letters that are safe in an address. */
export function randomName(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

function moduleResponse(module: ReturnType<ProcessSinks["module"]>): Response | undefined {
  if (!module?.transpile) return javascript(module?.text);
  return new Response(module.text, { headers: { "content-type": "application/typescript" } });
}

function javascript(text: string | undefined): Response | undefined {
  if (text === undefined) return undefined;
  return new Response(text, { headers: { "content-type": "application/javascript" } });
}
