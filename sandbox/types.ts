/** Types of the sandbox: limits, programs, leases. */

import type { Log } from "#base";
import type { Frame, Outcome } from "./outcome.ts";
import type { Sockets } from "./process/sockets.ts";

export interface Limits {
  /** Wall time of one run, milliseconds. */
  readonly timeoutMs: number;
  /** CPU time of one run, seconds. */
  readonly cpuSeconds: number;
  /** Memory above what an empty process needs, megabytes. */
  readonly memoryMb: number;
  /** Bytes of stdout and stderr together, and of the returned value. */
  readonly outputBytes: number;
  /** Bytes that a program may read from its stdin. */
  readonly stdinBytes: number;
}

export interface SandboxSettings extends Limits {
  /** Runs at the same time; further ones queue. */
  readonly concurrent: number;
  /** Runs that may wait; further ones are refused as `busy`. */
  readonly queue: number;
  /** Maximum of warm processes. */
  readonly pool: number;
}

export interface SandboxOptions {
  /** The gateway's address, `http://127.0.0.1:port`, no trailing slash. */
  readonly origin: string;
  /** Current settings: the configuration can be reloaded. */
  readonly settings: () => SandboxSettings;
  /** Exports of `toolscript` for programs that are functions: an expression in JavaScript, in a scope
   * of its own. Called whenever a process starts. */
  readonly preload?: () => string;
  readonly log: Log;
  /** Path of the Deno executable. */
  readonly deno: string;
}

/** Form of a program's entry. The program is an async function; its parameter is the marker that it
 * returns when it has no value. A module exports this function as default. A function gets the exports
 * of `toolscript` and returns it, and is not fetched. */
export type Form = "module" | "function";

/** A program ready to run: modules by path, served to the run below `program/`. */
export interface SandboxProgram {
  readonly entry: string;
  /** Form of the entry. Default: module. */
  readonly form?: Form;
  readonly modules: ReadonlyMap<string, string>;
  /** Modules among them that hold syntax the engine lacks: served as TypeScript, the others as
   * JavaScript, whatever their path ends in. */
  readonly transpile?: ReadonlySet<string>;
}

/** A program's call of a tool. */
export interface SandboxCall {
  /** Name of the tool, as in an address. */
  readonly name: string;
  /** Arguments, as JSON. */
  readonly body: string;
  /** Place in the entry, as served, from where it is made; a program can forge it. Missing where the
   * run is not traced, or no line of the entry makes the call. */
  readonly from?: Pick<Frame, "line" | "column">;
}

/** Answer to a program's call of a tool, as over HTTP: a status, and JSON. */
export interface CallAnswer {
  readonly status: number;
  readonly body: string;
}

export interface ExecuteOptions {
  /** Resolves when the type check has passed. Until then the sandbox holds back all output, calls and
   * results of the program. When it rejects they are dropped, and `execute` rejects with the same
   * error. */
  readonly ready?: Promise<void>;
  /** Result of `Deno.cwd()` and `process.cwd()`. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** At most `limits.timeoutMs`. */
  readonly timeoutMs?: number;
  /** The program's input. Called when the program first reads `Deno.stdin`. */
  readonly stdin?: () => Promise<Uint8Array>;
  /** Answers a call of the program. Undefined where there are no tools. Called before `ready`, too.
   * Never rejects. */
  readonly onCall?: (call: SandboxCall) => Promise<CallAnswer>;
  /** True where each call tells its place, which costs it time. */
  readonly traced?: boolean;
  /** Called when the program first looks into a stand-in. */
  readonly onStandInUsed?: () => void;
  readonly onOutput?: (stream: "stdout" | "stderr", data: Uint8Array) => void;
  readonly signal?: AbortSignal;
}

export interface Execution {
  readonly outcome: Outcome;
  /** From hand-over until the outcome, milliseconds. */
  readonly executeMs: number;
}

/** One process for one run. Disposal kills the process in any state. */
export interface Lease extends AsyncDisposable {
  /** Part of the path `/r/<secret>/…` that identifies this run. */
  readonly secret: string;
  execute(program: SandboxProgram, options: ExecuteOptions): Promise<Execution>;
  /** Ends the run with this outcome, if no other reason came first. */
  end(outcome: Outcome): void;
  /** Stops the run's clock while a person is asked; the returned function starts it again. */
  pause(): () => void;
}

/** One request of a process. Disposed when its answer was sent, or cannot be sent. */
export interface Visit extends Disposable {
  readonly secret: string;
  /** Aborted when the process may make no further request. */
  readonly signal: AbortSignal;
  /** Reads the body; undefined when it has more than `limit` bytes. Throws when the process has ended;
   * a process whose open requests hold too much is ended. */
  read(request: Request, limit: number): Promise<Uint8Array | undefined>;
  /** Makes an answer that counts against the process until it was sent. */
  answer(text: string, headers: HeadersInit): Response;
  /** The same for a module. A process that loads too many, or too large ones, is ended. */
  answerModule(text: string, headers: HeadersInit): Response;
  /** Counts a module that is not there: Deno keeps a file with its address. */
  countMissing(): void;
  /** Answers a path of the sandbox itself; undefined for other paths. */
  serve(path: string, request: Request): Promise<Response | undefined>;
}

/** Levels of runs within a run. */
export const MAX_DEPTH = 3;

/** Place of a run within another one. */
export interface RunWithin {
  /** The outermost run around it. */
  readonly run: string;
  /** Runs around it, at most `MAX_DEPTH`. */
  readonly depth: number;
}

export interface LeaseOptions {
  readonly signal?: AbortSignal;
  /** Set for a run within another one: it takes no place of the queue. */
  readonly within?: RunWithin;
}

export interface SandboxStatus {
  readonly warm: number;
  readonly running: number;
  readonly queued: number;
  readonly walls: readonly string[];
}

export interface Sandbox extends AsyncDisposable {
  /** Leases a warm or a new process, after a wait in the queue. Throws `SandboxError("busy")`. */
  lease(options?: LeaseOptions): Promise<Lease>;
  /** Admits a request below `/r/<secret>/` by its headers; undefined when no live process has the
   * secret. A process with too many open requests is ended. */
  visit(secret: string): Visit | undefined;
  /** Finds the sockets that the live processes hold at a time after the call; those kept warm count. */
  sockets(): Promise<Sockets>;
  /** Replaces the warm processes after a change of the module that programs import, or of limits. */
  refresh(change?: "module" | "limits"): void;
  status(): SandboxStatus;
}

/** Reason for which no process could be leased. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: "busy" | "cancelled" | "unavailable";
  constructor(code: "busy" | "cancelled" | "unavailable", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
