/** Long work in pieces, so that nothing else has to wait for it. */

import { setImmediate } from "node:timers/promises";

const PIECE = 100;

/** What `make` gives for each item; undefined is left out. */
export async function inPieces<T, R>(
  items: readonly T[],
  make: (item: T) => R | undefined,
): Promise<R[]> {
  const made: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % PIECE === 0) await setImmediate();
    const one = make(item);
    if (one !== undefined) made.push(one);
  }
  return made;
}
