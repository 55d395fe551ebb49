/** Locks that run the changes of a file one after the other. */

export interface Locks {
  /** Runs `work` after all earlier work for the same key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Makes the locks. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
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
  };
}
