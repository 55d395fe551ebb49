/** Search of a text in another, in a time that grows with the sum of their lengths. That of V8's
 * `indexOf` grows with their product where the part is long and nearly periodic. */

import { createTurns, type Turn } from "#base";

/** Steps after which a search may yield. */
const YIELD_AFTER = 100_000;

/** Offsets of a text that is not empty in another, up to `most` of them, without those that overlap the
 * one before. */
export async function occurrencesOf(
  part: string,
  { text, most }: { readonly text: string; readonly most: number },
): Promise<number[]> {
  const turn = createTurns();
  const places: number[] = [];
  const borders = await bordersOf(part, turn);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % YIELD_AFTER === 0) await turn();
    length = extended(length, { part, borders, unit: text.charCodeAt(at) });
    if (length < part.length) continue;
    if (places.push(at + 1 - length) >= most) break;
    length = 0;
  }
  return places;
}

/** Length of the longest proper start of each start of the text that is its end, too (Knuth, Morris,
 * Pratt). */
async function bordersOf(part: string, turn: Turn): Promise<Uint32Array> {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    if (at % YIELD_AFTER === 0) await turn();
    length = extended(length, { part, borders, unit: part.charCodeAt(at) });
    borders[at] = length;
  }
  return borders;
}

interface Step {
  readonly part: string;
  readonly borders: Uint32Array;
  /** The next code unit of the text. */
  readonly unit: number;
}

/** Length of the start of `part` that the text ends with after one more unit. */
function extended(length: number, { part, borders, unit }: Step): number {
  while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return part.charCodeAt(length) === unit ? length + 1 : length;
}
