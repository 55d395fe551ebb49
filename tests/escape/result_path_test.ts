/** Paths of `ot.result` that select one part many times over, or write much more than they select. */

import { deepEqual, equal, throws } from "node:assert/strict";
import { queryJson } from "../../runtime/ot/result/query_json.ts";

const VALUE = { s: "x".repeat(30_000), a: Array(30_000).fill("yyy"), b: [{ c: "z" }, { c: 1 }] };
const TEXT = JSON.stringify(VALUE);
const deep = (levels: number, inside: unknown) => {
  let value = inside;
  for (let level = 0; level < levels; level++) value = [value];
  return JSON.stringify(value);
};

const HUGE: Record<string, readonly [text: string, path: string]> = {
  "a long path": [TEXT, `$[${Array(10_000).fill('"s"')}]`],
  "one text again and again": [TEXT, `$${"[0,0,0,0]".repeat(8)}.s`.replaceAll("0", '"t"')],
  "one list again and again": [TEXT, `$[${Array(150).fill('"a"')}]`],
  "all that is below, at each level": [deep(300, "x".repeat(100_000)), "$..*"],
  "little, far down": [deep(395, Array(100_000).fill(0)), "$"],
  "little, far down, of many": [deep(395, Array(100_000).fill(0)), "$[*]"],
};
const LOOP = JSON.stringify({ t: { t: { t: { t: { t: { t: { t: { t: VALUE } } } } } } } });

Deno.test("a path selects no more than there is room for", async (t) => {
  for (const [name, [text, path]] of Object.entries(HUGE)) {
    const source = path.includes('"t"') ? LOOP : text;
    await t.step(name, () => {
      throws(() => queryJson(source, path), { message: /more than [0-9]+ characters/ });
    });
  }
});

Deno.test("a path selects as before what fits", () => {
  equal(queryJson(TEXT, "$.s"), VALUE.s);
  equal(queryJson(TEXT, "$"), JSON.stringify(VALUE, null, 2));
  deepEqual(JSON.parse(queryJson(TEXT, "$.b[*].c")), ["z", 1]);
  deepEqual(JSON.parse(queryJson(TEXT, "$.a[*]")), VALUE.a);
  deepEqual(JSON.parse(queryJson(TEXT, '$["s", "s"]')), [VALUE.s, VALUE.s]);
  equal(queryJson(deep(100, Array(1_000).fill(0)), "$").length > 200_000, true);
  throws(() => queryJson(TEXT, "$.none"), { message: "nothing is there" });
});

Deno.test("a path compiles no long expression that the value has", async (t) => {
  const long = "\\p{L}".repeat(201);
  const text = JSON.stringify({
    s: "abc",
    list: ["a", "b"],
    long,
    many: [long, "a"],
    short: "a.*",
  });
  const paths = {
    match: "$.list[?match($.s, $.long)]",
    search: "$.list[?search($.s, $.long)]",
    "of each item": "$.many[?match('a', @)]",
    "in a nested filter": "$[?@[?search('a', @)]]",
    "with another one": "$.list[?match($.s, 'b') || match($.s, $.long)]",
  };
  for (const [name, path] of Object.entries(paths)) {
    await t.step(name, () => {
      throws(() => queryJson(text, path), { message: /a pattern of more than 1,000 characters/ });
    });
  }
  deepEqual(JSON.parse(queryJson(text, "$.list[?match($.s, $.short)]")), ["a", "b"]);
  deepEqual(JSON.parse(queryJson(text, "$.list[?match(@, $.short)]")), ["a"]);
});
