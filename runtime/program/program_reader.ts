/** Program reader of the gateway: small programs are read here, others in a worker, one at a time
 * and each within a deadline. */

import { createQueue, type JsonObject } from "#base";
import { authorPlace } from "../command/map.ts";
import type { SnippetAnswer, SnippetDefinition } from "../command/types.ts";
import { Recent } from "../recent.ts";
import { originalColumn } from "../syntax/edits.ts";
import { SourceReader } from "./source_reader.ts";
import { COMMAND_FILE } from "../syntax/paths.ts";
import type { Place } from "../syntax/place.ts";
import { deadlineOf, isQuick, LATE, REHEARSAL } from "./quick.ts";
import type {
  Knowledge,
  ProgramData,
  ProgramReader,
  ReaderAnswer,
  ReaderResult,
  ReadyProgram,
  SnippetSource,
  Source,
} from "./types.ts";

/** Time to load the worker on a busy machine. */
const LOAD_MS = 20_000;

/** Rehearsal of small programs: its delay, its turns and the pause between them. */
const REHEARSAL_AFTER_MS = 500;
const REHEARSALS = 20;
const REHEARSAL_PAUSE_MS = 10;

/** Starts a reader and its worker.
 *
 * @example
 * ```ts
 * import { createProgramReader } from "#runtime";
 * await using reader = createProgramReader();
 * const read = await reader.read({
 *   kind: "script", script: "1 as number", file: "one.ts", files: {} });
 * if (read.kind === "program") console.log(read.program.modules.get("one.ts"));
 * ```
 */
export function createProgramReader(): ProgramReader {
  return new Reader();
}

class Reader implements ProgramReader {
  #worker: Worker | undefined;
  readonly #queue = createQueue();
  readonly #here = new SourceReader();
  #isRehearsed = false;
  #rehearsing: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #knowledge: Knowledge | undefined;
  /** Results of reading with this knowledge. */
  #recent = new Recent<ReaderAnswer>();
  /** Rejects the reading under way. */
  #abandon: (() => void) | undefined;

  constructor() {
    this.#enqueue({ kind: "command", command: "ready = 1" })
      // The first program that is read reports the failure.
      .catch(() => {});
    this.#rehearseLater(REHEARSAL_AFTER_MS, 0);
  }

  /** Applies to programs read after those in the queue. */
  learn(knowledge: Knowledge): void {
    this.#knowledge = knowledge;
    this.#recent = new Recent();
    this.#here.learn(knowledge);
    this.#worker?.postMessage({ kind: "knowledge", ...knowledge });
  }

  async read(
    source: Source,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ReaderResult> {
    options.signal?.throwIfAborted();
    const message = plain(source);
    const [recent, key] = [this.#recent, JSON.stringify(message)];
    const isHere = this.#isRehearsed && !this.#closed && isQuick(message);
    const data = recent.get(key) ??
      await (isHere ? this.#here.read(message) : this.#enqueue(message));
    options.signal?.throwIfAborted();
    recent.set(key, data);
    return data.kind === "finding" ? data : ready(data);
  }

  expand(snippet: SnippetDefinition, values: JsonObject): Promise<SnippetAnswer> {
    const source = { kind: "snippet", snippet, values } as const;
    return this.#queue(() => this.#ask(source, (message) => ({ kind: "failed", message })));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rehearsing);
    this.#stop();
    this.#abandon?.();
    return Promise.resolve();
  }

  /** Reads small programs a few times, so that the engine has compiled the code before the first
   * real one. */
  #rehearseLater(delay: number, turn: number): void {
    this.#rehearsing = setTimeout(async () => {
      for (const source of REHEARSAL) await this.#here.read(source);
      if (turn < REHEARSALS) this.#rehearseLater(REHEARSAL_PAUSE_MS, turn + 1);
      else this.#isRehearsed = true;
    }, delay);
    Deno.unrefTimer(this.#rehearsing);
  }

  #enqueue(source: Source): Promise<ReaderAnswer> {
    return this.#queue(() => this.#ask(source, (message) => tooSlow(source, message)));
  }

  /** Asks the worker; answers with `late` and a message after the deadline. */
  async #ask<T>(source: Source | SnippetSource, late: (message: string) => T): Promise<T> {
    if (this.#closed) throw new TypeError("Cannot read a program: the reader is closed");
    const worker = this.#worker ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const limit = deadlineOf(source);
    const giveUp = () => resolve(late(`could not be read within ${Math.round(limit / 1_000)} s`));
    // A new worker gets time to load.
    const timer = setTimeout(() => {
      this.#stop();
      giveUp();
    }, this.#worker ? limit : limit + LOAD_MS);
    this.#worker = worker;
    this.#abandon = () => reject(new TypeError("Cannot read a program: the reader is closed"));
    worker.onmessage = ({ data }: MessageEvent<T | typeof LATE>) => {
      if (data === LATE) giveUp();
      else resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stop();
      reject(new Error(`Cannot read the program: the reader failed: ${event.message}`));
    };
    worker.postMessage(source);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #start(): Worker {
    const worker = new Worker(import.meta.resolve("./reader_worker.ts"), {
      type: "module",
      name: "program reader",
    });
    if (this.#knowledge) worker.postMessage({ kind: "knowledge", ...this.#knowledge });
    return worker;
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** Source without further properties of the caller's object, which a message may not carry. */
function plain(source: Source): Source {
  if (source.kind === "command") {
    const { command, explain } = source;
    return { kind: "command", command, explain };
  }
  const { script, file, files, outside } = source;
  return { kind: "script", script, file, files, outside };
}

function tooSlow(source: Source, message: string): ReaderAnswer {
  const file = source.kind === "script" ? source.file : COMMAND_FILE;
  const finding = { code: "syntax_error", message: `The program ${message}`, file } as const;
  return { kind: "finding", finding: { ...finding, line: 1, column: 1 } };
}

function ready(data: ProgramData): ReadyProgram {
  const modules = new Map(data.modules.map((module) => [module.path, module]));
  return {
    kind: "program",
    program: {
      entry: data.entry,
      form: modules.get(data.entry)?.form,
      modules: new Map(data.modules.map(({ path, served }) => [path, served])),
      transpile: new Set(data.modules.flatMap(({ path, transpile }) => transpile ? [path] : [])),
    },
    check: {
      entry: data.entry,
      files: new Map(data.modules.map(({ path, checked }) => [path, checked])),
    },
    servers: data.servers && new Set(data.servers),
    validation: data.validation,
    magic: data.command?.magic ?? [],
    call: data.call,
    toolCalls: data.toolCalls,
    explained: data.command?.explained ?? modules.get(data.entry)?.text ?? "",
    text: (path) => modules.get(path)?.text,
    locate(frame) {
      const module = modules.get(frame.file);
      if (!module) return frame;
      const place = { line: frame.line, column: originalColumn(module.shifts, frame) };
      return { ...frame, ...(data.command ? authorPlace(data.command.map, place) : place) };
    },
    place(path, place) {
      const plain = withoutPrelude(path, place);
      return data.command && path === data.entry ? authorPlace(data.command.map, plain) : plain;
    },
    toolCallAt(path, place) {
      const at = withoutPrelude(path, place);
      if (path !== data.entry) return undefined;
      return data.toolCalls.findLast(({ from, to }) => !isBefore(at, from) && !isBefore(to, at));
    },
  };

  function withoutPrelude(path: string, place: Place): Place {
    if (!data.command || path !== data.entry || place.line > 1) return place;
    return { line: 1, column: Math.max(1, place.column - data.command.before) };
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || a.line === b.line && a.column < b.column;
}
