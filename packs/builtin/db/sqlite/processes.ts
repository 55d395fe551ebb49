/** Limits of all processes for SQLite files together: a program may name any number of files. */

import { createSemaphore } from "#base";

/** Processes that work at once, and those of one run among them. */
const MOST_WORKING = 4;
const MOST_OF_RUN = 3;
/** Processes that are kept for more work. */
const MOST_IDLE = 4;
const IDLE_MS = 30_000;

export interface Working {
  readonly signal: AbortSignal;
  /** Id of the run that the work is for. */
  readonly run: string | undefined;
}

export interface SqliteProcesses {
  /** Waits until work of the run may begin: the rest of it holds no file while it waits. Rejects with the
   * signal's reason. */
  begin(work: Working): Promise<Disposable>;
  /** Waits for a place to work. Rejects with the signal's reason. */
  enter(work: Working): Promise<Disposable>;
  /** Keeps a process that has no work: `end` is called after 30 s, or where four others rest since.
   * Returns the function that takes it back. */
  rest(end: () => void): () => void;
}

/** Makes the bounds. */
export function createSqliteProcesses(): SqliteProcesses {
  const begun = createSemaphore(Infinity, MOST_OF_RUN);
  const places = createSemaphore(MOST_WORKING, MOST_OF_RUN);
  /** Those that rest, the longest first. */
  const resting = new Set<() => void>();

  return {
    begin: ({ signal, run }) => begun.acquire(signal, run),
    enter: ({ signal, run }) => places.acquire(signal, run),
    rest(end) {
      const leave = () => {
        clearTimeout(timer);
        resting.delete(finish);
      };
      const finish = () => {
        leave();
        end();
      };
      const timer = setTimeout(finish, IDLE_MS);
      Deno.unrefTimer(timer);
      resting.add(finish);
      const [longest] = resting;
      if (resting.size > MOST_IDLE) longest?.();
      return leave;
    },
  };
}
