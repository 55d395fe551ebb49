/** Learned shapes of one pack: what is saved, and what was learned since. */

import type { JsonValue } from "#base";
import type { Converted } from "../types/ir.ts";
import type { LearnedResult } from "../types/result_type.ts";
import type { Learned } from "./saved_text.ts";
import { emptyShape, mergeShapes, widen } from "./shape.ts";
import type { LearnedTools, ShapeFiles } from "./shape_files.ts";
import { typeForCheck, typeForHelp } from "./to_type.ts";

interface CachedResult extends LearnedResult {
  readonly id: string;
  /** Text of `check`, to compare it. */
  readonly text: string;
  /** Number of outside changes to the file by the time that this was made. */
  readonly turn: number;
}

/** Maximum new places in results between two saves; a file holds some 2,000. Results after that are
 * not learned: a save goes through all places in one piece. */
const MOST_FRESH = 4_000;

export class PackShapes {
  readonly #name: string;
  readonly #files: ShapeFiles;
  readonly #cache = new Map<string, CachedResult>();
  /** Types for the checker as `hasChanged` last compared them. */
  readonly #reported = new Map<string, string>();
  #turn = 0;
  #saved: LearnedTools;
  #fresh = new Map<string, Learned>();
  /** Number of places in them. */
  #places = 0;

  constructor(name: string, files: ShapeFiles) {
    this.#name = name;
    this.#files = files;
    this.#saved = files.read(name);
  }

  /** Learns from one result; `id` tells the tool from one that had its name before. */
  learn(tool: string, id: string, value: JsonValue): void {
    if (this.#places > MOST_FRESH) return;
    const before = this.#fresh.get(tool);
    const { calls, shape } = before?.id === id ? before : { calls: 0, shape: emptyShape() };
    this.#places += widen(shape, value);
    this.#fresh.set(tool, { id, calls: calls + 1, shape });
  }

  resultOf(tool: string, id: () => string): LearnedResult | undefined {
    const result = this.#result(tool);
    return result && result.id === id() ? result : undefined;
  }

  /** Returns true if a type for the checker has changed since the last time. */
  hasChanged(): boolean {
    let isChanged = false;
    for (
      const tool of new Set([
        ...this.#reported.keys(),
        ...this.#saved.keys(),
        ...this.#fresh.keys(),
      ])
    ) {
      const text = this.#result(tool)?.text ?? "";
      isChanged ||= text !== (this.#reported.get(tool) ?? "");
      this.#reported.set(tool, text);
    }
    return isChanged;
  }

  /** Adds what was learned to the file, and takes from it what others have learned. */
  async save(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const before = this.#saved;
    let batch = new Map<string, Learned>();
    try {
      this.#saved = await this.#files.update(this.#name, (saved) => {
        if (!sameCalls(saved, before)) this.#turn++;
        batch = this.#fresh;
        this.#fresh = new Map();
        this.#places = 0;
        this.#saved = joined(saved, batch);
        return this.#saved;
      });
    } catch (error) {
      this.#saved = before;
      this.#fresh = new Map(joined(batch, this.#fresh));
      throw error;
    }
  }

  /** Takes the file as it is now. */
  reload(): void {
    this.#turn++;
    this.#saved = this.#files.read(this.#name);
  }

  forget(): void {
    this.#turn++;
    this.#saved = new Map();
    this.#fresh = new Map();
    this.#places = 0;
  }

  #result(tool: string): CachedResult | undefined {
    const [saved, fresh] = [this.#saved.get(tool), this.#fresh.get(tool)];
    const id = fresh?.id ?? saved?.id;
    if (id === undefined) return undefined;
    const calls = (fresh?.calls ?? 0) + (saved?.id === id ? saved.calls : 0);
    const before = this.#cache.get(tool);
    const isSame = before?.id === id && before.calls === calls && before.turn === this.#turn;
    if (isSame) return before;
    const learned = fresh && saved ? join(saved, fresh) : fresh ?? saved;
    if (!learned) return undefined;
    const result = toCached(learned, { before, turn: this.#turn });
    this.#cache.set(tool, result);
    return result;
  }
}

function toCached(
  { id, calls, shape }: Learned,
  { before, turn }: { readonly before: CachedResult | undefined; readonly turn: number },
): CachedResult {
  const check = converted(typeForCheck(shape));
  const text = JSON.stringify(check.root);
  return {
    id,
    calls,
    text,
    turn,
    check: before?.text === text ? before.check : check,
    definitions: [],
    get root() {
      return typeForHelp(shape);
    },
  };
}

function converted(root: Converted["root"]): Converted {
  return { root, definitions: [] };
}

function sameCalls(one: LearnedTools, other: LearnedTools): boolean {
  return one.size === other.size &&
    [...one].every(([tool, { calls }]) => other.get(tool)?.calls === calls);
}

function joined(saved: LearnedTools, fresh: LearnedTools): LearnedTools {
  const all = new Map(saved);
  for (const [tool, learned] of fresh) {
    const before = all.get(tool);
    all.set(tool, before ? join(before, learned) : learned);
  }
  return all;
}

/** Joins what was learned at two times; only the later part counts if the tool has changed
 * since. */
function join(before: Learned, later: Learned): Learned {
  if (before.id !== later.id) return later;
  const { id } = later;
  return { id, calls: before.calls + later.calls, shape: mergeShapes(before.shape, later.shape) };
}
