import assert from "node:assert/strict";
import { readQueries } from "../../../bench/search/queries.ts";
import { measureRecall } from "../../../bench/search/recall.ts";
import { benchTools, ourSearch } from "../../../bench/search/searches.ts";

Deno.test("createSearchEngine() answers the queries of people over the tools of public servers", async (t) => {
  const entries = await benchTools();
  const queries = await readQueries();
  const names = new Set(entries.map(({ pack, tool }) => `${pack}.${tool}`));

  await t.step("the queries name tools that there are", () => {
    assert.ok(queries.length >= 220);
    assert.deepEqual(queries.flatMap(({ tools }) => tools).filter((name) => !names.has(name)), []);
  });
  const search = ourSearch(entries);
  await t.step("three of four are among the first five: all", async () => {
    const [, atFive = 0] = await measureRecall(search, queries);
    assert.ok(atFive >= 0.75, `${atFive}`);
  });
  await t.step("so are nine of ten that were written before any result was seen", async () => {
    const blind = await readQueries("blind");
    assert.equal(blind.length, 160);
    const tools = blind.flatMap((query) => query.tools);
    assert.deepEqual(tools.filter((name) => !names.has(name)), []);
    const [, atFive = 0] = await measureRecall(search, blind);
    assert.ok(atFive >= 0.88, `${atFive}`);
  });
  for (const half of ["tuning", "held out"] as const) {
    await t.step(`four of five are among the first five: ${half}`, async () => {
      const [, atFive = 0] = await measureRecall(
        search,
        queries.filter((query) => query.half === half),
      );
      assert.ok(atFive >= 0.8, `${atFive}`);
    });
  }
});
