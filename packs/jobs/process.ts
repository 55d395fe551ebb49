/** One process that runs jobs, one at a time. It keeps their work and memory out of the gateway: it
 * can be killed at any time, and if it runs out of memory, it ends alone. */

import { attempt, ChunkReader, findProgram, withinMemory } from "#base";
import { dirname, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { PackError } from "../errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { Tail } from "../process/tail.ts";
import { FrameReader, toFrame } from "./frames.ts";
import type { Job, JobAnswer, JobMessage } from "./protocol.ts";

/** Time after the deadline at which the worker abandons the job itself: the gateway may have ended. */
const GIVE_UP_MS = 250;
/** Time limit for loading a worker, which a busy machine makes slow. */
const LOAD_MS = 60_000;
/** Memory beside the heap, MB: Deno reserves 560, and compiled expressions need some. */
const BESIDE_HEAP_MB = 1_024;
/** Signals with which the engine ends when it runs out of memory. */
const OUT_OF_MEMORY = new Set(["SIGABRT", "SIGTRAP"]);
/** Size of the engine's last output, which has a stack. */
const STDERR_BYTES = 16_384;

/** Root of the program. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** In the npm package the program is JavaScript, and its packages lie beside it; else the lock file names
 * them, and they are loaded when they are missing. */
const PACKAGES = import.meta.url.endsWith(".js")
  ? ["--no-config", "--no-lock", "--cached-only", "--node-modules-dir=manual"]
  : [`--config=${ROOT}deno.json`];
const CLOSED = ["--no-prompt", "--no-check", "--no-remote"];

export interface JobProcessOptions {
  readonly module: URL;
  /** Limit of the heap. */
  readonly memoryMb: number;
  /** Characters of a result as JSON. */
  readonly maxResult: number;
  /** True for jobs that read files. To see where an open file lies takes all permissions on Linux. */
  readonly readsFiles?: boolean;
}

export interface JobOptions {
  /** The work, for errors: `evaluate the pattern`. */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Way out for a job that exceeds its time limit. */
  readonly advice?: string;
  /** Bytes that the job finds as `bytes` of its input. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export type JobResult =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "json"; readonly text: string };

/** An answer with the text of its bytes. */
interface Answer {
  readonly head: JobAnswer;
  readonly text: string;
}

/** Starts at construction. */
export class JobProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #options: JobProcessOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #errors = new Tail(STDERR_BYTES);
  readonly #ended: Promise<void>;
  #job: PromiseWithResolvers<Answer> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAlive = true;
  /** True if the process ran out of memory. */
  #hasOverrun = false;

  constructor(options: JobProcessOptions) {
    this.#options = options;
    this.#child = start(options);
    this.#input = this.#child.stdin.getWriter();
    this.#ready.promise.catch(() => {});
    this.#ended = this.#follow();
  }

  /** True until it has ended, or is about to. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Runs one job. Throws `PackError`. */
  async run(
    job: Job,
    { what, signal, timeoutMs, advice, bytes }: JobOptions,
  ): Promise<JobResult> {
    const begun = Promise.withResolvers<Answer>();
    begun.promise.catch(() => {});
    this.#job = begun;
    const failed = (code: "timeout" | "cancelled", why: string) =>
      new PackError(code, `Cannot ${what}: ${why}`);
    const late = () => failed("timeout", slow(timeoutMs, advice));
    const tooSlow = () => begun.reject(late());
    const cancel = () => begun.reject(failed("cancelled", "the run has ended"));
    signal.addEventListener("abort", cancel, { once: true });
    let timer = setTimeout(tooSlow, timeoutMs + LOAD_MS);
    try {
      await Promise.race([this.#ready.promise, begun.promise]);
      clearTimeout(timer);
      timer = setTimeout(tooSlow, timeoutMs);
      const { maxResult } = this.#options;
      const message: JobMessage = {
        ...job,
        timeoutMs: timeoutMs + GIVE_UP_MS,
        maxResult,
        hasBytes: bytes !== undefined,
      };
      // A process that has ended reads nothing: its end is the answer.
      for (const piece of toFrame(message, bytes)) this.#input.write(piece).catch(() => {});
      const answer = await begun.promise;
      // The worker abandons the job first if the gateway was busy meanwhile.
      if (answer.head.kind === "late") throw late();
      return resultOf(answer, what);
    } catch (error) {
      if (error instanceof PackError && error.code === "tool_error") throw error;
      await this[Symbol.asyncDispose]();
      throw error instanceof PackError ? error : this.#broken(error, what);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      this.#job = undefined;
    }
  }

  /** Ends after `idleMs` without a job. */
  rest(idleMs: number, onEnd: () => void): void {
    const timer = setTimeout(() => {
      onEnd();
      void this[Symbol.asyncDispose]();
    }, idleMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  wake(): void {
    clearTimeout(this.#timer);
  }

  /** Kills the process, and waits until it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isAlive = false;
    this.#kill();
    clearTimeout(this.#timer);
    await this.#ended;
  }

  /** Passes on what the process sends, until it has ended. */
  async #follow(): Promise<void> {
    const errors = this.#errors.follow(new ChunkReader(this.#child.stderr));
    // What is no message ends it: nothing behind it could be read.
    await this.#read().catch(() => this.#kill());
    this.#isAlive = false;
    const [{ signal }] = await Promise.all([
      this.#child.status,
      errors,
      this.#input.close().catch(() => {}),
    ]);
    this.#hasOverrun = OUT_OF_MEMORY.has(signal ?? "") || /out of memory/.test(this.#errors.text);
    const error = new Error(`The worker has ended: ${this.#errors.text}`);
    this.#ready.reject(error);
    this.#job?.reject(error);
  }

  async #read(): Promise<void> {
    const frames = new FrameReader(new ChunkReader(this.#child.stdout));
    for (let frame = await frames.next(); frame; frame = await frames.next()) {
      const head = frame.head as JobAnswer;
      if (head.kind === "ready") this.#ready.resolve();
      else this.#job?.resolve({ head, text: new TextDecoder().decode(frame.bytes) });
    }
  }

  /** Without effect where it has ended. */
  #kill(): void {
    attempt(() => this.#child.kill("SIGKILL"));
  }

  #broken(error: unknown, what: string): PackError {
    if (this.#hasOverrun) {
      const { memoryMb } = this.#options;
      const room = `it took more than ${memoryMb} MB of memory: give it less at once`;
      return new PackError("too_large", `Cannot ${what}: ${room}`, { cause: error });
    }
    return new PackError("internal", `Cannot ${what}: its worker has ended`, {
      cause: error,
      retryable: true,
    });
  }
}

function start({ module, memoryMb, readsFiles }: JobProcessOptions): Deno.ChildProcess {
  const deno = Deno.execPath();
  // A session of its own: Ctrl-C at the terminal is for the gateway.
  const setsid = findProgram("setsid");
  const limited = withinMemory(deno, (memoryMb + BESIDE_HEAP_MB) * 2 ** 20);
  const [command, ...words] = setsid === undefined ? limited : [setsid, ...limited] as const;
  const flags = [`--max-old-space-size=${memoryMb}`, "--max-semi-space-size=4"];
  // What may do anything compiles no text: a library that reads hostile input runs none of it.
  if (readsFiles) flags.push("--disallow-code-generation-from-strings");
  // Some packages read variables; there are only those that a program needs to start.
  const permission = readsFiles ? "--allow-all" : "--allow-env";
  const v8 = `--v8-flags=${flags.join(",")}`;
  const args = ["run", "--quiet", ...CLOSED, ...PACKAGES, v8, permission];
  return new Deno.Command(command, {
    args: [...words, ...args, fileURLToPath(module)],
    clearEnv: true,
    env: { ...childEnvironment(Deno.env.toObject(), {}), NO_COLOR: "1" },
    cwd: parse(dirname(deno)).root,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: setsid === undefined,
  }).spawn();
}

function resultOf({ head, text }: Answer, what: string): JobResult {
  if (head.kind === "json") return { kind: "json", text };
  if (head.kind === "text") return { kind: "value", value: text };
  if (head.kind === "done") return { kind: "value", value: head.value };
  const why = "message" in head ? head.message : "its worker sent an unexpected message";
  throw new PackError("tool_error", `Cannot ${what}: ${why}`);
}

function slow(timeoutMs: number, advice: string | undefined): string {
  const limit = `it took longer than ${timeoutMs / 1_000} s`;
  return advice === undefined ? limit : `${limit}: ${advice}`;
}
