/** Locks that run changes of a file one after the other: also those of the user's other gateways. */

import { createHash } from "node:crypto";
import { createSemaphore, type Semaphore } from "#base";
import { holding, type Moves } from "../kit/moves.ts";

export interface Locks extends Moves {
  /** Runs `work` after all earlier work for the same file. Rejects with the signal's reason if it is
   * aborted before. */
  run<T>(path: string, work: () => Promise<T>, options: RunOptions): Promise<T>;
}

export interface RunOptions {
  /** About the most bytes that a file of this size will have afterwards. */
  readonly most: (size: number) => number;
  readonly signal?: AbortSignal;
}

/** Bytes above which files are changed one at a time: each is in memory several times. */
const LARGE = 4 * 2 ** 20;

export interface LocksOptions {
  readonly moves: Moves;
  /** Turns of the work on whole files. */
  readonly turns: Semaphore;
}

/** Makes the locks; `home` holds the files that all gateways of the user lock. */
export function createLocks(home: string, { moves, turns }: LocksOptions): Locks {
  /** Turns of the files that are in use, each with the number of its users. */
  const files = new Map<string, { readonly turns: Semaphore; users: number }>();
  const largeTurns = createSemaphore(1);

  async function admit(path: string, { most, signal }: RunOptions): Promise<Disposable> {
    // A file that is missing has no bytes yet.
    const size = await Deno.lstat(path).then((info) => info.size, () => 0);
    using turn = new DisposableStack();
    if (Math.max(size, most(size)) > LARGE) turn.defer(await largeTurns.acquire(signal));
    turn.defer(await turns.acquire(signal));
    return turn.move();
  }

  return {
    ...moves,
    async run(path, work, options) {
      const { signal } = options;
      const file = files.get(path) ?? { turns: createSemaphore(1), users: 0 };
      files.set(path, file);
      file.users++;
      try {
        using _first = await file.turns.acquire(signal);
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
