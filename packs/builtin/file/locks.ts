/** Locks that run changes of a file one after the other: also those of the user's other gateways. */

import { createHash } from "node:crypto";
import { createSemaphore, type Semaphore } from "#base";
import type { Caller } from "../kit/mod.ts";
import { holding, type Moves } from "../kit/moves.ts";
import type { FileTurns } from "./turns.ts";

export interface Locks extends Moves {
  /** Runs `work` after all earlier work of its run for the same file, while no other changes it. Rejects
   * with the signal's reason if it is aborted before. */
  run<T>(path: string, work: () => Promise<T>, options: RunOptions): Promise<T>;
}

export interface RunOptions extends Caller {
  /** About the most bytes that a file of this size will have afterwards. */
  readonly most: (size: number) => number;
}

export interface LocksOptions {
  readonly moves: Moves;
  readonly turns: FileTurns;
}

/** Makes the locks; `home` holds the files that all gateways of the user lock. */
export function createLocks(home: string, { moves, turns }: LocksOptions): Locks {
  /** Turns of the files that are in use, each with the number of its users. */
  const files = new Map<string, { readonly turns: Semaphore; users: number }>();

  async function admit(path: string, { most, ...caller }: RunOptions): Promise<Disposable> {
    // A file that is missing has no bytes yet.
    const size = await Deno.lstat(path).then((info) => info.size, () => 0);
    return await turns.change(Math.max(size, most(size)), caller);
  }

  return {
    ...moves,
    async run(path, work, options) {
      const { signal, run } = options;
      const file = files.get(path) ?? { turns: createSemaphore(1, 1), users: 0 };
      files.set(path, file);
      file.users++;
      try {
        using _begun = await turns.begin(options);
        using _first = await file.turns.acquire(signal, run);
        using _turn = await admit(path, options);
        return await holding(home, { name: nameOf(path), signal }, work);
      } finally {
        if (--file.users === 0) files.delete(path);
      }
    },
  };
}

/** One of 256 files: another key may have the same, and waits. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 2);
}
