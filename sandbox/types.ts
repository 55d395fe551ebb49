/** What the sandbox takes and gives: limits, programs, leases. */

import type { Log } from "./log.ts";
import type { Outcome } from "./outcome.ts";

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
  /** What `toolscript` exports to programs that are functions: an expression in JavaScript, in a
   * scope of its own. Asked for whenever a process starts. */
  readonly preload?: () => string;
  readonly log: Log;
  /** Path of the Deno executable. */
  readonly deno: string;
}

/** How a program's entry is written. What is run is an async function that takes the marker that it
 * returns when the program has no value. It is the default export of a module, or what a function
 * returns that takes the exports of `toolscript`: that one needs no fetching. */
export type Form = "module" | "function";

/** A program ready to run: modules by path, served to the run below `program/`. */
export interface SandboxProgram {
  readonly entry: string;
  /** How the entry is written; a module unless told. */
  readonly form?: Form;
  readonly modules: ReadonlyMap<string, string>;
  /** Modules among them that hold syntax the engine lacks: served as TypeScript, the others as
   * JavaScript, whatever their path ends in. */
  readonly transpile?: ReadonlySet<string>;
}

/** What a program's call of a tool is answered with, as over HTTP: a status, and JSON. */
export interface CallAnswer {
  readonly status: number;
  readonly body: string;
}

export interface ExecuteOptions {
  /** Until this resolves (the type check passed) the program computes for itself: nothing that it
   * prints, gives or asks for leaves the sandbox. When it rejects nothing ever does, and `execute`
   * rejects with the same error. */
  readonly ready?: Promise<void>;
  /** What `Deno.cwd()` and `process.cwd()` report. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** At most `limits.timeoutMs`. */
  readonly timeoutMs?: number;
  /** The program's input, asked for when the program first touches `Deno.stdin`. */
  readonly stdin?: () => Promise<Uint8Array>;
  /** Answers a call of the program: the tool's name as in an address, and its arguments as JSON.
   * Missing where there are no tools; never rejects. Is asked before `ready`, too. */
  readonly onCall?: (name: string, body: string) => Promise<CallAnswer>;
  readonly onOutput?: (stream: "stdout" | "stderr", data: Uint8Array) => void;
  readonly signal?: AbortSignal;
}

export interface Execution {
  readonly outcome: Outcome;
  /** From hand-over until the outcome was known, milliseconds. */
  readonly executeMs: number;
}

/** One process for one run. Disposing it kills the process, whatever state it is in. */
export interface Lease extends AsyncDisposable {
  /** The part of the path that makes `/r/<secret>/…` this run's own. */
  readonly secret: string;
  execute(program: SandboxProgram, options: ExecuteOptions): Promise<Execution>;
  /** Ends the run with this outcome, if no other reason came first. */
  end(outcome: Outcome): void;
  /** Stops the run's clock while a person is asked; the returned function starts it again. */
  pause(): () => void;
}

/** One request of a process, open until it is disposed: when its answer was sent, or cannot be. */
export interface Visit extends Disposable {
  readonly secret: string;
  /** Aborted when the process may ask nothing more. */
  readonly signal: AbortSignal;
  /** The body; undefined when it has more than `limit` bytes. Throws when the process has ended, as
   * does one whose open requests hold too much. */
  read(request: Request, limit: number): Promise<Uint8Array | undefined>;
  /** An answer that counts until it was sent. */
  answer(text: string, headers: HeadersInit): Response;
  /** Answers what is the sandbox's own; undefined when the path is not. */
  serve(path: string, request: Request): Promise<Response | undefined>;
}

export interface SandboxStatus {
  readonly warm: number;
  readonly running: number;
  readonly queued: number;
  readonly walls: readonly string[];
}

export interface Sandbox extends AsyncDisposable {
  /** A warm process, or a new one, or a place in the queue. Throws `SandboxError("busy")`. */
  lease(options?: { readonly signal?: AbortSignal }): Promise<Lease>;
  /** Admits a request below `/r/<secret>/` by its headers; undefined where no live process owns the
   * secret. A process that has too many open is ended. */
  visit(secret: string): Visit | undefined;
  /** What programs import has changed, or the limits have: warm processes are replaced. */
  refresh(what?: "module" | "limits"): void;
  status(): SandboxStatus;
}

/** Why no process could be had. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: "busy" | "cancelled" | "unavailable";
  constructor(code: "busy" | "cancelled" | "unavailable", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
