/** Tools that were called after a query: the same words find them sooner the next time. Kept are
 * names of tools by hashes of words, neither arguments nor results. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject, type Log } from "#base";
import { openStateFolder, readOwn, writeWhole } from "#files";
import type { CallEnd, CallWitness, StartedCall } from "#packs";
import { createStem, isEmptyWord, shortQuery, wordsOf } from "./words.ts";

export interface Habits extends AsyncDisposable {
  readonly witness: CallWitness;
  /** Tools that were called after queries with these words, `github.create_issue`, with how surely,
   * 0 to 1. */
  toolsAfter(query: string): ReadonlyMap<string, number>;
}

export interface HabitsDeps {
  /** Folder of the project's caches. */
  readonly cacheDir: string;
  readonly learns: () => boolean;
  readonly now: () => number;
  readonly log: Log;
}

const FOLDER = "search";
const FILE = "queries.json";
const VERSION = 1;
const MOST_BYTES = 128 * 1024;
const MOST_WORDS = 400;
const MOST_TOOLS = 6;
const MOST_QUERY_WORDS = 12;
const MOST_CLIENTS = 50;
const MOST_TIMES = 1_000;
const LONGEST_NAME = 200;
/** Calls after a query that count as its answer, and the time that they have. */
const MOST_CALLED = 3;
const WINDOW_MS = 10 * 60_000;
const WRITE_MS = 1_000;

type Words = Map<string, Map<string, number>>;

interface Query {
  readonly words: readonly string[];
  readonly at: number;
  readonly called: Set<string>;
}

/** Opens the habits of a project; disposal writes what is new. */
export function createHabits(deps: HabitsDeps): Habits {
  return new ProjectHabits(deps);
}

class ProjectHabits implements Habits {
  readonly #deps: HabitsDeps;
  readonly #folder: string;
  readonly #path: string;
  readonly #stem = createStem();
  /** The last query of each client. */
  readonly #queries = new Map<string, Query>();
  #words: Words | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: HabitsDeps) {
    this.#deps = deps;
    this.#folder = join(deps.cacheDir, FOLDER);
    this.#path = join(this.#folder, FILE);
  }

  readonly witness: CallWitness = (call) => (end) => {
    if (!("result" in end) || !end.entry || !this.#deps.learns()) return;
    const client = call.origin?.client ?? "";
    if (end.entry.pack !== "ot") this.#note(client, end.entry);
    else if (end.entry.tool === "help") this.#begin(client, call.args);
  };

  toolsAfter(query: string): ReadonlyMap<string, number> {
    const tools = new Map<string, number>();
    const words = this.#wordsOf(query);
    for (const word of words) {
      for (const [tool, times] of this.#known().get(word) ?? []) {
        tools.set(tool, (tools.get(tool) ?? 0) + times / (times + 1) / words.length);
      }
    }
    return tools;
  }

  [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== undefined) this.#write();
    return Promise.resolve();
  }

  #begin(client: string, args: StartedCall["args"]): void {
    const query = isObject(args) ? args.query : undefined;
    const text = Array.isArray(query) ? query.join(" ") : query;
    this.#queries.delete(client);
    // A dotted name is no query.
    if (typeof text !== "string" || text.includes(".")) return;
    const [oldest = ""] = this.#queries.keys();
    if (this.#queries.size >= MOST_CLIENTS) this.#queries.delete(oldest);
    this.#queries.set(client, {
      words: this.#wordsOf(text),
      at: this.#deps.now(),
      called: new Set(),
    });
  }

  #note(client: string, { pack, tool }: NonNullable<CallEnd["entry"]>): void {
    const query = this.#queries.get(client);
    const name = `${pack}.${tool}`;
    if (!query || this.#deps.now() - query.at > WINDOW_MS) return;
    if (query.called.has(name) || query.called.size >= MOST_CALLED) return;
    if (name.length > LONGEST_NAME) return;
    query.called.add(name);
    const words = this.#known();
    for (const word of query.words) {
      const tools = words.get(word) ?? new Map<string, number>();
      tools.set(name, Math.min(MOST_TIMES, (tools.get(name) ?? 0) + 1));
      words.delete(word); // the words of last use are the last ones
      words.set(word, best(tools));
    }
    this.#timer ??= setTimeout(() => this.#write(), WRITE_MS);
  }

  #wordsOf(text: string): string[] {
    const stems = wordsOf(shortQuery(text)).filter((word) => !isEmptyWord(word)).map(this.#stem);
    return [...new Set(stems)].slice(0, MOST_QUERY_WORDS).map(hashOf);
  }

  #known(): Words {
    return this.#words ??= this.#read();
  }

  #read(): Words {
    try {
      const own = readOwn(this.#path, { maxBytes: MOST_BYTES });
      return own.kind === "text" ? readWords(own.text) : new Map();
    } catch (error) {
      this.#deps.log("warning", "Cannot read the history of searches", {
        error: String(error),
      });
      return new Map();
    }
  }

  /** Joins what other gateways of the project have written. */
  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const words = this.#known();
    try {
      for (const [word, tools] of this.#read()) {
        const own = words.get(word) ?? new Map<string, number>();
        for (const [tool, times] of tools) own.set(tool, Math.max(times, own.get(tool) ?? 0));
        if (!words.has(word) && words.size < MOST_WORDS) words.set(word, best(own));
      }
      for (const word of [...words.keys()].slice(0, Math.max(0, words.size - MOST_WORDS))) {
        words.delete(word);
      }
      const { cacheDir: root } = this.#deps;
      openStateFolder(this.#folder, { root });
      writeWhole(this.#path, writeWords(words), { root, mode: 0o600 });
    } catch (error) {
      this.#deps.log("warning", "Cannot write the history of searches", {
        error: String(error),
      });
    }
  }
}

/** The tools that were called most. */
function best(tools: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...tools].sort(([, a], [, b]) => b - a).slice(0, MOST_TOOLS));
}

function hashOf(word: string): string {
  return createHash("sha256").update(`toolscript query word ${word}`).digest("hex").slice(0, 16);
}

function writeWords(words: Words): string {
  const lines = [...words].map(([word, tools]) => [word, [...tools]]);
  return JSON.stringify({ version: VERSION, words: lines });
}

/** Reads a file as foreign input: what is not right is left out. */
function readWords(text: string): Words {
  const saved: unknown = JSON.parse(text);
  const lines = isObject(saved) && saved.version === VERSION ? saved.words : [];
  const words: Words = new Map();
  for (const line of Array.isArray(lines) ? lines.slice(0, MOST_WORDS) : []) {
    const [word, tools] = Array.isArray(line) ? line : [];
    if (typeof word !== "string" || !/^[0-9a-f]{16}$/.test(word) || !Array.isArray(tools)) continue;
    words.set(word, best(new Map(tools.filter(isTool))));
  }
  return words;
}

function isTool(item: unknown): item is [string, number] {
  if (!Array.isArray(item)) return false;
  const [name, times] = item;
  return typeof name === "string" && name.length <= LONGEST_NAME && Number.isInteger(times) &&
    times > 0 && times <= MOST_TIMES;
}
