/** Extension pack in its own process (WRK-01 to WRK-06, WRK-13, WRK-14). */

import { abortable, type JsonValue, Listeners, sleep, untraced, within } from "#base";
import type { InnerCall } from "../registry/call_within.ts";
import { PackError } from "../errors.ts";
import { Lifeline } from "../process/lifeline.ts";
import type { Args, CallOptions, CallResult, Pack, PackStatus, ToolSpec } from "../types.ts";
import { UNTRUSTED, untrustedError, untrustedProblem } from "../registry/untrusted.ts";
import { callFailure, PackUnusable } from "./failure.ts";
import { type ClosedNow, createClosedNow } from "./process/closed_now.ts";
import { openWorker } from "./process/open_worker.ts";
import { PackSource, type PackSourceDeps } from "./describe/pack_source.ts";
import type { PackFile, PackFinding, PackSettings } from "./types.ts";
import type { WorkerProcess } from "./process/worker_process.ts";

/** Calls a tool as a part of another call. */
export type CallAnother = (request: InnerCall, options: CallOptions) => Promise<CallResult>;

export interface WorkerPackDeps extends Omit<PackSourceDeps, "onChange"> {
  readonly callAnother: CallAnother;
}

export interface WorkerPackOptions {
  readonly settings: PackSettings;
  readonly deps: WorkerPackDeps;
}

/** A pack from a file of the user. */
export interface WorkerPack extends Pack {
  /** Describes the pack in the background where necessary, and watches its file. */
  start(): void;
  /** Starts the process and loads the file; errors become findings. */
  load(): Promise<void>;
  /** Problems, with file and line. */
  findings(): readonly PackFinding[];
  /** Reason why the pack is unusable. */
  problem(): string | null;
}

/** Time for an abandoned call to end by itself. */
const LATE_MS = 2_000;
const DISTRUSTED = "its files are no longer those that were trusted";

/** Makes the pack of one file. Its process starts with the first call.
 *
 * @example
 * ```ts ignore
 * await using pack = createWorkerPack(file, { settings, deps });
 * pack.start();
 * await pack.settle();
 * const { value } = await pack.call("forecast", { city: "Wien" }, {});
 * ```
 */
export function createWorkerPack(
  file: PackFile,
  options: WorkerPackOptions,
): WorkerPack {
  return new ProcessPack(file, options);
}

interface ToolCall {
  readonly tool: string;
  readonly args: Args;
  /** Receives the error of each call within it that a look refuses. */
  readonly onRefused: (error: PackError) => void;
}

class ProcessPack implements WorkerPack {
  readonly name: string;
  readonly source = "worker";
  readonly #file: PackFile;
  readonly #settings: PackSettings;
  readonly #deps: WorkerPackDeps;
  readonly #life: Lifeline<WorkerProcess>;
  readonly #source: PackSource;
  readonly #closedNow: ClosedNow;
  /** Names that were closed when the process was started. */
  #closed = "";
  readonly #listeners = new Listeners();
  readonly onChange = this.#listeners.add;

