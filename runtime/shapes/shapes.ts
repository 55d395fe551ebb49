/** Learned shapes: told of every call, asked for the types of results. */

import { createHash } from "node:crypto";
import { idle, type Log } from "#base";
import {
  type CallResult,
  type CallWitness,
  resultValue,
  type ToolEntry,
  type ToolSpec,
} from "#packs";
import type { LearnedResult } from "../types/result_type.ts";
import { PackShapes } from "./pack_shapes.ts";
import { createShapeFiles } from "./shape_files.ts";

export interface Shapes extends AsyncDisposable {
  readonly witness: CallWitness;
  /** Undefined for a tool with an output schema, and for one that has returned nothing yet. */
  resultOf(entry: ToolEntry): LearnedResult | undefined;
  /** Resolves when every call that has ended is learned. */
  settle(): Promise<void>;
  /** Forgets all tools, on disk as well. */
  forget(): Promise<void>;
  /** Sets the listener for packs whose types for the checker have changed. */
  onChange(listener: (packs: ReadonlySet<string>) => void): void;
}

export interface ShapesDeps {
  /** Folder of the project's caches. */
  readonly cacheDir: string;
  /** Returns true for a pack whose results may be learned. */
  readonly learns: (pack: string) => boolean;
  /** Pack whose types a pack has: accounts of a server share those of the first. */
  readonly typesOf?: (pack: string) => string;
  readonly log: Log;
}

/** Time until the results of a moment are learned, and until the types and files are brought up to
 * date. */
const LEARN_MS = 50;
const PUBLISH_MS = 1_000;
/** Interval at which the files of other gateways are looked at. */
const LOOK_MS = 2_000;
/** Time of one piece of the work. */
const SLICE_MS = 3;
/** Results that wait; with more of them the first is learned at once. */
const MOST_WAITING = 500;

interface Waiting {
  readonly entry: ToolEntry;
  readonly result: CallResult;
}

/** Creates the shapes of one gateway; disposal writes what is left. */
export function createShapes(deps: ShapesDeps): Shapes {
  return new ProjectShapes(deps);
}

class ProjectShapes implements Shapes {
  readonly #deps: ShapesDeps;
  readonly #files: ReturnType<typeof createShapeFiles>;
  readonly #packs = new Map<string, PackShapes>();
  readonly #ids = new WeakMap<ToolSpec, string>();
  /** Packs with something new. */
  #news = new Set<string>();
  readonly #warned = new Set<string>();
  #waiting: Waiting[] = [];
  #learning: Promise<void> | undefined;
  #publishing: Promise<void> = Promise.resolve();
  #learnTimer: ReturnType<typeof setTimeout> | undefined;
  #publishTimer: ReturnType<typeof setTimeout> | undefined;
  #lookTimer: ReturnType<typeof setInterval> | undefined;
  #onChange = (_packs: ReadonlySet<string>) => {};

  constructor(deps: ShapesDeps) {
    this.#deps = deps;
    this.#files = createShapeFiles(deps);
  }

  readonly witness: CallWitness = () => (end) => {
    if (!("result" in end) || !end.entry || !this.#isLearned(end.entry)) return;
    const { entry, result } = end;
    this.#waiting.push({ entry, result });
    if (this.#waiting.length > MOST_WAITING) this.#learnFirst();
    this.#learnTimer ??= setTimeout(() => void this.settle(), LEARN_MS);
  };

  resultOf(entry: ToolEntry): LearnedResult | undefined {
    if (!this.#isLearned(entry)) return undefined;
    return this.#pack(this.#typesOf(entry)).resultOf(entry.tool, () => this.#idOf(entry));
  }

  settle(): Promise<void> {
    clearTimeout(this.#learnTimer);
    this.#learnTimer = undefined;
    return this.#learning ??= this.#learnAll().finally(() => this.#learning = undefined);
  }

  forget(): Promise<void> {
    this.#waiting = [];
    return this.#publishing = this.#publishing.then(() => this.#forgetAll());
  }

  onChange(listener: (packs: ReadonlySet<string>) => void): void {
    this.#onChange = listener;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle();
    clearInterval(this.#lookTimer);
    clearTimeout(this.#publishTimer);
    await this.#publishing;
    await this.#save(new Set(this.#packs.keys()));
  }

  #isLearned({ spec, source, pack }: ToolEntry): boolean {
    return spec.outputSchema === undefined && source !== "local" && this.#deps.learns(pack);
  }

  #typesOf({ pack }: ToolEntry): string {
    return this.#deps.typesOf?.(pack) ?? pack;
  }

  #idOf({ spec }: ToolEntry): string {
    const id = this.#ids.get(spec) ??
      createHash("sha256").update(JSON.stringify([spec.name, spec.inputSchema])).digest("hex")
        .slice(0, 32);
    this.#ids.set(spec, id);
    return id;
  }

  #pack(name: string): PackShapes {
    const pack = this.#packs.get(name) ?? new PackShapes(name, this.#files);
    this.#packs.set(name, pack);
    if (this.#lookTimer === undefined) {
      this.#lookTimer = setInterval(() => void this.#look(), LOOK_MS);
      Deno.unrefTimer(this.#lookTimer);
    }
    return pack;
  }

  async #learnAll(): Promise<void> {
    let begun = performance.now();
    while (this.#waiting.length > 0) {
      this.#learnFirst();
      if (performance.now() - begun < SLICE_MS) continue;
      await idle(); // Everybody else has a turn.
      begun = performance.now();
    }
  }

  #learnFirst(): void {
    const first = this.#waiting.shift();
    const value = first && resultValue(first.result);
    if (!first || value === undefined) return;
    const { tool } = first.entry;
    const pack = this.#typesOf(first.entry);
    this.#pack(pack).learn(tool, this.#idOf(first.entry), value);
    this.#news.add(pack);
    this.#publishTimer ??= setTimeout(() => {
      this.#publishTimer = undefined;
      this.#publishing = this.#publishing.then(() => this.#publish());
    }, PUBLISH_MS);
  }

  async #publish(): Promise<void> {
    const names = this.#news;
    this.#news = new Set();
    await this.#save(names);
    this.#tell(names);
  }

  async #forgetAll(): Promise<void> {
    for (const pack of this.#packs.values()) pack.forget();
    await this.#files.clear().catch((error) => this.#warn("Cannot remove learned shapes", error));
    this.#tell(this.#packs.keys());
  }

  async #save(names: ReadonlySet<string>): Promise<void> {
    for (const name of names) {
      await this.#packs.get(name)?.save().catch((error) => {
        this.#warn("Cannot save learned shapes", error);
      });
    }
  }

  #tell(names: Iterable<string>): void {
    const changed = [...names].filter((name) => this.#packs.get(name)?.hasChanged());
    if (changed.length > 0) this.#onChange(new Set(changed));
  }

  async #look(): Promise<void> {
    const names = await this.#files.changed();
    for (const name of names) this.#packs.get(name)?.reload();
    this.#tell(names);
  }

  /** Warns of each problem once. */
  #warn(message: string, error: unknown): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#deps.log("warning", message, { error: String(error) });
  }
}
