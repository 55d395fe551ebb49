/** The reader's side in the gateway: one program at a time, each within a deadline. */

import { originalColumn } from "./edits.ts";
import type {
  ProgramData,
  ProgramReader,
  ProgramSource,
  ReadData,
  ReadResult,
  ReadyProgram,
} from "./types.ts";

/** What reading may take, whatever the size, and for every 1,000 characters, milliseconds. */
const BASE_MS = 2_000;
const PER_THOUSAND_MS = 10;

/** Starts a reader; its worker is ready before the first program as a rule.
 *
 * @example
 * ```ts
 * import { createProgramReader } from "#runtime";
 * await using reader = createProgramReader();
 * const read = await reader.read({ script: "1 as number", file: "one.ts", files: {} });
 * if (read.kind === "program") console.log(read.program.modules.get("one.ts"));
 * ```
 */
export function createProgramReader(): ProgramReader {
  return new Reader();
}

class Reader implements ProgramReader {
  #worker: Worker | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Ends the reading under way without an answer. */
  #abandon: (() => void) | undefined;

  constructor() {
    this.#enqueue({ script: "const ready: number = 1; ready", file: "main.ts", files: {} })
      // Whoever asks first is told.
      .catch(() => {});
  }

  async read(
    source: ProgramSource,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ReadResult> {
    options.signal?.throwIfAborted();
    const data = await this.#enqueue(source);
    options.signal?.throwIfAborted();
    return data.kind === "finding" ? data : ready(data);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#stop();
    this.#abandon?.();
    return Promise.resolve();
  }

  #enqueue(source: ProgramSource): Promise<ReadData> {
    const reading = this.#queue.then(() => this.#ask(source));
    this.#queue = reading.catch(() => {});
    return reading;
  }

  async #ask(source: ProgramSource): Promise<ReadData> {
    if (this.#closed) throw new TypeError("Cannot read a program: the reader is closed");
    const worker = this.#worker ??= new Worker(import.meta.resolve("./worker.ts"), {
      type: "module",
      name: "program reader",
    });
    const { promise, resolve, reject } = Promise.withResolvers<ReadData>();
    const limit = BASE_MS + PER_THOUSAND_MS * sizeOf(source) / 1_000;
    const timer = setTimeout(() => {
      this.#stop();
      resolve(tooSlow(source.file, limit));
    }, limit);
    this.#abandon = () => reject(new TypeError("Cannot read a program: the reader is closed"));
    worker.onmessage = (event: MessageEvent<ReadData>) => resolve(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stop();
      reject(new Error(`Cannot read the program: the reader failed: ${event.message}`));
    };
    // Callers pass what else they know of a run, which may be nothing that can be sent.
    const { script, file, files } = source;
    worker.postMessage({ script, file, files });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function tooSlow(file: string, limit: number): ReadData {
  const message = `The program could not be read within ${Math.round(limit / 1_000)} s`;
  return { kind: "finding", finding: { code: "syntax_error", message, file, line: 1, column: 1 } };
}

function sizeOf(source: ProgramSource): number {
  return Object.values(source.files).reduce((sum, text) => sum + text.length, source.script.length);
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
    text: (path) => modules.get(path)?.text,
    locate(frame) {
      const module = modules.get(frame.file);
      if (!module) return frame;
      return { ...frame, column: originalColumn(module.shifts, frame) };
    },
  };
}
