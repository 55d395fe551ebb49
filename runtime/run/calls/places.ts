/** Places of the calls of one run. */

import { createSemaphore, type Semaphore } from "#base";
import type { CallOptions } from "#packs";

/** Calls within calls at the same time, at each depth: answers of a pack have up to 16 MB. */
const MOST_WITHIN = 8;

/** Takes a place for the call of a tool, by its wire name. */
export type EnterCall = (
  wire: string,
  options: Pick<CallOptions, "depth" | "signal">,
) => Promise<Disposable>;

/** Makes the function that takes a place. Each depth has places of its own: calls that hold all of one
 * wait only for those deeper. `refused` makes the error of a call whose signal is aborted before. */
export function createCallPlaces(size: number, refused: (wire: string) => Error): EnterCall {
  const places: Semaphore[] = [];
  return (wire, { signal, depth = 0 }) => {
    const most = depth === 0 ? size : Math.min(size, MOST_WITHIN);
    return (places[depth] ??= createSemaphore(most, most)).acquire(signal, undefined).catch(() => {
      throw refused(wire);
    });
  };
}
