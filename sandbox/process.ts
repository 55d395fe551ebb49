/** One sandbox process from start to death. It knows nothing of what it runs. */

import { BatchWriter } from "./batch_writer.ts";
import { Budget } from "./budget.ts";
import { LONGEST_NAME } from "./child/protocol.ts";
import { ChunkReader } from "./chunk_reader.ts";
import { launch, type LaunchOptions } from "./launch.ts";
import { OutputReader } from "./output.ts";
import { conceal } from "./secret_filter.ts";
import type { ProcessSinks } from "./sinks.ts";
import { type CallAnswer, SandboxError, type Visit } from "./types.ts";
import { openVisit } from "./visit.ts";

/** How long a process may take until its loader waits for a program. */
const START_MS = 15_000;
/** Ending a process keeps a processor busy for some milliseconds, which the reply of its run needs,
 * and the runs that follow it at once. */
const RETIRE_MS = 60;
const LAST_WORDS = 4096;

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
  readonly #closed = new AbortController();
  readonly #budget = new Budget((reason) => {
    this.kill();
    this.#sinks?.overrun(reason);
  });
  #sinks: ProcessSinks | undefined;
  #lastWords = "";
  /** The word that the process says next, if nobody forges it. */
  #expected: "loader" | "ready" | undefined = "loader";
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
      this.#closed.abort();
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
    return this.#alive && !this.#closed.signal.aborted;
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

  /** Writes to the loader's stdin, as long as it reads what it gets. */
  async send(...parts: readonly (string | Uint8Array)[]): Promise<void> {
    const pieces = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    if (!this.#budget.take("unread", size)) return;
    try {
      await Promise.all(pieces.map((piece) => this.#stdin.write(piece)));
    } catch {
      // The process is dead, which `dead` tells.
    } finally {
      this.#budget.give("unread", size);
    }
  }

  /** Admits a request below `/r/<secret>/`; undefined when the process may ask nothing, or no more. */
  visit(): Visit | undefined {
    if (!this.isOpen) return undefined;
    return openVisit({
      secret: this.secret,
      budget: this.#budget,
      signal: this.#closed.signal,
      module: (path) => this.#sinks?.module(path),
      posted: (path, read) => this.#sinks?.posted(path, read),
    });
  }

  /** Its run is over: it may ask nothing more, and dies as soon as that holds up no reply. */
  retire(): void {
    this.#closed.abort();
    this.#retiring ??= setTimeout(() => this.kill(), RETIRE_MS);
  }

  kill(): void {
    if (!this.#alive) return;
    this.#closed.abort();
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

  /** Takes a word as if the program itself had said it: no nonce keeps it from that. */
  #word(stream: "stdout" | "stderr", word: string): void {
    if (this.#closed.signal.aborted && this.#alive) return;
    const [, id, name = "", body = ""] = CALL.exec(word) ?? [];
    if (id !== undefined) return this.#call(id, copyOf(name), body);
    if (!this.#budget.take("words", 1)) return;
    if (word === this.#expected) this.#proceed(word);
    else this.#sinks?.word(stream, word);
  }

  #proceed(word: "loader" | "ready"): void {
    this.#expected = word === "loader" ? "ready" : undefined;
    if (word === "loader") void this.send(this.#loaderLine());
    else this.#started.resolve();
  }

  /** Answers `call <id> <name> <body>` with `<id> <status> <bytes>\n<body>`. */
  #call(id: string, name: string, body: string): void {
    const size = body.length;
    if (!this.isOpen || !this.#budget.take("sent", size)) return;
    const answering = this.#sinks?.called(name, body) ?? Promise.resolve(UNANSWERED);
    void answering.catch(() => UNWRITTEN).then((answer) => {
      this.#budget.give("sent", size);
      if (!this.isOpen) return;
      const bytes = encoder.encode(answer.body);
      return this.send(`${id} ${answer.status} ${bytes.length}\n`, bytes);
    });
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
      const why = conceal(this.#lastWords, this.secret).trim().split("\n")[0] ?? "";
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
const decoder = new TextDecoder();
const CALL = new RegExp(`^call (\\d{1,9}) (\\S{1,${LONGEST_NAME}}) (.*)$`, "s");
/** Answer to a call whose own answer cannot be written. */
const UNWRITTEN: CallAnswer = {
  status: 500,
  body: JSON.stringify({ error: { code: "internal", message: "The answer cannot be written" } }),
};
/** Answer to a call where there are no tools: the loader's rehearsal. */
const UNANSWERED: CallAnswer = { status: 404, body: "{}" };

/** The same text in memory of its own: a part of a word would keep the whole word. */
function copyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}

/** A name that nobody can guess: `bytes` random bytes, in letters that are safe in an address. */
export function randomName(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}
