/** Places of `ot` for what is costly. They outlast the pack, which each configuration makes again. */

import { createSemaphore, type Semaphore } from "#base";
import { createReadPlaces, type ReadPlaces } from "./result/places.ts";

/** Readings of the statistics that may be under way: each takes up to seconds. */
const READINGS = 4;

export interface OtPlaces {
  /** For pages of stored results, and searches in them. */
  readonly results: ReadPlaces;
  /** For readings of the statistics, one of a run. */
  readonly statistics: Semaphore;
}

/** Makes the places of one gateway. */
export function createOtPlaces(): OtPlaces {
  return { results: createReadPlaces(), statistics: createSemaphore(READINGS, 1) };
}
