/** One run: a program handed to a process, watched until its outcome is known. */

import { readBounded } from "./body.ts";
import { joinBytes } from "./child/bytes.ts";
import { GO, type HandOver } from "./child/protocol.ts";
import { Clock } from "./clock.ts";
import { outcomeOfDeath } from "./death.ts";
import type { Outcome } from "./outcome.ts";
import type { ProcessSinks, SandboxProcess } from "./process.ts";
import { readReport, readValue, type ReportOptions } from "./report.ts";
import type { CallAnswer, ExecuteOptions, Execution, Limits, SandboxProgram } from "./types.ts";

/** Characters of a program that is loaded sooner than its process is woken: waking it twice, once to
 * load and once to begin, would only keep the type checker from a processor. */
const SHORT = 8_192;
/** How long output may still come after the outcome did. */
const DRAIN_MS = 250;
/** Room for a report: an error's message and stack. */
const REPORT_BYTES = 1_048_576;

export interface RunDeps {
  readonly process: SandboxProcess;
  readonly limits: Limits;
  readonly origin: string;
}

type Stream = "stdout" | "stderr";
type EndPath = "value" | "report";

export class Run implements ProcessSinks {
  readonly #process: SandboxProcess;
  readonly #limits: Limits;
  readonly #base: string;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #drained = Promise.withResolvers<void>();
  readonly #open = new Set<Stream>(["stdout", "stderr"]);
  readonly #clock: Clock;
  #job: { program: SandboxProgram; options: ExecuteOptions } | undefined;
  #isOver = false;
  #hasBegun = false;
  #beforeBegin: Outcome | undefined;
  #outputBytes = 0;
  #exitCode: number | undefined;
  #loadedAt: number | undefined;
  #ending: Promise<void> | undefined;
  #timeoutMs: number;

  constructor(deps: RunDeps) {
    this.#process = deps.process;
    this.#limits = deps.limits;
    this.#base = `${deps.origin}/r/${deps.process.secret}/program/`;
    this.#timeoutMs = deps.limits.timeoutMs;
    this.#clock = new Clock(() => this.end({ kind: "timeout", afterMs: this.#timeoutMs }));
  }

