/** One run: a program handed to a process and watched until its outcome. */

import { Clock, once } from "#base";
import type { HandOver } from "./child/protocol.ts";
import { outcomeOfDeath } from "./death.ts";
import type { Outcome } from "./outcome.ts";
import type { SandboxProcess } from "./process/process.ts";
import { readReport, readValue } from "./report.ts";
import { BufferedOutput, RunOutput, type Stream } from "./run_output.ts";
import { conceal, concealIn } from "./process/secret_filter.ts";
import type { ProcessSinks, ReadBody } from "./process/sinks.ts";
import type {
  CallAnswer,
  ExecuteOptions,
  Execution,
  Limits,
  SandboxCall,
  SandboxProgram,
} from "./types.ts";

/** Bytes of a report: an error's message and stack. */
const REPORT_BYTES = 1_048_576;

export interface RunDeps {
  readonly process: SandboxProcess;
  readonly limits: Limits;
  readonly origin: string;
}

type EndPath = "value" | "report";

interface Job {
  readonly program: SandboxProgram;
  readonly options: ExecuteOptions;
  readonly timeoutMs: number;
}

/** The reason why the run ends, and the time at which it came. */
interface End {
  readonly outcome: Outcome;
  readonly at: number;
}

/** A run waits for its program, runs it while that is checked, runs it after the check, and has
 * ended. The first end is kept; it takes effect after the check. */
type State =
  | { readonly kind: "waiting"; readonly end?: End }
  | {
    readonly kind: "checking";
    readonly job: Job;
    readonly output: BufferedOutput;
    readonly end?: End;
  }
  | { readonly kind: "running"; readonly job: Job }
  | { readonly kind: "ended"; readonly job?: Job };

