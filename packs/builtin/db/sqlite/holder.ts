/** Owner of the process for an SQLite file. It starts the process with the first statement, keeps it
 * for a while, and kills it when a statement takes too long. */

import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { abortable, ChunkReader, readLines, withinMemory } from "#base";
import { PackError } from "../../../errors.ts";
import {
  childEnvironment,
  type ProcessGroup,
  startGroup,
  type Watcher,
} from "../../../process/mod.ts";
import { killGroup } from "../../../process/watcher.ts";
import { tooSlow } from "../engine.ts";
import type { SqliteProcesses, Working } from "./processes.ts";
import type { SqliteAnswer, SqliteRequest, SqliteRows } from "./protocol.ts";

/** Time limit for starting Deno, beside that of the statement. */
const START_MS = 60_000;
/** Memory of the process: SQLite has a limit of its own, and rows come beside it. */
const MOST_MEMORY = 2 * 1024 ** 3;
const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

export interface HolderDeps {
  readonly deno: string;
  readonly watcher: Watcher;
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: SqliteProcesses;
  /** True for a path that a program named: it has no links and may get none. */
  readonly isReal?: boolean;
}

/** The part of a request that the caller sets. */
export type Work = Omit<SqliteRequest, "path" | "isReal" | "write">;

export interface HolderOptions extends Working {
  readonly timeoutMs: number;
}

/** Runs requests, of which each is made when the one before has ended. Throws `PackError`. */
export class Holder implements AsyncDisposable {
  readonly #deps: HolderDeps;
  readonly #path: string;
  readonly #write: boolean;
  #process: Process | undefined;
  #isDisposed = false;
  /** Takes the process back that rests. */
  #resume = () => {};

  constructor(path: string, write: boolean, deps: HolderDeps) {
    this.#path = path;
    this.#write = write;
    this.#deps = deps;
  }

  async run(
    request: Work,
    { signal, run, timeoutMs }: HolderOptions,
  ): Promise<readonly SqliteRows[]> {
    using _place = await this.#deps.processes.enter({ signal, run });
    this.#resume();
    const process = await this.#open();
    const limited = <T>(work: Promise<T>, ms: number) =>
      abortable(work, AbortSignal.any([signal, AbortSignal.timeout(ms)]), {
        onAbort: () => signal.aborted ? signal.reason : tooSlow(timeoutMs),
      });
    try {
      const whole: SqliteRequest = {
        ...request,
        path: this.#path,
        isReal: this.#deps.isReal === true,
        write: this.#write,
      };
      await limited(process.ready, START_MS);
      const answer = await limited(process.ask(whole), timeoutMs);
      this.#rest();
      if (answer.kind === "done") return answer.results;
      const why = answer.kind === "refused"
        ? answer.message
        : "its process sent an unexpected message";
      throw new PackError("tool_error", `Cannot run the statement: ${why}`);
    } catch (error) {
      const isAnswer = error instanceof PackError && error.code === "tool_error";
      if (!isAnswer) await this.#end();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#resume();
    await this.#end();
  }

  async #open(): Promise<Process> {
    if (!this.#isDisposed) this.#process ??= await this.#start();
    if (!this.#isDisposed && this.#process) return this.#process;
    await this.#end();
    throw hasEnded();
  }

  async #start(): Promise<Process> {
    checkPath(this.#path);
    const { deno, watcher, environment } = this.#deps;
    const real = await Deno.realPath(this.#path).catch(() => this.#path);
    checkPath(real);
    const ends = ["", "-wal", "-shm", "-journal"];
    const files = [...new Set([this.#path, real])]
      .flatMap((path) => ends.map((end) => path + end)).join(",");
    const permissions = [`--allow-read=${files}`, ...this.#write ? [`--allow-write=${files}`] : []];
    const closed = ["--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm"];
    await watcher.turn();
    const [command, ...words] = withinMemory(deno, MOST_MEMORY);
    const group = startGroup({
      command,
      args: [...words, "run", "--quiet", "--no-check", ...closed, ...permissions, CHILD],
      env: childEnvironment(environment, {}),
      cwd: "/",
    }, watcher);
    return new Process(group);
  }

  #rest(): void {
    if (!this.#isDisposed) this.#resume = this.#deps.processes.rest(() => void this.#end());
  }

  async #end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await process?.[Symbol.asyncDispose]();
  }
}

function hasEnded(): PackError {
  const message = "Cannot run the statement: its process has ended";
  return new PackError("unavailable", message, { retryable: true });
}

/** Throws for a comma: in a permission it would begin another path. */
function checkPath(path: string): void {
  if (!path.includes(",")) return;
  const name = JSON.stringify(basename(path));
  const message = `Cannot open ${name}: its path has a comma, which cannot be permitted: rename it`;
  throw new PackError("tool_error", message);
}

class Process implements AsyncDisposable {
  readonly #group: ProcessGroup;
  readonly #lines: AsyncGenerator<string>;
  readonly #reader: ChunkReader;
  /** Resolves when the process takes requests. */
  readonly ready: Promise<unknown>;

  constructor(group: ProcessGroup) {
    this.#group = group;
    this.#reader = new ChunkReader(group.stdout);
    this.#lines = readLines(this.#reader, Infinity);
    this.ready = this.#next();
    this.ready.catch(() => {}); // The first request gets the error.
    // Drained, because a full pipe would block the process.
    group.stderr.pipeTo(new WritableStream()).catch(() => {});
  }

  async ask(request: SqliteRequest): Promise<SqliteAnswer> {
    const writer = this.#group.stdin.getWriter();
    try {
      await writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    } finally {
      writer.releaseLock();
    }
    return await this.#next();
  }

  async #next(): Promise<SqliteAnswer> {
    const next = await this.#lines.next();
    if (!next.done) return JSON.parse(next.value) as SqliteAnswer;
    throw hasEnded();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    killGroup(this.#group.pid, "SIGKILL");
    await this.#reader.cancel().catch(() => {});
    await this.#group[Symbol.asyncDispose]();
  }
}
