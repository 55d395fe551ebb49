/** One run: a program handed to a process, watched until its outcome is known. */

import { ByteBuffer } from "./byte_buffer.ts";
import type { HandOver } from "./child/protocol.ts";
import { Clock } from "./clock.ts";
import { outcomeOfDeath } from "./death.ts";
import type { Outcome } from "./outcome.ts";
import type { SandboxProcess } from "./process.ts";
import { readReport, readValue } from "./report.ts";
import { conceal, concealIn, filterOf, type SecretFilter } from "./secret_filter.ts";
import type { ProcessSinks, ReadPosted } from "./sinks.ts";
import type { CallAnswer, ExecuteOptions, Execution, Limits, SandboxProgram } from "./types.ts";

/** How long output may still come after the outcome did. */
const DRAIN_MS = 250;
/** Changes between stdout and stderr that are kept in order while output waits. */
const MOST_TURNS = 1_000;
/** Room for a report: an error's message and stack. */
const REPORT_BYTES = 1_048_576;

export interface RunDeps {
  readonly process: SandboxProcess;
  readonly limits: Limits;
  readonly origin: string;
}

type Stream = "stdout" | "stderr";
type EndPath = "value" | "report";

interface HeldOutput {
  readonly stream: Stream;
  readonly bytes: ByteBuffer;
}

