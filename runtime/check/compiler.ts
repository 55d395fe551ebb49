/** One compiler process: checks one program at a time until it dies or is killed. */

import { constants, setPriority } from "node:os";
import { attempt, findProgram, isObject } from "#base";
import { type Answered, readDiagnostics } from "./diagnostics.ts";
import { launchCompiler, MEMORY_MB } from "./launch.ts";
import { type Channel, type Step, Unforeseen } from "./channel.ts";
import type { CheckSource, Diagnostic } from "./types.ts";
import {
  ENTRY_FILE,
  type FileChanges,
  linksOf,
  programFile,
  PROJECT_FILE,
  VirtualFiles,
} from "./virtual_files.ts";

/** The longest answer that is read: some ten thousand findings. */
const MOST_ANSWERED = 4 * 2 ** 20;

export interface CompilerOptions {
  readonly executable: string;
  /** Declarations that hold everywhere. */
  readonly library: readonly string[];
}

/** Starts a process; it is ready when the first check is answered. */
export function startCompiler(options: CompilerOptions): Compiler {
  return new Compiler(options);
}

/** A process and what it has seen. */
export class Compiler {
  readonly #child: Deno.ChildProcess;
  readonly #channel: Channel;
  readonly #files: VirtualFiles;
  readonly #limited: boolean;
  #state: { readonly snapshot: number; readonly project: string } | undefined;
  /** The snapshot of the program before the last one. */
  #stale: number | undefined;
  /** Imports of the last program, joined to one text. */
  #links: string | undefined;
  /** Why it was killed, or that it died. */
  #end: string | undefined;

  constructor({ executable, library }: CompilerOptions) {
    const files = new VirtualFiles(library);
    const answer = (method: string, params: unknown) => files.answer(method, params);
    const talk = { answer, mostBytes: MOST_ANSWERED };
    const { child, channel, limited } = launchCompiler(executable, talk);
    this.#child = child;
    this.#files = files;
    this.#limited = limited;
    this.#channel = channel;
    this.#child.status.then(() =>
      this.#end ??= "the checker's process died, perhaps out of memory"
    );
  }

  /** Why this process can check nothing more. */
  get end(): string | undefined {
    return this.#end;
  }

  /** The declarations that this process has read. */
  get declared(): ReadonlyMap<string, string> | undefined {
    return this.#state ? this.#files.declared : undefined;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Rejects when the process dies; `end` then says why. With `Unforeseen` where the compiler asked
   * for what `foresees` did not expect: another process has to check that program. */
  async check(
    source: CheckSource,
    { declared, foresees }: {
      readonly declared: ReadonlyMap<string, string>;
      readonly foresees: boolean;
    },
  ): Promise<Diagnostic[]> {
    using _watch = this.#limited ? undefined : watchMemory(this.pid, (why) => this.kill(why));
    const changes = this.#files.lay(source, declared);
    const links = source.files.size === 1 ? linksOf(this.#files.entry).join("\n") : undefined;
    const isLikeLast = links !== undefined && links === this.#links && onlyEntry(changes);
    this.#links = links;
    const answers = foresees && isLikeLast && this.#state
      ? await this.#checkAtOnce(this.#state, source, changes)
      : await this.#checkInTurn(source, changes);
    return readDiagnostics(answers, source);
  }

  /** Lets other processes have the processor first. */
  yieldProcessor(): void {
    // It may have ended.
    attempt(() => setPriority(this.pid, constants.priority.PRIORITY_LOW));
  }

  kill(why: string): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    this.#child.kill("SIGKILL");
  }

  /** Ends the process and waits until it is gone. */
  async close(): Promise<void> {
    this.kill("the checker is closed");
    await this.#child.status;
  }

  async #checkInTurn(source: CheckSource, changes: FileChanges): Promise<Answered[]> {
    const before = this.#state;
    if (!before) await this.#channel.request("initialize", null);
    const params = before ? { fileChanges: changes } : { openProjects: [PROJECT_FILE] };
    const scope = readSnapshot(await this.#channel.request("updateSnapshot", params));
    this.#state = scope;
    const answers: Answered[] = [];
    for (const path of source.files.keys()) {
      const question = { ...scope, file: programFile(path, source.entry) };
      const lists = await Promise.all(
        QUESTIONS.map((method) => this.#channel.request(method, question)),
      );
      answers.push({ path, lists });
    }
    for (const { method, params } of this.#giveBack(before)) {
      this.#channel.request(method, params).catch(() => {}); // nothing waits for it
    }
    return answers;
  }

  /** Releases the snapshot before the last. It is sent with the next check, so that no check
   * waits for it. */
  #giveBack(before: { readonly snapshot: number } | undefined): Step[] {
    const stale = this.#stale;
    this.#stale = before?.snapshot;
    return stale === undefined ? [] : [{ method: "release", params: { snapshot: stale } }];
  }

  /** For a program that names the same modules as the one before it: of such a one the compiler
   * asks for the text, and nothing else. */
  async #checkAtOnce(
    before: { readonly snapshot: number; readonly project: string },
    { entry }: CheckSource,
    changes: FileChanges,
  ): Promise<Answered[]> {
    const scope = { ...before, snapshot: before.snapshot + 1 };
    const file = programFile(entry, entry);
    const [updated, ...answered] = await this.#channel.batch([
      {
        method: "updateSnapshot",
        params: { fileChanges: changes },
        asks: [{ method: "readFile", params: file }],
      },
      ...this.#giveBack(before),
      ...QUESTIONS.map((method) => ({ method, params: { ...scope, file } })),
    ]);
    this.#state = readSnapshot(updated);
    if (this.#state.snapshot !== scope.snapshot) throw new Unforeseen("another snapshot");
    return [{ path: entry, lists: answered.slice(-QUESTIONS.length) }];
  }
}

const QUESTIONS = ["getSyntacticDiagnostics", "getSemanticDiagnostics"];

function onlyEntry({ changed, created, deleted }: FileChanges): boolean {
  return changed.length === 1 && changed[0] === ENTRY_FILE && created.length + deleted.length === 0;
}

/** Reads the program that the compiler has opened. Throws where it gave none. */
export function readSnapshot(answer: unknown): { snapshot: number; project: string } {
  const projects: unknown = isObject(answer) ? answer.projects : undefined;
  const project: unknown = Array.isArray(projects) ? projects[0] : undefined;
  if (
    isObject(answer) && typeof answer.snapshot === "number" && isObject(project) &&
    typeof project.id === "string"
  ) {
    return { snapshot: answer.snapshot, project: project.id };
  }
  throw new Error("The compiler gave no snapshot");
}

const EVERY_MS = 250;

/** Calls `onExceeded` when the process exceeds its memory limit. */
function watchMemory(pid: number, onExceeded: (why: string) => void): Disposable {
  const timer = setInterval(async () => {
    if (await residentMb(pid) > MEMORY_MB) {
      onExceeded(`the checker used more than ${MEMORY_MB} MB of memory`);
    }
  }, EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function residentMb(pid: number): Promise<number> {
  const args = ["-o", "rss=", "-p", `${pid}`];
  const ps = new Deno.Command(findProgram("ps") ?? "ps", { args, stdin: "null", stderr: "null" });
  // Without `ps` the deadline alone bounds a check.
  const { stdout } = await attempt(() => ps.output()) ?? {};
  return Number(new TextDecoder().decode(stdout).trim()) / 1024;
}
