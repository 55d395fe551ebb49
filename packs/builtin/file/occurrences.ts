/** Occurrences of a text in another, found in linear time, with turns for other work. */

import { createTurns, PartSearch } from "#base";

/** Steps after which a search may yield. */
const YIELD_AFTER = 100_000;

export interface OccurrenceOptions {
  readonly text: string;
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Offsets of a text that is not empty in another, up to `most` of them, without those that overlap the
 * one before. */
export async function occurrencesOf(
  part: string,
  { text, most, signal }: OccurrenceOptions,
): Promise<number[]> {
  const turn = createTurns(signal);
  const search = new PartSearch(part);
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (at % YIELD_AFTER === 0) await turn();
    if (!search.add(text.charCodeAt(at))) continue;
    if (places.push(at + 1 - part.length) >= most) break;
  }
  return places;
}
