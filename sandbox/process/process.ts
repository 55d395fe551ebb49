/** One sandbox process from start to death, whatever program it runs. */

import { BatchWriter, ChunkReader } from "#base";
import { Budget } from "./budget.ts";
import { LONGEST_NAME } from "../child/protocol.ts";
import { launch, type LaunchOptions } from "./launch.ts";
import { OutputReader } from "./output.ts";
import { conceal } from "./secret_filter.ts";
import type { ProcessSinks } from "./sinks.ts";
import { type CallAnswer, type SandboxCall, SandboxError, type Visit } from "../types.ts";
import { openVisit } from "./visit.ts";

/** Time limit from the start of a process until its loader waits for a program. */
const START_MS = 15_000;
/** Delay before a process is killed after its run: killing it uses a processor for some
 * milliseconds, which the reply and the next runs need first. */
const KILL_DELAY_MS = 60;
const LAST_WORDS = 4096;
/** Made once: to make one takes as long as a small call. */
const ENDED = new DOMException("The process has ended", "AbortError");

export class SandboxProcess implements AsyncDisposable {
  readonly secret: string;
  readonly nonce = randomName(16);
  /** Version of the module that programs import; undefined until the process requests its loader. */
  version: number | undefined;
  /** Resolves when the loader waits for a program; rejects when the process dies before that. */
  readonly ready: Promise<void>;
  /** Resolves when the process is dead and all of its output has been read. */
  readonly dead: Promise<Deno.CommandStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: BatchWriter;
  readonly #loaderLine: () => Uint8Array;
  readonly #started = Promise.withResolvers<void>();
  readonly #exited: Promise<void>;
  readonly #closed = new AbortController();
  readonly #budget = new Budget((reason) => {
    this.kill();
    this.#sinks?.overrun(reason);
  });
  #sinks: ProcessSinks | undefined;
  #lastWords = "";
  /** Control word that is next in the start of the process. A program can forge it. */
  #expected: "loader" | "ready" | undefined = "loader";
  #alive = true;
  #killTimer: ReturnType<typeof setTimeout> | undefined;

  /** `loaderLine` is called when the process has started; returns the line with its loader. */
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
      clearTimeout(this.#killTimer);
      this.#closed.abort(ENDED);
      await read;
      return status;
    });
    this.#exited = this.dead.then(() => Deno.remove(folder, { recursive: true })).catch(() => {
      // Nothing of value is in it, and the sandbox removes the folder above at its end.
    });
    this.#watchStart();
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** True while requests of the process are served. */
  get isOpen(): boolean {
    return this.#alive && !this.#closed.signal.aborted;
  }

  /** The end of its stderr. */
  get lastWords(): string {
    return this.#lastWords;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Passes all output and requests of the process to `sinks` from now on. */
  attach(sinks: ProcessSinks): void {
    this.#sinks = sinks;
  }

  /** Writes to the loader's stdin. Drops everything once too much is unread. */
  async send(part: string | Uint8Array): Promise<void> {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    const size = bytes.length;
    if (!this.#budget.reserve("unread", size)) return;
    try {
      await this.#stdin.write(bytes);
    } catch {
      // The process is dead: `dead` has resolved.
    } finally {
      this.#budget.release("unread", size);
    }
  }

  /** Sends a frame: what it is, and its bytes. */
  sendFrame(head: string, bytes: Uint8Array): Promise<void> {
    void this.send(`${head} ${bytes.length}\n`);
    return this.send(bytes);
  }

  /** Admits a request below `/r/<secret>/`; undefined when the process may make no request, or no
   * further one. */
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

  /** Refuses further requests at once, and kills the process when that delays no reply. */
  killLater(): void {
    this.#closed.abort(ENDED);
    this.#killTimer ??= setTimeout(() => this.kill(), KILL_DELAY_MS);
  }

  kill(): void {
    if (!this.#alive) return;
    this.#closed.abort(ENDED);
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // Died a moment ago.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    await this.#exited;
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
      // A broken pipe has ended, too.
    }
    reader.end();
  }

  /** Handles a control word, which the program itself may have written: the nonce is no proof. */
  #word(stream: "stdout" | "stderr", word: string): void {
    if (this.#closed.signal.aborted && this.#alive) return;
    const [, id, line, column, name = "", body = ""] = CALL.exec(word) ?? [];
    if (id !== undefined) {
      const from = line === undefined ? undefined : { line: Number(line), column: Number(column) };
      return this.#call(id, { name: copyOf(name), body, from });
    }
    if (!this.#budget.reserve("words", 1)) return;
    if (word === this.#expected) this.#proceed(word);
    else this.#sinks?.word(stream, word);
  }

  #proceed(word: "loader" | "ready"): void {
    this.#expected = word === "loader" ? "ready" : undefined;
    if (word === "loader") void this.send(this.#loaderLine());
    else this.#started.resolve();
  }

  /** Answers `call <id>@<place> <name> <body>` with `<id> <status> <bytes>\n<body>`. */
  #call(id: string, call: SandboxCall): void {
    const size = call.body.length;
    if (!this.isOpen || !this.#budget.reserve("sent", size)) return;
    const answering = this.#sinks?.called(call) ?? Promise.resolve(UNANSWERED);
    void answering.catch(() => UNWRITTEN).then((answer) => {
      this.#budget.release("sent", size);
      if (!this.isOpen) return;
      return this.sendFrame(`${id} ${answer.status}`, encoder.encode(answer.body));
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
      const reason = conceal(this.#lastWords, this.secret).trim().split("\n")[0] ?? "";
      this.#started.reject(
        new SandboxError(
          "unavailable",
          `Cannot start a sandbox process: it ended with ${
            status.signal ?? status.code
          }: ${reason}`,
        ),
      );
    });
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const CALL = new RegExp(
  `^call (\\d{1,9})@(?:(\\d{1,9}):(\\d{1,9}))? (\\S{1,${LONGEST_NAME}}) (.*)$`,
  "s",
);
/** Answer to a call whose own answer cannot be written. */
const UNWRITTEN: CallAnswer = {
  status: 500,
  body: JSON.stringify({ error: { code: "internal", message: "The answer cannot be written" } }),
};
/** Answer to a call without a handler: the loader's warm-up call, or one made after the run ended. */
const UNANSWERED: CallAnswer = { status: 404, body: "{}" };

/** Copies text to memory of its own: a part of a word would keep the whole word in memory. */
function copyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}

/** Unguessable name: `bytes` random bytes, in letters that are safe in an address. */
export function randomName(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}
