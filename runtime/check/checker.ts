/** The resident checker: a compiler process kept ready, others for programs that take long, queues
 * before them, limits around them. */

import { FairQueue, type Log } from "#base";
import { TooLong, Unforeseen } from "./channel.ts";
import { type Compiler, type CompilerOptions, startCompiler } from "./compiler.ts";
import { findCompiler, VERSION } from "./launch.ts";
import { readLibrary } from "./library.ts";
import { Recent } from "../recent.ts";
import type { Checker, CheckOptions, CheckResult, CheckSource } from "./types.ts";

export interface CheckerDeps {
  /** Path of the Deno executable, which prints its own types. */
  readonly deno: string;
  readonly log: Log;
}

/** Time limit of one check, and of reading the declarations before it. */
const DEADLINE_MS = 5_000;
const WARM_UP_MS = 30_000;
const EMPTY: CheckSource = { entry: "main.ts", files: new Map([["main.ts", ""]]) };
/** Time after which a check makes way for those that wait. */
const PATIENCE_MS = 100;
/** Processes of checks that have made way; a further one begins again when there is a place. */
const MOST_SLOW = 2;
/** Checks after which a process is replaced when it is free, so that nothing in it grows. */
const MOST_CHECKS = 5_000;

/** Starts a checker; it warms up by itself.
 *
 * @example
 * ```ts
 * import { silent } from "#base";
 * import { createChecker } from "#runtime";
 * await using checker = createChecker({ deno: Deno.execPath(), log: silent });
 * const files = new Map([["main.ts", "nope"]]);
 * const result = await checker.check({ entry: "main.ts", files });
 * if (result.kind === "failed") console.log(result.diagnostics[0]?.message);
 * ```
 */
export function createChecker(deps: CheckerDeps): Checker {
  return new ResidentChecker(deps);
}

interface Job extends CheckOptions {
  readonly source: CheckSource;
  readonly resolve: (result: CheckResult) => void;
}

interface Slot {
  compiler: Compiler | undefined;
  checks: number;
  state: "free" | "busy" | "late" | "stopped";
}

class ResidentChecker implements Checker {
  readonly version = VERSION;
  readonly #log: Log;
  readonly #setup: Promise<CompilerOptions>;
  readonly #queue = new FairQueue<Job>();
  /** Checks that were stopped and begin again. */
  readonly #stopped = new FairQueue<Job>();
  /** Every process; all but the first check one program and end. */
  readonly #slots: Slot[] = [emptySlot()];
  readonly #passed = new Recent<true>();
  #declared: ReadonlyMap<string, string> = new Map();
  #closed = false;

  constructor({ deno, log }: CheckerDeps) {
    this.#log = log;
    this.#setup = setUp(deno);
    // Told where it is awaited.
    this.#setup.catch(() => {});
    this.#warm();
  }

  declare(files: ReadonlyMap<string, string>): Promise<void> {
    this.#declared = new Map(files);
    this.#passed.clear();
    this.#warm();
    return Promise.resolve();
  }

  hasPassed(source: CheckSource): boolean {
    return this.#passed.get(keyOf(source)) === true;
  }

  accept(source: CheckSource): void {
    this.#passed.set(keyOf(source), true);
  }

  check(source: CheckSource, options: CheckOptions = {}): Promise<CheckResult> {
    const { signal, client } = options;
    if (signal?.aborted) return Promise.resolve(unchecked("it was cancelled"));
    const { promise, resolve } = Promise.withResolvers<CheckResult>();
    const onAbort = () => resolve(unchecked("it was cancelled"));
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#queue.push(client, { ...options, source, resolve });
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { resolve } of [...this.#queue.clear(), ...this.#stopped.clear()]) {
      resolve(unchecked("the checker is closed"));
    }
    await Promise.all(this.#slots.map(({ compiler }) => compiler?.close()));
  }

  /** Has the declarations read before a program needs them. */
  #warm(): void {
    void this.check(EMPTY);
  }

