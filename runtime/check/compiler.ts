/** One compiler process: checks one program at a time until it dies or is killed. */

import { dirname } from "node:path";
import { isObject } from "#sandbox";
import { type Answered, readDiagnostics } from "./diagnostics.ts";
import { ENVIRONMENT, launchLine } from "./launch.ts";
import { watchMemory } from "./memory.ts";
import { connect, type Connection } from "./rpc.ts";
import type { CheckSource, Diagnostic } from "./types.ts";
import {
  CALLBACKS,
  type FileChanges,
  programFile,
  PROJECT_FILE,
  VirtualFiles,
} from "./virtual_files.ts";

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
  readonly #connection: Connection;
  readonly #files: VirtualFiles;
  readonly #limited: boolean;
  #snapshot: number | undefined;
  #started = false;
  /** Why it was killed, or that it died. */
  #end: string | undefined;

  constructor({ executable, library }: CompilerOptions) {
    const files = new VirtualFiles(library);
    const { command, args, limited } = launchLine(executable, [
      "--api",
      "--async",
      "--cwd",
      "/",
      `--callbacks=${CALLBACKS.join(",")}`,
    ]);
    this.#child = new Deno.Command(command, {
      args: [...args],
      cwd: dirname(executable),
      clearEnv: true,
      env: ENVIRONMENT,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#files = files;
    this.#limited = limited;
    this.#connection = connect({
      input: this.#child.stdout,
      output: this.#child.stdin,
      answer: (method, params) => files.answer(method, params),
    });
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
    return this.#started ? this.#files.declared : undefined;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Rejects when the process dies; `end` then says why. */
  async check(source: CheckSource, declared: ReadonlyMap<string, string>): Promise<Diagnostic[]> {
    using _watch = this.#limited ? undefined : watchMemory(this.pid, (why) => this.kill(why));
    const before = this.#snapshot;
    const { snapshot, project } = await this.#update(this.#files.lay(source, declared));
    const answers = await Promise.all(
      [...source.files.keys()].map((path) => this.#ask({ path, snapshot, project }, source)),
    );
    if (before !== undefined && before !== snapshot) this.#release(before);
    return readDiagnostics(answers, source);
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

  async #update(changes: FileChanges): Promise<{ snapshot: number; project: string }> {
    if (!this.#started) await this.#connection.request("initialize", null);
    const answer = await this.#connection.request(
      "updateSnapshot",
      this.#started ? { fileChanges: changes } : { openProjects: [PROJECT_FILE] },
    );
    this.#started = true;
    const { snapshot, project } = readSnapshot(answer);
    this.#snapshot = snapshot;
    return { snapshot, project };
  }

  /** Gives back what an earlier program needed; nothing waits for it. */
  #release(snapshot: number): void {
    this.#connection.request("release", { snapshot }).catch(() => {});
  }

  async #ask(
    { path, ...scope }: {
      readonly path: string;
      readonly snapshot: number;
      readonly project: string;
    },
    source: CheckSource,
  ): Promise<Answered> {
    const question = { ...scope, file: programFile(path, source.entry) };
    const lists = await Promise.all([
      this.#connection.request("getSyntacticDiagnostics", question),
      this.#connection.request("getSemanticDiagnostics", question),
    ]);
    return { path, lists };
  }
}

function readSnapshot(answer: unknown): { snapshot: number; project: string } {
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
