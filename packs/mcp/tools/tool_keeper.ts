/** Tools of one server: from the cache at first, then from the server. */

import { type Log, sleep } from "#base";
import type { ServerConfig } from "../../server_config.ts";
import type { ToolSpec } from "../../types.ts";
import type { Connection, Era, SendOptions } from "../connect/connection.ts";
import { ConnectError } from "../connect/failure.ts";
import type { ToolChange } from "../pins/pin.ts";
import type { Pins } from "../pins/pins.ts";
import { type CachedTools, createToolCache, type ToolCache } from "./tool_cache.ts";
import { createToolFilter } from "./tool_filter.ts";
import { readToolList, type ToolProblem } from "./tool_list.ts";

export interface ToolKeeperDeps {
  readonly log: Log;
  readonly now: () => number;
  readonly cacheDir: string;
  readonly timeoutMs: number;
  /** Tools as they were first seen. */
  readonly pins?: Pins;
  /** Called when `tools` has changed. */
  readonly onChange: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Share of the time for reading lists that change again and again: each reading occupies the
 * gateway. */
const READING_PART = 1 / 5;
const LONGEST_REST_MS = 10_000;
/** JSON-RPC: the method does not exist; such a server has no tools. */
const METHOD_NOT_FOUND = -32601;

interface Reading {
  readonly connection: Connection;
  readonly done: Promise<void>;
  /** The reading after this one, where the list has changed meanwhile. */
  next?: Promise<void>;
}

export class ToolKeeper {
  readonly #config: ServerConfig;
  readonly #deps: ToolKeeperDeps;
  readonly #cache: ToolCache;
  readonly #keeps: (name: string) => boolean;
  #cached?: CachedTools;
  #earlier = new Map<string, ToolSpec>();
  #tools: readonly ToolSpec[] = [];
  #changes: ReadonlyMap<string, ToolChange> = new Map();
  /** Version of the pins that the list was compared with. */
  #compared?: number;
  #problems: readonly ToolProblem[] = [];
  #reading?: Reading;
  /** Last reading: its connection, and the earliest start of the next one on it. */
  #last?: { readonly connection: Connection; readonly nextAt: number };
  #saving: Promise<void> = Promise.resolve();

  constructor(config: ServerConfig, deps: ToolKeeperDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#keeps = createToolFilter(config);
    this.#cache = createToolCache(config, deps.cacheDir, deps.log);
    if (!config.enabled) return;
    this.#cached = this.#cache.read();
    this.#keep(this.#cached?.tools ?? [], false);
  }

  get tools(): readonly ToolSpec[] {
    return this.#tools;
  }

  get problems(): readonly ToolProblem[] {
    return this.#problems;
  }

  get instructions(): string | null {
    return this.#cached?.instructions ?? null;
  }

  /** True for a list of the last day; a date in the future does not count. */
  get isFresh(): boolean {
    if (this.#cached === undefined) return false;
    const age = this.#deps.now() - this.#cached.savedAt;
    return age >= 0 && age < DAY_MS;
  }

  /** Handshake that worked within the last day. */
  get era(): Era | undefined {
    return this.isFresh ? this.#cached?.era : undefined;
  }

  find(name: string): ToolSpec | undefined {
    return this.#earlier.get(name);
  }

  /** Tools as they were first seen. */
  get pins(): Pins | undefined {
    return this.#deps.pins;
  }

  /** Tools that have changed since they were first seen, and that no person has accepted meanwhile. */
  get changes(): ReadonlyMap<string, ToolChange> {
    if (this.#changes.size > 0 && this.#deps.pins?.version() !== this.#compared) {
      this.#keep(this.#cached?.tools ?? [], false);
      this.#deps.onChange();
    }
    return this.#changes;
  }

  /** The change of a tool. */
  changeOf(name: string): ToolChange | undefined {
    return this.#changes.has(name) ? this.changes.get(name) : undefined;
  }

  /** Requests the list, within the time for one. A further call meanwhile has the list read once more,
   * and waits for that. */
  refresh(connection: Connection, signal?: AbortSignal): Promise<void> {
    const reading = this.#reading;
    if (reading?.connection !== connection) return this.#begin(connection, signal);
    return reading.next ??= reading.done.then(() => this.#begin(connection, signal));
  }

  /** Waits until the cache is written. */
  async flush(): Promise<void> {
    await Promise.all([this.#saving, this.#deps.pins?.flush()]);
  }

  async #begin(connection: Connection, signal?: AbortSignal): Promise<void> {
    const reading: Reading = { connection, done: this.#read(connection, signal) };
    this.#reading = reading;
    let hasNext = false;
    try {
      await reading.done;
      hasNext = reading.next !== undefined;
    } finally {
      if (this.#reading === reading && !hasNext) this.#reading = undefined;
    }
    if (hasNext) return;
    this.#report();
    if (this.#cached) this.#saving = this.#cache.write(this.#cached);
  }

  async #read(connection: Connection, signal?: AbortSignal): Promise<void> {
    await this.#rest(connection, signal);
    const begin = performance.now();
    const list = await readToolList((cursor) => {
      const timeoutMs = Math.max(1, begin + this.#deps.timeoutMs - performance.now());
      return listPage(connection, cursor, { timeoutMs, signal });
    });
    this.#problems = list.problems;
    this.#cached = {
      tools: list.tools,
      savedAt: this.#deps.now(),
      era: connection.era,
      instructions: connection.info.instructions ?? (connection.info.about || null),
    };
    this.#keep(list.tools, true);
    // At once: a run that sees these tools must have their types.
    this.#deps.onChange();
    const end = performance.now();
    const restMs = Math.min((end - begin) * (1 / READING_PART - 1), LONGEST_REST_MS);
    this.#last = { connection, nextAt: end + restMs };
  }

  /** Waits where a list was read just before; the first of a connection is read at once. */
  async #rest(connection: Connection, signal?: AbortSignal): Promise<void> {
    if (this.#last?.connection !== connection) return;
    await sleep(this.#last.nextAt - performance.now(), signal);
  }

  #report(): void {
    for (const { tool, reason } of this.#problems) {
      this.#deps.log("warning", "A tool was left out", { server: this.#config.name, tool, reason });
    }
  }

  #keep(list: readonly ToolSpec[], isSent: boolean): void {
    const { tools, changes } =
      this.#deps.pins?.review(this.#config.name, { tools: list, isSent }) ??
        { tools: list, changes: new Map() };
    this.#changes = changes;
    this.#compared = this.#deps.pins?.version();
    this.#tools = tools.filter(({ name }) => this.#keeps(name));
    this.#earlier = new Map(this.#tools.map((tool) => [tool.name, tool]));
  }
}

async function listPage(
  connection: Connection,
  cursor: string | undefined,
  options: SendOptions,
): Promise<unknown> {
  try {
    return await connection.listTools(cursor, options);
  } catch (error) {
    const failure = error instanceof ConnectError ? error.failure : undefined;
    if (failure?.kind === "rpc" && failure.code === METHOD_NOT_FOUND) return { tools: [] };
    throw error;
  }
}