export class Run implements ProcessSinks {
  readonly #process: SandboxProcess;
  readonly #limits: Limits;
  /** Address of the folder of the program's modules. */
  readonly #root: string;
  readonly #output: RunOutput;
  readonly #ended = Promise.withResolvers<End>();
  readonly #clock = new Clock(() =>
    this.end({ kind: "timeout", afterMs: this.#job?.timeoutMs ?? this.#limits.timeoutMs })
  );
  readonly #sendInput = once(() => void this.#send());
  #state: State = { kind: "waiting" };
  /** Settled when the end that the program reports has been read. */
  #report: Promise<void> | undefined;
  /** Code that the program passed to `Deno.exit`. */
  #exitCode: number | undefined;

  constructor({ process, limits, origin }: RunDeps) {
    const { secret } = process;
    const maxBytes = limits.outputBytes;
    this.#process = process;
    this.#limits = limits;
    this.#root = `${origin}/r/${secret}/program/`;
    this.#output = new RunOutput({
      secret,
      maxBytes,
      print: (stream, bytes) => this.#print(stream, bytes),
      onOverrun: () => this.end({ kind: "output_limit", bytes: maxBytes }),
    });
  }

  async execute(program: SandboxProgram, options: ExecuteOptions): Promise<Execution> {
    const { timeoutMs } = this.#limits;
    const job = {
      program,
      options,
      timeoutMs: Math.min(options.timeoutMs ?? timeoutMs, timeoutMs),
    };
    this.#begin(job);
    const cancel = () => this.end({ kind: "cancelled" });
    options.signal?.addEventListener("abort", cancel);
    if (options.signal?.aborted) cancel();
    try {
      return await this.#execute(job);
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      this.#clock[Symbol.dispose]();
      this.#state = { kind: "ended", job };
      this.#process.killLater();
    }
  }

  /** Ends the run with this outcome, if no other reason came first. */
  end(outcome: Outcome): void {
    if (this.#state.kind === "ended") return;
    this.#process.kill();
    if (outcome.kind === "cancelled") this.#cancel(outcome);
    else this.#settle(outcome);
  }

  pause(): () => void {
    return this.#clock.pause();
  }

  output(stream: Stream, bytes: Uint8Array): void {
    if (this.#state.kind !== "ended") this.#output.push(stream, bytes);
  }

  word(stream: Stream, word: string): void {
    if (word === "stdin") this.#sendInput();
    else if (word === "end") this.#output.close(stream);
    else if (word === "silent") this.#output.close("stderr");
    else if (word.startsWith("value ")) this.#reported("value", word.slice(6));
    else if (word.startsWith("report ")) this.#reported("report", word.slice(7));
    else if (word === "used") this.#job?.options.onStandInUsed?.();
    else if (EXIT.test(word)) this.#exitCode = Number(word.slice(5)) | 0;
  }

  called(call: SandboxCall): Promise<CallAnswer> | undefined {
    return this.#job?.options.onCall?.(call);
  }

  overrun(reason: string): void {
    this.end({ kind: "crashed", reason });
  }

  posted(path: EndPath, read: ReadBody): Promise<void> | undefined {
    if (this.#report) return undefined;
    return this.#report = read(this.#limitOf(path)).then((text) => this.#readEnd(path, text));
  }

  module(path: string): { readonly text: string; readonly transpile: boolean } | undefined {
    const program = this.#job?.program;
    const text = program?.modules.get(path);
    if (text === undefined) return undefined;
    return { text, transpile: program?.transpile?.has(path) ?? false };
  }

  get #job(): Job | undefined {
    return this.#state.kind === "waiting" ? undefined : this.#state.job;
  }

  #begin(job: Job): void {
    const state = this.#state;
    if (this.#job) throw new TypeError("Cannot execute: a sandbox process runs one program only");
    if (state.kind === "waiting") {
      this.#state = { ...state, kind: "checking", job, output: new BufferedOutput() };
    } else this.#state = { kind: "ended", job };
  }

  async #execute({ program, options }: Job): Promise<Execution> {
    this.#process.attach(this);
    void this.#watchDeath();
    const begunAt = performance.now();
    void this.#process.send(`${JSON.stringify(this.#handOver(program, options))}\n`);
    if (options.ready) await Promise.race([options.ready, this.#ended.promise]);
    this.#release();
    const { outcome, at } = await this.#ended.promise;
    await this.#output.drain();
    return { outcome, executeMs: at - begunAt };
  }

  #handOver(program: SandboxProgram, options: ExecuteOptions): HandOver {
    return {
      address: new URL(`${this.#root}${program.entry}`).href,
      ...(program.form === "function" ? { text: program.modules.get(program.entry) } : {}),
      cwd: options.cwd,
      args: options.args,
      stdin: options.stdin !== undefined,
      blocks: options.stdin !== undefined &&
        [...program.modules.values()].some((text) => text.includes("readSync")),
      traced: options.traced === true,
      outputBytes: this.#limits.outputBytes,
    };
  }

  /** Ends the check: output and end that were held back take effect. */
  #release(): void {
    const state = this.#state;
    if (state.kind !== "checking") return;
    const { job, output, end } = state;
    this.#state = { kind: "running", job };
    output.release((stream, bytes) => job.options.onOutput?.(stream, bytes));
    if (end) this.#finish(end);
    else if (this.#state.kind === "running") this.#clock.start(job.timeoutMs);
  }

  #print(stream: Stream, bytes: Uint8Array): void {
    const state = this.#state;
    if (state.kind === "checking") state.output.add(stream, bytes);
    else if (state.kind === "running") state.job.options.onOutput?.(stream, bytes);
  }

  /** Ends the run with this outcome: at once, or after the check. */
  #settle(outcome: Outcome): void {
    const state = this.#state;
    const end = { outcome, at: performance.now() };
    if (state.kind === "running") this.#finish(end);
    else if (state.kind !== "ended") this.#state = { ...state, end: state.end ?? end };
  }

  /** Ends the run at once. A client that cancels does not wait for the check, and gets nothing that
   * the program did before the check has passed. */
  #cancel(outcome: Outcome): void {
    const state = this.#state;
    if (state.kind !== "running") this.#output.abandon();
    const at = "end" in state && state.end ? state.end.at : performance.now();
    this.#finish({ outcome, at });
  }

  #finish(end: End): void {
    if (this.#state.kind === "ended") return;
    this.#state = { kind: "ended", job: this.#job };
    this.#ended.resolve(end);
  }

  /** Reads an end that came as a word, the last on stdout. */
  #reported(path: EndPath, text: string): void {
    this.#output.close("stdout");
    this.#report ??= this.#readEnd(path, text.length > this.#limitOf(path) ? undefined : text);
  }

  #limitOf(path: EndPath): number {
    return path === "value" ? this.#limits.outputBytes : REPORT_BYTES;
  }

  /** Reads the end of the program; the text is undefined where it is past its limit. */
  async #readEnd(path: EndPath, text: string | undefined): Promise<void> {
    // Output from before may be past its limit, which is then the first reason.
    await this.#output.drain();
    if (text === undefined) this.#settle({ kind: "output_limit", bytes: this.#limitOf(path) });
    else this.#settle(await this.#outcomeOf(path, concealIn(path, text, this.#process.secret)));
  }

  async #outcomeOf(path: EndPath, text: string): Promise<Outcome> {
    if (path === "value") {
      const resume = this.pause(); // The program has ended: reading is no time of its own.
      return await readValue(text).finally(resume);
    }
    const modules = this.#job?.program.modules ?? new Map();
    const base = conceal(this.#root, this.#process.secret);
    return readReport(text, { base, limits: this.#limits, modules });
  }

  async #watchDeath(): Promise<void> {
    const status = await this.#process.dead;
    await this.#report?.catch(() => {
      // Died while it posted its end: the death is the outcome.
    });
    this.#output.closeAll();
    this.#settle(outcomeOfDeath({
      status,
      exitCode: this.#exitCode,
      lastWords: this.#process.lastWords,
      limits: this.#limits,
    }));
  }

  async #send(): Promise<void> {
    const { stdinBytes } = this.#limits;
    const bytes = await this.#input();
    if (bytes === undefined) {
      return this.end({ kind: "crashed", reason: "Its input could not be read" });
    }
    if (bytes.length > stdinBytes) return this.end({ kind: "too_large", bytes: stdinBytes });
    await this.#process.sendFrame("input 200", bytes);
  }

  async #input(): Promise<Uint8Array | undefined> {
    const { ready, stdin } = this.#job?.options ?? {};
    try {
      await ready;
      return await stdin?.() ?? new Uint8Array();
    } catch {
      // The source of the input knows why; the run ends either way.
      return undefined;
    }
  }
}

const EXIT = /^exit -?\d{1,10}$/;
