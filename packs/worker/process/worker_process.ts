/** One process of a pack: start, requests, end. */

import { abortable, attempt, ChunkReader, type Log, within } from "#base";
import { Tail } from "../../process/tail.ts";
import { type GroupCommand, type ProcessGroup, startGroup } from "../../process/process_group.ts";
import type { Watcher } from "../../process/watcher.ts";
import { Channel } from "./channel.ts";

export interface WorkerDeps {
  readonly pack: string;
  readonly watcher: Watcher;
  readonly log: Log;
  /** Longest line; the worker keeps its responses below that. */
  readonly maxLineBytes: number;
}

export interface CallHandlers {
  readonly onProgress?: (params: Record<string, unknown>) => void;
  /** Calls another tool as a part of this call. */
  readonly onCall: (params: Record<string, unknown>) => Promise<unknown>;
}

const STDERR_BYTES = 8_192;
const LOGGED_RUBBISH = 20;
const PONG_MS = 5_000;
/** Time for output in the pipe to arrive after the end of a process. */
const DRAIN_MS = 300;

export class WorkerProcess implements AsyncDisposable {
  readonly #deps: WorkerDeps;
  readonly #group: ProcessGroup;
  readonly #channel: Channel;
  readonly #tail = new Tail(STDERR_BYTES);
  readonly #readers: readonly ChunkReader[];
  readonly #calls = new Map<string, CallHandlers>();
  #rubbish = 0;
  #ending: Promise<void> | undefined;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;

  /** Throws the system's error when the command cannot be started. */
  constructor(command: GroupCommand, deps: WorkerDeps) {
    this.#deps = deps;
    this.#group = startGroup(command, deps.watcher);
    const stdout = new ChunkReader(this.#group.stdout);
    const stderr = new ChunkReader(this.#group.stderr);
    this.#readers = [stdout, stderr];
    void this.#tail.follow(stderr).catch(() => {}); // the pipe breaks when the group is ended
    this.#channel = new Channel({
      stdin: this.#group.stdin,
      stdout,
      maxLineBytes: deps.maxLineBytes,
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params) => this.#answerCall(method, params),
      onRubbish: (line) => this.#wrote(line),
    });
    this.ended = this.#follow();
  }

  get pid(): number {
    return this.#group.pid;
  }

  /** Last part of its stderr. */
  get stderr(): string {
    return this.#tail.text;
  }

  /** Resolves once the process has read most of what was sent to it. */
  readonly readsOn = () => this.#channel.readsOn();

  /** Number of unanswered calls, abandoned ones included. */
  get busy(): number {
    return this.#calls.size;
  }

  /** Sends a request other than a call. Rejects with `WorkerFault`, `WorkerEnded` or the signal's
   * reason. */
  async request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const { id, answer } = this.#channel.request(method, params);
    return await abortable(answer, signal).finally(() => this.#channel.forget(id));
  }

  /** Sends a call. When `signal` is aborted, cancels the call and passes `onLate` a promise that
   * resolves when the call has ended. */
  async call(params: object, handlers: CallHandlers, options: {
    readonly signal: AbortSignal;
    readonly onLate: (ended: Promise<unknown>) => void;
  }): Promise<unknown> {
    const { id, answer } = this.#channel.request("call", params);
    this.#calls.set(id, handlers);
    const over = answer.catch(() => {}).then(() => this.#calls.delete(id));
    const { signal } = options;
    const onAbort = () => {
      this.#channel.notify("cancel", { id });
      options.onLate(over);
      return signal.reason;
    };
    return await abortable(answer, signal, { onAbort });
  }

  /** Resolves to true when the process responds. */
  async answers(): Promise<boolean> {
    // Any failure counts as no response.
    return await attempt(
      async () => await this.request("ping", {}, AbortSignal.timeout(PONG_MS)) === "pong",
      false,
    );
  }

  /** Ends the process; pending requests reject with the reason. */
  end(reason: string): Promise<void> {
    this.#channel.fail(reason);
    return this.#ending ??= this.#end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end("the gateway is ending");
  }

  async #end(): Promise<void> {
    // It exits when its stdin is closed; otherwise its group is ended.
    this.#channel.closeInput();
    await this.#group[Symbol.asyncDispose]();
    for (const reader of this.#readers) void reader.cancel().catch(() => {});
  }

  async #follow(): Promise<string> {
    void this.#channel.closed.then(async () => {
      if (!await within(this.#group.status, DRAIN_MS)) await this.end("it closed its stdout");
    });
    const { code, signal } = await this.#group.status;
    await within(this.#channel.closed, DRAIN_MS);
    const reason = signal ? `its process was ended by ${signal}` : `its process ended with ${code}`;
    this.#channel.fail(reason);
    await this.end(reason);
    return reason;
  }

  #notified(method: string, params: Record<string, unknown>): void {
    if (method === "log") return this.#logged(params);
    if (method !== "progress") return this.#wrote(`an unknown notification: ${method}`);
    this.#calls.get(String(params.call))?.onProgress?.(params);
  }

  #logged({ level, message, facts }: Record<string, unknown>): void {
    const own = (["debug", "info", "warning", "error"] as const).find((name) => name === level);
    this.#deps.log(own ?? "info", String(message), { pack: this.#deps.pack, facts });
  }

  async #answerCall(method: string, params: Record<string, unknown>): Promise<unknown> {
    const handlers = this.#calls.get(String(params.call));
    if (method !== "call" || !handlers) {
      throw Object.assign(new Error("Only a call under way can call other tools"), {
        code: "bad_request",
      });
    }
    return await handlers.onCall(params);
  }

  #wrote(line: string): void {
    if (this.#rubbish++ >= LOGGED_RUBBISH) return;
    const { log, pack } = this.#deps;
    log("debug", "A pack wrote a line that is not a message", { pack, line: line.slice(0, 200) });
  }
}