  async execute(program: SandboxProgram, options: ExecuteOptions): Promise<Execution> {
    if (this.#job) throw new TypeError("Cannot execute: this process had its program");
    this.#job = { program, options };
    this.#timeoutMs = Math.min(options.timeoutMs ?? this.#timeoutMs, this.#limits.timeoutMs);
    const cancel = () => this.end({ kind: "cancelled" });
    options.signal?.addEventListener("abort", cancel);
    if (options.signal?.aborted) cancel();
    try {
      return await this.#execute(program, options);
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      this.#clock[Symbol.dispose]();
      this.#isOver = true;
      this.#process.retire();
    }
  }

  async #execute(program: SandboxProgram, options: ExecuteOptions): Promise<Execution> {
    this.#process.attach(this);
    void this.#watchDeath();
    let handedOverAt: number | undefined;
    let handOver = `${JSON.stringify(this.#handOver(program, options))}\n`;
    if (options.ready) {
      if (handOver.length > SHORT || program.form !== "function") {
        handedOverAt = performance.now();
        void this.#process.send(handOver);
        handOver = "";
      }
      await Promise.race([options.ready, this.#outcome.promise]);
    }
    const begunAt = performance.now();
    this.#begin(handOver);
    const outcome = await this.#outcome.promise;
    const executeMs = performance.now() - begunAt;
    await this.#drain();
    const handOverMs = (this.#loadedAt ?? begunAt) - (handedOverAt ?? begunAt);
    return { outcome, executeMs, handOverMs };
  }

  /** Ends the run with this outcome, if no other reason came first. */
  end(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#process.kill();
    this.#outcome.resolve(outcome);
  }

  pause(): () => void {
    return this.#clock.pause();
  }

  output(stream: Stream, bytes: Uint8Array): void {
    const options = this.#job?.options;
    if (!options || !this.#open.has(stream) || this.#isHeapReport(stream, bytes)) return;
    const room = this.#limits.outputBytes - this.#outputBytes;
    this.#outputBytes += bytes.length;
    if (room > 0) options.onOutput?.(stream, bytes.subarray(0, room));
    if (bytes.length > room) {
      this.end({ kind: "output_limit", bytes: this.#limits.outputBytes });
    }
  }

  word(stream: Stream, word: string): void {
    if (word === "loaded") this.#loadedAt ??= performance.now();
    else if (word === "stdin") void this.#sendInput();
    else if (word === "end") this.#close(stream);
    else if (word === "silent") this.#close("stderr");
    else if (word.startsWith("value ")) this.#said("value", word.slice(6));
    else if (word.startsWith("report ")) this.#said("report", word.slice(7));
    else if (word.startsWith("exit ")) this.#exitCode = Number(word.slice(5));
  }

  called(name: string, body: string): Promise<CallAnswer> | undefined {
    return this.#job?.options.onCall?.(name, body);
  }

  stuck(): void {
    const reason = "It called tools for more than it reads: await the calls, a few at a time";
    this.end({ kind: "crashed", reason });
  }

  posted(path: EndPath, request: Request): Promise<void> {
    const limit = this.#limitOf(path);
    this.#ending ??= readBounded(request, limit).then((text) => this.#take(path, text));
    return this.#ending;
  }

  module(path: string): { readonly text: string; readonly transpile: boolean } | undefined {
    const program = this.#job?.program;
    const text = program?.modules.get(path);
    if (text === undefined) return undefined;
    return { text, transpile: program?.transpile?.has(path) ?? false };
  }

  #handOver(program: SandboxProgram, options: ExecuteOptions): HandOver {
    return {
      entry: program.entry,
      ...(program.form === "function" ? { text: program.modules.get(program.entry) } : {}),
      cwd: options.cwd,
      args: options.args,
      stdin: options.stdin !== undefined,
      blocks: options.stdin !== undefined &&
        [...program.modules.values()].some((text) => text.includes("readSync")),
      outputBytes: this.#limits.outputBytes,
      // A program of one module is wrapped whole; further modules run where they are imported.
      early: program.modules.size === 1,
    };
  }

  /** Says the word to begin, after `first`: in one message they wake the process once. */
  #begin(first: string): void {
    this.#hasBegun = true;
    if (this.#beforeBegin) this.#settle(this.#beforeBegin);
    if (this.#isOver) return;
    void this.#process.send(`${first}${GO}\n`);
    this.#clock.start(this.#timeoutMs);
  }

  /** What the program's process says ends the run, once the run has begun. */
  #settle(outcome: Outcome): void {
    if (!this.#hasBegun) this.#beforeBegin ??= outcome;
    else if (!this.#isOver) {
      this.#isOver = true;
      this.#outcome.resolve(outcome);
    }
  }

  /** An end that came as a word, the last on stdout. */
  #said(path: EndPath, text: string): void {
    this.#close("stdout");
    this.#ending ??= this.#take(path, text.length > this.#limitOf(path) ? undefined : text);
  }

  #limitOf(path: EndPath): number {
    return path === "value" ? this.#limits.outputBytes : REPORT_BYTES;
  }

  /** Takes how the program ended; what is past its limit has no text. */
  async #take(path: EndPath, text: string | undefined): Promise<void> {
    // What was printed before may be past its limit, which is then what ended the run.
    await this.#drain();
    if (text === undefined) this.#settle({ kind: "output_limit", bytes: this.#limitOf(path) });
    else if (path === "value") this.#settle(readValue(text));
    else this.#settle(readReport(text, this.#reportOptions()));
  }

  #reportOptions(): ReportOptions {
    const modules = this.#job?.program.modules ?? new Map();
    return { base: this.#base, limits: this.#limits, modules };
  }

  async #watchDeath(): Promise<void> {
    const status = await this.#process.dead;
    await this.#ending?.catch(() => {
      // Died while it was posting: its death is the outcome.
    });
    this.#settle(outcomeOfDeath({
      status,
      exitCode: this.#exitCode,
      lastWords: this.#process.lastWords,
      limits: this.#limits,
    }));
    this.#drained.resolve();
  }

  async #sendInput(): Promise<void> {
    const bytes = await this.#input();
    if (bytes === undefined) {
      return this.end({ kind: "crashed", reason: "Its input could not be read" });
    }
    if (bytes.length > this.#limits.stdinBytes) {
      return this.end({ kind: "too_large", bytes: this.#limits.stdinBytes });
    }
    await this.#process.send(joinBytes([encoder.encode(`input 200 ${bytes.length}\n`), bytes]));
  }

  /** V8 ends out of memory with a report of its own; the outcome says it better. */
  #isHeapReport(stream: Stream, bytes: Uint8Array): boolean {
    if (stream === "stderr" && startsWith(bytes, HEAP_REPORT)) this.#open.delete("stderr");
    return !this.#open.has(stream);
  }

  async #input(): Promise<Uint8Array | undefined> {
    try {
      return await this.#job?.options.stdin?.() ?? new Uint8Array();
    } catch {
      // Whoever gives the input knows why; the run ends either way.
      return undefined;
    }
  }

  #close(stream: Stream): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#drained.resolve();
  }

  async #drain(): Promise<void> {
    if (this.#open.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, DRAIN_MS));
    await Promise.race([this.#drained.promise, late]);
    clearTimeout(timer);
  }
}

const encoder = new TextEncoder();
const HEAP_REPORT = encoder.encode("\n<--- Last few GCs --->");

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
