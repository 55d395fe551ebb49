/** Locks that run changes of a file one after the other, and moves without other changes: also those
 * of the user's other gateways. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Semaphore } from "#base";
import { lockFile, openStateFolder } from "#files";
import { PackError } from "../../errors.ts";

export interface Locks {
  /** Runs `work` after all earlier work for the same key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Runs `work` beside other work of this kind, and not while any runs alone. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while nothing else does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Time that other gateways have for their work. */
const PATIENCE_MS = 20_000;

/** Makes the locks; `home` holds the files that all gateways of the user lock. Changes of one file take
 * turns with other work on whole files. */
export function createLocks(home: string, turns: Semaphore): Locks {
  const last = new Map<string, Promise<unknown>>();
  const others = new Set<Promise<unknown>>();
  let single: Promise<unknown> = Promise.resolve();
  const folder = join(home, ".onetool", "cache", "locks");

  async function holding<T>(
    work: () => Promise<T>,
    { name, shared }: { readonly name: string; readonly shared?: boolean },
  ): Promise<T> {
    try {
      openStateFolder(folder, { root: home });
    } catch {
      // Nothing can be kept there: no other gateway has its run file there either.
      return await work();
    }
    using lock = await lockFile(join(folder, name), { shared, timeoutMs: PATIENCE_MS });
    if (lock) return await work();
    const why = "another gateway is changing files";
    throw new PackError("unavailable", `Cannot change a file: ${why}: retry`, { retryable: true });
  }

  return {
    async run(key, work) {
      const held = async () => {
        const release = await turns.acquire();
        try {
          return await holding(work, { name: nameOf(key) });
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
    async beside(work) {
      let before: Promise<unknown> | undefined;
      while (before !== single) {
        before = single;
        await before;
      }
      const mine = holding(work, { name: "moves", shared: true });
      others.add(mine);
      try {
        return await mine;
      } finally {
        others.delete(mine);
      }
    },
    async alone(work) {
      const mine = Promise.allSettled([single, ...others])
        .then(() => holding(work, { name: "moves" }));
      single = mine.catch(() => {}); // the caller gets the error
      return await mine;
    },
  };
}

/** One of 256 files: another key may have the same, and waits. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 2);
}
