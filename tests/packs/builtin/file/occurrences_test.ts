/** The search of `file.edit` against that of the engine. */

import assert from "node:assert/strict";
import { occurrencesOf } from "../../../../packs/builtin/file/occurrences.ts";

Deno.test("occurrencesOf() finds what indexOf finds, in every text of two letters", async () => {
  const { signal } = new AbortController();
  const texts = Array.from({ length: 11 }, (_, length) => wordsOf(length)).flat();
  for (const part of [1, 2, 3, 4].flatMap(wordsOf)) {
    for (const text of texts) {
      for (const most of [1, Infinity]) {
        const places = await occurrencesOf(part, { text, most, signal });
        assert.deepEqual(places, plain(part, text).slice(0, most), `${part} in ${text}`);
      }
    }
  }
});

/** Every text of `length` letters, one of them beyond one byte. */
function wordsOf(length: number): string[] {
  return Array.from(
    { length: 2 ** length },
    (_, bits) => Array.from({ length }, (_, at) => bits >> at & 1 ? "a" : "\u0161").join(""),
  );
}

function plain(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    places.push(at);
  }
  return places;
}