  #next(): void {
    if (this.#closed) return;
    if (this.#slots[0]?.state === "late" && !this.#queue.isEmpty) this.#makeWay(this.#slots[0]);
    const [first] = this.#slots;
    const job = first?.state === "free" ? this.#queue.take() : undefined;
    if (first && job) void this.#work(first, job);
    while (this.#slots.length <= MOST_SLOW) {
      const stopped = this.#stopped.take();
      if (!stopped) return;
      const slot = emptySlot();
      this.#slots.push(slot);
      void this.#work(slot, stopped);
    }
  }

  /** Opens another process for the waiting checks. The late one gets a lower priority, or is
   * stopped. */
  #makeWay(slot: Slot): void {
    this.#slots.unshift(emptySlot());
    if (this.#slots.length <= MOST_SLOW + 1) return slot.compiler?.yieldProcessor();
    slot.state = "stopped";
    slot.compiler?.kill("others wait");
  }

  async #work(slot: Slot, job: Job): Promise<void> {
    slot.state = "busy";
    try {
      const result = job.signal?.aborted
        ? unchecked("it was cancelled")
        : await this.#run(slot, job);
      if (isStopped(slot) && result.kind === "unchecked") this.#stopped.push(job.client, job);
      else job.resolve(result);
    } catch (error) {
      this.#log("error", "Cannot check a program", { error: String(error) });
      job.resolve(unchecked("the checker could not be started"));
    } finally {
      slot.state = "free";
      await this.#tidy(slot);
      if (job.declared && this.#queue.isEmpty) this.#warm();
      this.#next();
    }
  }

  async #run(slot: Slot, job: Job, foresees = true): Promise<CheckResult> {
    const { source } = job;
    const setup = await this.#setup;
    if (this.#closed) return unchecked("the checker is closed");
    if (slot.compiler?.end !== undefined) slot.compiler = undefined;
    const compiler = slot.compiler ??= startCompiler(setup);
    slot.checks++;
    const { declared = this.#declared } = job;
    try {
      if (compiler.declared !== declared) {
        await within(WARM_UP_MS, compiler, () => compiler.check(EMPTY, { declared, foresees }));
      }
      const diagnostics = await within(
        DEADLINE_MS,
        compiler,
        () => this.#watched(slot, compiler.check(source, { declared, foresees })),
      );
      if (diagnostics.length > 0) return { kind: "failed", diagnostics };
      if (declared === this.#declared) this.#passed.set(keyOf(source), true);
      return { kind: "passed" };
    } catch (error) {
      if (this.#closed) return unchecked("the checker is closed");
      if (error instanceof Unforeseen && compiler.end === undefined) {
        compiler.kill(error.message);
        return await this.#run(slot, job, false);
      }
      const died = "the checker's process died, perhaps out of memory";
      const reason = compiler.end ?? (error instanceof TooLong ? error.message : died);
      compiler.kill(reason);
      slot.compiler = undefined;
      if (isStopped(slot)) return unchecked(reason);
      this.#log("warning", `A program could not be checked: ${reason}`, { error: String(error) });
      return unchecked(reason);
    }
  }

  /** Marks a check as late once it has taken long, so that waiting ones get another process. */
  async #watched<T>(slot: Slot, check: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      slot.state = "late";
      this.#next();
    }, PATIENCE_MS);
    try {
      return await check;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Stops a process that has reached its limits, or that is not the first. */
  async #tidy(slot: Slot): Promise<void> {
    const at = this.#slots.indexOf(slot);
    if (at > 0) this.#slots.splice(at, 1);
    else if (slot.checks < MOST_CHECKS) return;
    const { compiler } = slot;
    slot.compiler = undefined;
    slot.checks = 0;
    await compiler?.close();
    if (at === 0) this.#warm();
  }
}

function isStopped({ state }: Slot): boolean {
  return state === "stopped";
}

/** Kills the compiler when the work exceeds its time limit. */
async function within<T>(ms: number, compiler: Compiler, work: () => Promise<T>): Promise<T> {
  const why = `checking took longer than ${ms / 1_000} s`;
  const timer = setTimeout(() => compiler.kill(why), ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

function keyOf({ entry, files }: CheckSource): string {
  return JSON.stringify([entry, ...files]);
}

function emptySlot(): Slot {
  return { compiler: undefined, checks: 0, state: "free" };
}

function unchecked(reason: string): CheckResult {
  return { kind: "unchecked", reason };
}

async function setUp(deno: string): Promise<CompilerOptions> {
  const executable = await findCompiler();
  return { executable, library: await readLibrary(executable, deno) };
}
