/** Program reader of the gateway: small programs are read here, others in a worker. */

import type { JsonObject } from "#base";
import { authorPlace } from "../command/map.ts";
import type { SnippetAnswer, SnippetDefinition } from "../command/types.ts";
import { Recent } from "../recent.ts";
import { originalColumn } from "../syntax/edits.ts";
import { COMMAND_FILE } from "../syntax/paths.ts";
import type { Place } from "../syntax/place.ts";
import { QuickReader } from "./quick_reader.ts";
import { ReaderThread } from "./reader_thread.ts";
import type {
  Knowledge,
  ProgramData,
  ProgramReader,
  ReaderAnswer,
  ReaderResult,
  ReaderTurn,
  ReadyProgram,
  Source,
} from "./types.ts";

/** Delay of the rehearsal of small programs: a gateway has other work as it starts. */
const REHEARSAL_AFTER_MS = 500;

/** Starts a reader and its workers.
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
  readonly #here = new QuickReader();
  readonly #programs = new ReaderThread("program reader");
  /** Apart, since templates may take as long as they are allowed to, and programs call them again and
   * again. */
  readonly #snippets = new ReaderThread("snippet reader");
  readonly #rehearsing: ReturnType<typeof setTimeout>;
  /** Results of reading with this knowledge. */
  #recent = new Recent<ReaderAnswer>();

  constructor() {
    this.#ask({ kind: "command", command: "ready = 1" })
      // The first program that is read reports the failure.
      .catch(() => {});
    this.#rehearsing = setTimeout(() => void this.#here.rehearse(), REHEARSAL_AFTER_MS);
    Deno.unrefTimer(this.#rehearsing);
  }

  /** Applies to programs read after those in the queue. */
  learn(knowledge: Knowledge): void {
    this.#recent = new Recent();
    this.#here.learn(knowledge);
    this.#programs.learn(knowledge);
  }

  async read(source: Source, turn: ReaderTurn = {}): Promise<ReaderResult> {
    turn.signal?.throwIfAborted();
    const message = plain(source);
    const [recent, key] = [this.#recent, JSON.stringify(message)];
    const data = recent.get(key) ?? await this.#here.read(message) ??
      await this.#ask(message, turn);
    turn.signal?.throwIfAborted();
    recent.set(key, data);
    return data.kind === "finding" ? data : ready(data);
  }

  expand(
    snippet: SnippetDefinition,
    values: JsonObject,
    turn: ReaderTurn = {},
  ): Promise<SnippetAnswer> {
    const late = (message: string) => ({ kind: "failed", message }) as const;
    return this.#snippets.ask<SnippetAnswer>({ kind: "snippet", snippet, values }, {
      ...turn,
      late,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#rehearsing);
    this.#here[Symbol.dispose]();
    this.#programs[Symbol.dispose]();
    this.#snippets[Symbol.dispose]();
    return Promise.resolve();
  }

  #ask(source: Source, turn: ReaderTurn = {}): Promise<ReaderAnswer> {
    const late = (message: string) => tooSlow(source, message);
    return this.#programs.ask(source, { ...turn, late });
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
