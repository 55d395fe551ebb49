/** Sizes of values, in pieces. */

import assert from "node:assert/strict";
import type { JsonValue } from "#base";
import { jsonText } from "../../../../runtime/stats/record/json_text.ts";

Deno.test("jsonText() has the bytes of JSON.stringify()", async (t) => {
  const rows: Readonly<Record<string, JsonValue>> = {
    "nothing": null,
    "a text": 'quotes " and \\ and \n and é and 😀',
    "a long text": 'é😀"\n\u0001'.repeat(20_000),
    "many small things": Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}` })),
    "few large things": { a: "x".repeat(40_000), b: [null, true, "y".repeat(40_000)], "ü": {} },
    "a half of a character": "\ud83d".repeat(20_000),
  };
  for (const [name, value] of Object.entries(rows)) {
    await t.step(name, async () => {
      const text = JSON.stringify(value);
      const { bytes, start } = await jsonText(value, 1_000);
      assert.equal(bytes, new TextEncoder().encode(text).length);
      assert.equal(start, text.slice(0, 1_000).toWellFormed());
    });
  }
});

Deno.test("jsonText() sizes values that are nested too deep to be written", async () => {
  let value: JsonValue = 1;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  assert.ok((await jsonText(value, 0)).bytes > 100_000);
});

Deno.test("jsonText() lets others have their turn", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await jsonText(Array.from({ length: 300_000 }, (_, id) => ({ id, text: "some text" })), 0);
  clearInterval(timer);
  assert.ok(turns > 3, String(turns));
});
