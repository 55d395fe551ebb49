/** Moves of files, and other work that relies on paths: what a checked path leads to stays the same
 * meanwhile. Holds over all gateways of the user. */

import { join } from "node:path";
import { lockFile, openStateFolder } from "#files";
import { PackError } from "../../errors.ts";

export interface Moves {
  /** Runs `work` beside other work of this kind, and not while any runs alone. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while nothing else does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Time that other gateways have for their work. */
const PATIENCE_MS = 20_000;

export interface HeldLock {
  readonly name: string;
  readonly shared?: boolean;
}

/** Runs `work` with a lock of the user's gateways; `home` holds their files. */
export async function holding<T>(
  home: string,
  { name, shared }: HeldLock,
  work: () => Promise<T>,
): Promise<T> {
  const folder = join(home, ".onetool", "cache", "locks");
  try {
    openStateFolder(folder, { root: home });
  } catch {
    // Nothing can be kept there: no other gateway has its run file there either.
    return await work();
  }
  using lock = await lockFile(join(folder, name), { shared, timeoutMs: PATIENCE_MS });
  if (lock) return await work();
  const why = "another gateway is using or changing files";
  throw new PackError("unavailable", `Cannot use files: ${why}: retry`, { retryable: true });
}

/** Makes the turns of one gateway. */
export function createMoves(home: string): Moves {
  const others = new Set<Promise<unknown>>();
  let single: Promise<unknown> = Promise.resolve();
  return {
    async beside(work) {
      let before: Promise<unknown> | undefined;
      while (before !== single) {
        before = single;
        await before;
      }
      const mine = holding(home, { name: "moves", shared: true }, work);
      others.add(mine);
      try {
        return await mine;
      } finally {
        others.delete(mine);
      }
    },
    async alone(work) {
      const mine = Promise.allSettled([single, ...others])
        .then(() => holding(home, { name: "moves" }, work));
      single = mine.catch(() => {}); // the caller gets the error
      return await mine;
    },
  };
}
