/** Locks that run changes of a file one after the other, and moves without other changes. */

export interface Locks {
  /** Runs `work` after all earlier work for the same key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Runs `work` beside other work of this kind, and not while any runs alone. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` while nothing else does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes the locks. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  const others = new Set<Promise<unknown>>();
  let single: Promise<unknown> = Promise.resolve();
  return {
    async run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
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
      const mine = work();
      others.add(mine);
      try {
        return await mine;
      } finally {
        others.delete(mine);
      }
    },
    async alone(work) {
      const mine = Promise.allSettled([single, ...others]).then(work);
      single = mine.catch(() => {}); // the caller gets the error
      return await mine;
    },
  };
}