export class Run implements ProcessSinks {
  readonly #process: SandboxProcess;
  readonly #limits: Limits;
  readonly #base: string;
  readonly #filters: Readonly<Record<Stream, SecretFilter>>;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #drained = Promise.withResolvers<void>();
  readonly #open = new Set<Stream>(["stdout", "stderr"]);
  readonly #clock: Clock;
  #job: { program: SandboxProgram; options: ExecuteOptions } | undefined;
  #isOver = false;
  /** What waits until the program is known to be right. */
  #held: { outcome?: Outcome; readonly output: HeldOutput[] } | undefined = {
    output: [],
  };
  #knownAt: number | undefined;
  #outputBytes = 0;
  #exitCode: number | undefined;
  #ending: Promise<void> | undefined;
  #hasInput = false;
  #timeoutMs: number;

  constructor(deps: RunDeps) {
    this.#process = deps.process;
    this.#limits = deps.limits;
    const { secret } = deps.process;
    this.#base = conceal(`${deps.origin}/r/${secret}/program/`, secret);
    this.#filters = { stdout: filterOf("stdout", secret), stderr: filterOf("stderr", secret) };
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
    const begunAt = performance.now();
    void this.#process.send(`${JSON.stringify(this.#handOver(program, options))}\n`);
    if (options.ready) await Promise.race([options.ready, this.#outcome.promise]);
    this.#release();
    const outcome = await this.#outcome.promise;
    const executeMs = (this.#knownAt ?? performance.now()) - begunAt;
    await this.#drain();
    return { outcome, executeMs };
  }

  /** Ends the run with this outcome, if no other reason came first. */
  end(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#process.kill();
    if (outcome.kind === "cancelled" && this.#held) {
      // Whoever cancelled does not wait for the type check: what came before it stays unsaid.
      this.#held = undefined;
      this.#open.clear();
      this.#drained.resolve();
    }
    this.#settle(outcome);
  }

  pause(): () => void {
    return this.#clock.pause();
  }

  output(stream: Stream, bytes: Uint8Array): void {
    const options = this.#job?.options;
    if (this.#isOver || !options || !this.#open.has(stream)) return;
    if (!this.#isHeapReport(stream, bytes)) this.#tell(stream, this.#filters[stream].push(bytes));
  }

  #tell(stream: Stream, bytes: Uint8Array): void {
    const room = this.#limits.outputBytes - this.#outputBytes;
    this.#outputBytes += bytes.length;
    if (room > 0 && bytes.length > 0) this.#print(stream, bytes.subarray(0, room));
    if (bytes.length > room) {
      this.end({ kind: "output_limit", bytes: this.#limits.outputBytes });
    }
  }

  word(stream: Stream, word: string): void {
    if (word === "stdin") void this.#sendInput();
    else if (word === "end") this.#close(stream);
    else if (word === "silent") this.#close("stderr");
    else if (word.startsWith("value ")) this.#said("value", word.slice(6));
    else if (word.startsWith("report ")) this.#said("report", word.slice(7));
    else if (EXIT.test(word)) this.#exitCode = Number(word.slice(5)) | 0;
  }

  called(name: string, body: string): Promise<CallAnswer> | undefined {
    return this.#job?.options.onCall?.(name, body);
  }

  overrun(reason: string): void {
    this.end({ kind: "crashed", reason });
  }

  posted(path: EndPath, read: ReadPosted): Promise<void> | undefined {
    if (this.#ending) return undefined;
    return this.#ending = read(this.#limitOf(path)).then((text) => this.#take(path, text));
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
    };
  }

  /** The program is right: what it did meanwhile counts. */
  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const { stream, bytes } of held?.output ?? []) this.#print(stream, bytes.bytes());
    if (held?.outcome) this.#settle(held.outcome);
    if (!this.#isOver) this.#clock.start(this.#timeoutMs);
  }

  /** Keeps output while it must wait, else passes it on. */
  #print(stream: Stream, bytes: Uint8Array): void {
    if (!this.#held) return this.#job?.options.onOutput?.(stream, bytes);
    const { output } = this.#held;
    const isTurn = output.at(-1)?.stream !== stream && output.length < MOST_TURNS;
    if (isTurn) output.push({ stream, bytes: new ByteBuffer() });
    output.findLast((held) => held.stream === stream)?.bytes.add(bytes);
  }

  /** What ends the run, once the program is known to be right. */
  #settle(outcome: Outcome): void {
    this.#knownAt ??= performance.now();
    if (this.#held) this.#held.outcome ??= outcome;
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
    else this.#settle(this.#read(path, concealIn(path, text, this.#process.secret)));
  }

  #read(path: EndPath, text: string): Outcome {
    if (path === "value") return readValue(text);
    const modules = this.#job?.program.modules ?? new Map();
    return readReport(text, { base: this.#base, limits: this.#limits, modules });
  }

  async #watchDeath(): Promise<void> {
    const status = await this.#process.dead;
    await this.#ending?.catch(() => {
      // Died while it was posting: its death is the outcome.
    });
    for (const stream of this.#open) this.#tellRest(stream);
    this.#settle(outcomeOfDeath({
      status,
      exitCode: this.#exitCode,
      lastWords: this.#process.lastWords,
      limits: this.#limits,
    }));
    this.#drained.resolve();
  }

  async #sendInput(): Promise<void> {
    if (this.#hasInput) return;
    this.#hasInput = true;
    const bytes = await this.#input();
    if (bytes === undefined) {
      return this.end({ kind: "crashed", reason: "Its input could not be read" });
    }
    if (bytes.length > this.#limits.stdinBytes) {
      return this.end({ kind: "too_large", bytes: this.#limits.stdinBytes });
    }
    await this.#process.send(`input 200 ${bytes.length}\n`, bytes);
  }

  /** V8 ends out of memory with a report of its own; the outcome says it better. */
  #isHeapReport(stream: Stream, bytes: Uint8Array): boolean {
    if (stream === "stderr" && startsWith(bytes, HEAP_REPORT)) this.#open.delete("stderr");
    return !this.#open.has(stream);
  }

  async #input(): Promise<Uint8Array | undefined> {
    const { ready, stdin } = this.#job?.options ?? {};
    try {
      await ready;
      return await stdin?.() ?? new Uint8Array();
    } catch {
      // Whoever gives the input knows why; the run ends either way.
      return undefined;
    }
  }

  #close(stream: Stream): void {
    if (this.#open.delete(stream)) this.#tellRest(stream);
    if (this.#open.size === 0) this.#drained.resolve();
  }

  #tellRest(stream: Stream): void {
    if (!this.#isOver) this.#tell(stream, this.#filters[stream].end());
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
const EXIT = /^exit -?\d{1,10}$/;
const HEAP_REPORT = encoder.encode("\n<--- Last few GCs --->");

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
