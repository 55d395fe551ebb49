/** The sandbox: processes kept warm, one for each run, and the routes of their loaders. */

import { once, shared } from "#base";
import type { LaunchOptions } from "./process/launch.ts";
import { bootAddress, createLoaderLine } from "./process/loader_text.ts";
import { Pool } from "./pool.ts";
import { randomName, SandboxProcess } from "./process/process.ts";
import { type Place, Queue } from "./queue.ts";
import { makeRoot } from "./process/root.ts";
import { type Sockets, socketsOf } from "./process/sockets.ts";
import { Run } from "./run.ts";
import {
  type ExecuteOptions,
  type Lease,
  type LeaseOptions,
  type Sandbox,
  SandboxError,
  type SandboxOptions,
  type SandboxProgram,
  type Visit,
} from "./types.ts";
import { detectWalls, programsAtOnce } from "./process/walls.ts";
import { watchResources } from "./watchdog.ts";

/** Builds the sandbox behind a gateway that listens at `options.origin` and passes requests for
 * `/r/<secret>/…` to `visit`.
 *
 * @example
 * ```ts
 * import { silent } from "#base";
 * import { createSandbox } from "#sandbox";
 *
 * const mb = 1024 * 1024;
 * await using sandbox = createSandbox({
 *   origin: "http://127.0.0.1:8000",
 *   settings: () => ({
 *     timeoutMs: 60_000,
 *     cpuSeconds: 30,
 *     memoryMb: 512,
 *     outputBytes: 4 * mb,
 *     stdinBytes: 16 * mb,
 *     concurrent: 4,
 *     queue: 100,
 *     pool: 0,
 *   }),
 *   log: silent,
 *   deno: Deno.execPath(),
 * });
 * sandbox.status().walls.includes("deno");
 * ```
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  return new DenoSandbox(options);
}

class DenoSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  readonly #walls = detectWalls();
  readonly #entry = bootAddress();
  readonly #loaderLine = createLoaderLine();
  readonly #root = makeRoot();
  readonly #live = new Map<string, SandboxProcess>();
  readonly #sockets = shared(() => {
    const live = [...this.#live.values()].filter(({ alive }) => alive);
    return socketsOf(live.map(({ pid }) => pid));
  });
  readonly #queue: Queue;
  readonly #pool: Pool;
  /** Number of changes of the module that programs import. */
  #version = 0;
  #isClosed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#queue = new Queue(() => {
      const { concurrent, queue } = options.settings();
      return { concurrent: programsAtOnce(this.#walls, concurrent), queue };
    });
    this.#pool = new Pool({
      start: () => this.#start(),
      most: () => options.settings().pool,
      log: options.log,
    });
  }

  async lease({ signal, within }: LeaseOptions = {}): Promise<Lease> {
    const place = await this.#queue.enter(signal, within);
    try {
      const process = await this.#readyProcess();
      return this.#leaseOf(process, place);
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  visit(secret: string): Visit | undefined {
    return this.#live.get(secret)?.visit();
  }

  sockets(): Promise<Sockets> {
    return this.#sockets();
  }

  refresh(change: "module" | "limits" = "module"): void {
    this.#version++;
    this.#pool.refresh((process) => change === "module" && process.version === undefined);
    this.#queue.admit();
  }

  status() {
    return {
      warm: this.#pool.warm,
      running: this.#queue.running,
      queued: this.#queue.waiting,
      walls: this.#walls.names,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#pool.close();
    this.#queue.close();
    await Promise.all([...this.#live.values()].map((process) => process[Symbol.asyncDispose]()));
    await this.#root[Symbol.asyncDispose]();
  }

  /** Returns a process whose loader waits. Skips one that died while it was warm, or whose module
   * went out of date while it started. */
  async #readyProcess(): Promise<SandboxProcess> {
    this.#checkOpen();
    const first = this.#pool.acquire();
    try {
      await first.ready;
      if (first.alive && first.version === this.#version) return first;
    } catch {
      // The next process reports why none can be started.
    }
    first.kill();
    this.#checkOpen();
    const second = this.#start();
    await second.ready;
    return second;
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new SandboxError("unavailable", "Cannot take the run: the gateway is closing");
  }

  #start(): SandboxProcess {
    const { origin, settings, deno } = this.#options;
    const launchOptions: LaunchOptions = {
      origin,
      secret: randomName(24),
      entry: this.#entry,
      root: this.#root.path,
      limits: settings(),
      walls: this.#walls,
      deno,
      now: Date.now(),
    };
    const process = startProcess(launchOptions, () => {
      const script = this.#options.preload?.() ?? "({})";
      process.version = this.#version;
      return this.#loaderLine(script);
    });
    this.#live.set(process.secret, process);
    process.dead.then(() => {
      this.#live.delete(process.secret);
      return process[Symbol.asyncDispose]();
    });
    return process;
  }

  #leaseOf(process: SandboxProcess, place: Place): Lease {
    const { settings, origin } = this.#options;
    const limits = settings();
    const run = new Run({ process, limits, origin });
    const watching = watchResources({ process, run, limits, walls: this.#walls });
    const leave = once(() => {
      watching[Symbol.dispose]();
      process.killLater();
      place[Symbol.dispose]();
      this.#pool.onRunEnd();
    });
    return {
      secret: process.secret,
      execute: (program: SandboxProgram, options: ExecuteOptions) => run.execute(program, options),
      end: (outcome) => run.end(outcome),
      pause() {
        const resumptions = [run.pause(), place.pause()];
        return () => resumptions.forEach((resume) => resume());
      },
      [Symbol.asyncDispose]: () => Promise.resolve(leave()),
    };
  }
}

function startProcess(options: LaunchOptions, loaderLine: () => Uint8Array): SandboxProcess {
  try {
    return new SandboxProcess(options, loaderLine);
  } catch (cause) {
    const message = "Cannot start a sandbox process: the system refuses it: see if files, memory " +
      "or room on a disk have run out";
    throw new SandboxError("unavailable", message, { cause });
  }
}
