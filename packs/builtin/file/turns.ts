/** Turns of the work on files that are whole in memory, and more than once. */

import { createSemaphore } from "#base";
import type { Caller } from "../kit/mod.ts";

/** Bytes above which a file waits for its turn. */
const WHOLE = 262_144;
/** Bytes above which files are changed one at a time. */
const LARGE = 4 * 2 ** 20;
/** Files above `WHOLE` that are worked on at the same time, and those of one run. */
const MOST = 2;
const MOST_OF_RUN = 1;
/** Work of one run that has begun. The rest holds no file, and no turn, while it waits. */
const BEGUN_OF_RUN = 2;

export interface FileTurns {
  /** Waits until a change may begin. Rejects with the signal's reason. */
  begin(caller: Caller): Promise<Disposable>;
  /** Waits for the turn of a change that has begun, of a file of this size. */
  change(bytes: number, caller: Caller): Promise<Disposable>;
  /** Waits for the turn to read a file of this size. */
  read(bytes: number, caller: Caller): Promise<Disposable>;
}

/** Makes the turns: runs take them one after the other. */
export function createFileTurns(): FileTurns {
  const begun = createSemaphore(Infinity, BEGUN_OF_RUN);
  const whole = createSemaphore(MOST, MOST_OF_RUN);
  const large = createSemaphore(1, 1);
  return {
    begin: ({ signal, run }) => begun.acquire(signal, run),
    async change(bytes, { signal, run }) {
      using turn = new DisposableStack();
      if (bytes > LARGE) turn.use(await large.acquire(signal, run));
      if (bytes > WHOLE) turn.use(await whole.acquire(signal, run));
      return turn.move();
    },
    async read(bytes, { signal, run }) {
      using turn = new DisposableStack();
      if (bytes <= WHOLE) return turn.move();
      turn.use(await begun.acquire(signal, run));
      turn.use(await whole.acquire(signal, run));
      return turn.move();
    },
  };
}
