/** Large JSON is read in pieces as `JSON.parse` reads it whole. */

import assert from "node:assert/strict";
import { LARGE, parseLarge, TooDeep } from "#base";

const many = (text: string) => Array(Math.ceil(LARGE / (text.length + 1)) + 1).fill(text).join(",");
const fields = (make: (at: number) => string) =>
  Array.from({ length: 40_000 }, (_, at) => make(at)).join(",");

const TEXTS: Readonly<Record<string, string>> = {
  "empty lists": `[${many("[]")}]`,
  "empty objects": ` {"a": [${many("{}")}] , "b":1}\n`,
  "many keys": `{${fields((at) => `"k${at}":${at}`)}}`,
  "keys twice": `{${fields((at) => `"k${at % 3}":${at}`)}}`,
  "brackets and quotes in texts": `[${many('"]},{[\\\\\\"" , "\\u005d"')}]`,
  "large lists in a list": `[1,[${many("1")}],2,[${many("null")}],{"a":[${many("2")}]}]`,
  "a large list at the end": `[1,{},[${many("[1]")}]]`,
  "a large object in an object": `{"a":{${fields((at) => `"${at}":[]`)}},"b":"x"}`,
  "a key named __proto__": `{"__proto__":[${many("1")}],"a":{"__proto__":2}}`,
  "a field named __proto__": `{"__proto__":3,"b":[${many("1")}]}`,
  "a large text": JSON.stringify("x\n".repeat(LARGE)),
  "a large text in an object": JSON.stringify({ a: "]".repeat(LARGE), b: 1 }),
  "deep lists": `[${many("[".repeat(900) + "]".repeat(900))}]`,
  "large lists in one another": `${"[0,".repeat(500)}[${many("1")}]${"]".repeat(500)}`,
};

Deno.test("parseLarge() reads what JSON.parse() reads", async (t) => {
  for (const [name, text] of Object.entries(TEXTS)) {
    await t.step(name, async () => {
      assert.ok(text.length > LARGE);
      const value = await parseLarge(text);
      assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)));
    });
  }
  const value = await parseLarge(TEXTS["a key named __proto__"] ?? "") as object;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

Deno.test("parseLarge() refuses what JSON.parse() refuses", async (t) => {
  const large = `[${many("1")}]`;
  const wrong = [
    `[${many("1")},]`,
    `[,${many("1")}]`,
    `[${many("1")},,${many("1")}]`,
    `[${many("1")}`,
    `${large}]`,
    `${large}x`,
    `[${large} ${large}]`,
    `[${large},]`,
    `[,${large}]`,
    `[x${large}]`,
    `[${large}x]`,
    `{${large}}`,
    `{"a"${large}}`,
    `{"a":1${large}}`,
    `{"a":${large},}`,
    `{"a":${large}"b":1}`,
    `{"a":${large},"b"}`,
    `[${many("1")}}`,
    `{"a":[${many("1")}},"b":1]`,
    `["a":${large}]`,
    `{1:${large}}`,
    `${"x".repeat(LARGE)}`,
  ];
  for (const text of wrong) {
    await t.step(text.replaceAll(/(1,)+1/g, "…").slice(0, 40), async () => {
      assert.throws(() => JSON.parse(text), SyntaxError);
      await assert.rejects(parseLarge(text), SyntaxError);
    });
  }
  await assert.rejects(parseLarge("[".repeat(LARGE) + "]".repeat(LARGE)), TooDeep);
  await assert.rejects(parseLarge("[".repeat(2_000) + "]".repeat(2_000)), TooDeep);
});

Deno.test("other work runs while parseLarge() reads", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await parseLarge(`[${Array(2_000_000).fill("{}").join(",")}]`);
  clearInterval(timer);
  assert.ok(turns > 10, `${turns} turns`);
});