  constructor(
    file: PackFile,
    { settings, deps }: WorkerPackOptions,
  ) {
    this.name = file.name;
    this.#file = file;
    this.#settings = settings;
    this.#deps = deps;
    this.#closedNow = createClosedNow(file, { granted: settings.granted, deps });
    const onChange = () => this.#changed();
    this.#life = new Lifeline({
      open: (signal) => this.#open(signal),
      close: (worker, reason) => worker.end(reason),
      ended: (worker) => worker.ended,
      onChange: () => this.#lifeChanged(),
      idleMs: settings.idleMs,
    });
    this.#source = new PackSource(file, {
      settings,
      deps: { ...deps, onChange },
      onReplaced: () => this.#life.retire(),
      onDistrusted: () => this.#life.cut(DISTRUSTED),
      ask: (signal) => this.#ask(signal),
    });
  }

  tools(): readonly ToolSpec[] {
    return this.#source.specs;
  }

  findings(): readonly PackFinding[] {
    return this.#source.findings;
  }

  problem(): string | null {
    return this.#source.isTrusted ? this.#source.problem : untrustedProblem();
  }

  status(): PackStatus {
    const transport = "worker";
    if (!this.#settings.enabled) return { state: "disabled", transport, error: null };
    if (!this.#source.isTrusted) return { state: "untrusted", transport, error: UNTRUSTED };
    const { isDescribed: isKnown, phrase } = this.#source;
    if (phrase !== null) return { state: "disconnected", transport, error: phrase };
    if (!isKnown) return { state: "connecting", transport, error: null };
    const { kind } = this.#life.state;
    const isActive = kind === "connecting" || kind === "connected";
    return { state: isActive ? kind : "idle", transport, error: null };
  }

  start(): void {
    if (this.#settings.enabled) this.#source.start();
  }

  restart(): void {
    this.#life.retire();
    this.start();
  }

  async settle(): Promise<void> {
    if (!this.#settings.enabled) return;
    this.#source.start();
    await this.#source.settle();
  }

  async load(): Promise<void> {
    const { signal } = new AbortController();
    // The error is among the findings.
    await this.#source.current(signal).then(() => this.#ask(signal)).catch(() => {});
  }

  async call(tool: string, args: Args, options: CallOptions): Promise<CallResult> {
    const { signal = new AbortController().signal } = options;
    const name = `${this.name}.${tool}`;
    if (!this.#settings.enabled) {
      throw new PackError("unavailable", `Cannot call "${name}": disabled in the config`, {
        tool: name,
        details: { reason: "disabled in the config" },
      });
    }
    let worker: WorkerProcess | undefined;
    let refused: PackError | undefined;
    try {
      await this.#source.current(signal);
      if (!this.#source.isTrusted) throw untrustedError(this.name, name);
      await this.#renew(signal);
      worker = await this.#life.acquire(signal);
      const onRefused = (error: PackError) => refused = error;
      const value = await this.#send(worker, { tool, args, onRefused }, options);
      this.#life.sound();
      return { value: value as JsonValue };
    } catch (error) {
      if (!(error instanceof PackError) && error instanceof Error && error.name === "WorkerFault") {
        this.#life.sound();
      }
      throw callFailure(error, {
        file: this.#file,
        hasHeader: this.#source.header !== undefined,
        tool: name,
        timeoutMs: this.#settings.timeoutMs,
        signal: options.signal,
        stderr: worker?.stderr ?? "",
        refused,
      });
    } finally {
      if (worker) this.#life.release(worker);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      this.#source[Symbol.asyncDispose](),
      this.#life[Symbol.asyncDispose](),
    ]);
  }

  #send(
    worker: WorkerProcess,
    { tool, args, onRefused }: ToolCall,
    options: CallOptions,
  ): Promise<unknown> {
    const limit = AbortSignal.timeout(this.#settings.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const form = this.#source.formOf(tool);
    const lane = laneOf(options);
    return worker.call({ tool, arguments: args, lane, ...(form ? { form } : {}) }, {
      onProgress: (params) => reportProgress(params, options),
      onCall: (params) =>
        this.#callAnother(params, { ...options, signal, readsOn: worker.readsOn }).catch(
          (error: unknown) => {
            if (error instanceof PackError && error.code === "read_only") onRefused(error);
            throw error;
          },
        ),
    }, { signal, onLate: (ended) => void this.#late(worker, ended) });
  }

  async #callAnother(params: Record<string, unknown>, options: CallOptions): Promise<unknown> {
    const { pack, tool, arguments: args } = params;
    const request = { pack: String(pack), tool: String(tool), arguments: args };
    return (await this.#deps.callAnother(request, options)).value;
  }

  /** Replaces the process where an abandoned call goes on. The other calls of the process may end,
   * unless it does not respond. A program may abandon calls often, so few processes are kept. */
  async #late(worker: WorkerProcess, ended: Promise<unknown>): Promise<void> {
    if (await within(ended, LATE_MS)) return;
    this.#life.retireIfFew(worker);
    if (!await worker.answers()) await worker.end("it no longer answered");
  }

  /** Gives calls a new process where other links must be closed: those of a process stay as they were
   * at its start. */
  async #renew(signal: AbortSignal): Promise<void> {
    if (this.#file.language === "python") return;
    // An error is that of the next start.
    const names = this.#closedNow(this.#source.header).then(JSON.stringify, () => undefined);
    if (await abortable(names, signal) !== this.#closed) this.#life.retire();
  }

  async #open(signal: AbortSignal): Promise<WorkerProcess> {
    await sleep(this.#life.dueMs(1), signal); // no delay after the first crash
    const { header } = this.#source;
    const closedNow = this.#closedNow;
    const pack = { file: this.#file, header, settings: this.#settings, closedNow };
    try {
      const { tracer = untraced } = this.#deps;
      if (!this.#source.checkTrust()) throw untrustedError(this.name);
      const start = () => openWorker(pack, { deps: this.#deps, signal });
      const opened = await tracer.span("worker.start", { pack: this.name }, start);
      const { worker, tools, closed } = opened;
      if (!this.#source.isTrusted) {
        await worker.end(DISTRUSTED);
        throw untrustedError(this.name);
      }
      this.#closed = JSON.stringify(closed) ?? "";
      this.#source.opened(tools);
      return worker;
    } catch (error) {
      if (error instanceof PackUnusable) this.#source.failed(error);
      throw error;
    }
  }

  /** Starts the process to describe the pack, and ends it unless it has calls. */
  async #ask(signal: AbortSignal): Promise<void> {
    const worker = await this.#life.acquire(signal);
    this.#life.release(worker);
    this.#life.rest();
  }

  #lifeChanged(): void {
    const { state } = this.#life;
    if (state.kind === "lost") {
      const facts = { pack: this.name, stderr: state.resource.stderr.slice(-2_000) };
      this.#deps.log("warning", `A pack's process is gone: ${state.reason}`, facts);
    }
    this.#changed();
  }

  #changed(): void {
    this.#listeners.tell();
  }
}

/** Name of the calls that share threads of a Python pack: those of one run at one depth. */
function laneOf({ depth = 0, origin: { run, client = "" } = {} }: CallOptions): string {
  return `${depth} ${run ?? client}`;
}

function reportProgress(params: Record<string, unknown>, { onProgress }: CallOptions): void {
  const { progress, total, message } = params;
  if (typeof progress !== "number") return;
  onProgress?.({
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  });
}
