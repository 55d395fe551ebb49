/** Queries of any length, and accents in any number, which the engine puts in order slowly. */

import { deepEqual, ok } from "node:assert/strict";
import { createHabits, createSearchEngine } from "#runtime";
import { wordsOf } from "../../runtime/search/words.ts";
import { longestTurn } from "../support/turns.ts";

/** Their classes differ, so that each pair is in the wrong order. */
const ACCENTS = "\u0301\u0316";

Deno.test("words are read from any number of accents", () => {
  const longest = longestTurn();
  for (const text of [ACCENTS, `\uff9e${ACCENTS}`, "\u0344\u0316", "\u{1d15e}\u0316"]) {
    wordsOf(`a${text.repeat(60_000)}`);
  }
  ok(longest() < 2_000, `${longest()} ms`);
  const word = `e${ACCENTS.repeat(100)}te\u0301`;
  deepEqual(wordsOf(`ﬁlm ${word} ｆｕｌｌ Ⅳ \u{1d400}`.repeat(20)).slice(0, 5), [
    "film",
    "ete",
    "full",
    "iv",
    "afilm",
  ]);
});

Deno.test("of a query only the beginning is read, by what was learned too", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const deps = { cacheDir, learns: () => true, now: () => 0, log: () => {} };
    await using habits = createHabits(deps);
    const query = `ä ${"zeit ".repeat(4_000_000)}`;
    const longest = longestTurn();
    habits.toolsAfter(query);
    habits.witness({ args: { query }, origin: { client: "a" } } as never)(
      { result: {}, entry: { pack: "ot", tool: "help" } } as never,
    );
    await createSearchEngine().find(query, { groups: [], limit: 1 });
    ok(longest() < 500, `${longest()} ms`);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});
