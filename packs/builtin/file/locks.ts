/** Locks that run changes of a file one after the other: also those of the user's other gateways. */

import { createHash } from "node:crypto";
import type { Semaphore } from "#base";
import { holding, type Moves } from "../kit/moves.ts";

export interface Locks extends Moves {
  /** Runs `work` after all earlier work for the same key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface LocksOptions {
  readonly moves: Moves;
  /** Turns of the work on whole files. */
  readonly turns: Semaphore;
}

/** Makes the locks; `home` holds the files that all gateways of the user lock. */
export function createLocks(home: string, { moves, turns }: LocksOptions): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    ...moves,
    async run(key, work) {
      const held = async () => {
        const release = await turns.acquire();
        try {
          return await holding(home, { name: nameOf(key) }, work);
        } finally {
          release();
        }
      };
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(held, held);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}

/** One of 256 files: another key may have the same, and waits. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 2);
}
