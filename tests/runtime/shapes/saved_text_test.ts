import assert from "node:assert/strict";
import type { JsonValue } from "#base";
import {
  type Learned,
  MOST_BYTES,
  readLearned,
  writeLearned,
} from "../../../runtime/shapes/saved_text.ts";
import { usedMs } from "../../support/turns.ts";
import { helpText, learn } from "./learn.ts";

function tools(shapes: Record<string, JsonValue>): Map<string, Learned> {
  return new Map(
    Object.entries(shapes).map((
      [name, value],
    ) => [name, { id: "1", calls: 3, shape: learn(value) }]),
  );
}

Deno.test("what is saved is read again, and holds no value", () => {
  const values: JsonValue = {
    secret: "hunter2",
    count: 4711,
    none: null,
    flag: true,
    empty: [],
    "a b": {},
    ...JSON.parse('{ "__proto__": { "x": "hunter2" } }'),
    rows: [{ id: 4711, tags: ["hunter2"] }, { id: 4712 }],
    by_mail: { "ana@hunter2.example": 4711 },
  };
  const text = writeLearned(tools({ get: values, other: null, "7": [1, null] }));
  assert.doesNotMatch(text, /hunter2|4711|4712/);
  const read = readLearned(text);
  const before = tools({ get: values, other: null, "7": [1, null] });
  assert.deepEqual([...read.keys()].sort(), ["7", "get", "other"]);
  for (const [name, { shape, ...rest }] of before) {
    const again = read.get(name);
    assert.ok(again);
    assert.deepEqual({ id: again.id, calls: again.calls }, rest);
    assert.equal(helpText(again.shape), helpText(shape));
  }
});

Deno.test("a server's file has at most 64 kB, the largest shapes are cut", () => {
  const wide = (name: string, levels: number): JsonValue =>
    Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        `${name}_${"abcdefghij"[at % 10]}${"klmno"[Math.floor(at / 10)]}`,
        at % 10 === 0 && levels > 1 ? wide(name, levels - 1) : at % 2 ? "text" : at,
      ]),
    );
  const all = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`tool${at}`, wide("f", 4)]),
  );
  const text = writeLearned(tools({ small: { id: 1 }, ...all }));
  assert.ok(new TextEncoder().encode(text).length <= MOST_BYTES);
  const read = readLearned(text);
  assert.equal(read.size, 41);
  const [small] = [read.get("small")];
  assert.equal(small && helpText(small.shape), "{ id: number }");
  const crowd = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`tool${at}`, { id: 1 }]),
  );
  assert.ok(new TextEncoder().encode(writeLearned(tools(crowd))).length <= MOST_BYTES);
});

Deno.test("a thousand large shapes are written without a long pause", () => {
  const wide = (levels: number): JsonValue =>
    Object.fromEntries(
      Array.from({ length: 24 }, (_, at) => [
        `field_${"abcdefghijklmnopqrstuvwxyz"[at]}`,
        at % 2 === 0 && levels > 1 ? wide(levels - 1) : at % 3,
      ]),
    );
  const shape = learn(wide(3));
  const learned = { id: "1", calls: 1, shape };
  const all = new Map(Array.from({ length: 1_000 }, (_, at) => [`tool${at}`, learned]));
  const before = usedMs();
  const text = writeLearned(all);
  // A fraction of a second; minutes where each is written again for every one that has no room.
  assert.ok(usedMs() - before < 20_000, `${usedMs() - before} ms`);
  assert.ok(new TextEncoder().encode(text).length <= MOST_BYTES);
});

Deno.test("a file is foreign input: what is malformed is left out", async (t) => {
  const deep = `${'{"is":"1l","items":'.repeat(5_000)}"1t"${"}".repeat(5_000)}`;
  const texts = [
    "",
    "null",
    "[]",
    "17",
    "{",
    '{"version":1}',
    '{"version":2,"tools":{}}',
    '{"version":1,"tools":[]}',
    '{"version":1,"tools":{"a":null,"b":7,"c":{"id":"1","calls":-1,"shape":"1t"}}}',
    '{"version":1,"tools":{"a":{"id":1,"calls":1,"shape":"1t"}}}',
    '{"version":1,"tools":{"a":{"id":"1","calls":1,"shape":"t1"}}}',
    '{"version":1,"tools":{"a":{"id":"1","calls":1e999,"shape":"1t"}}}',
    '{"version":1,"tools":{"a":{"id":"1","calls":1,"shape":{"is":{}}}}}',
  ];
  for (const text of texts) {
    await t.step(text, () => assert.equal(readLearned(text).size, 0));
  }
  await t.step("too deep", () => {
    const read = readLearned(`{"version":1,"tools":{"a":{"id":"1","calls":1,"shape":${deep}}}}`);
    assert.ok([...read.values()].every(({ shape }) => helpText(shape).length < 200));
  });
  await t.step("keys that are data, and prototypes", () => {
    const read = readLearned(
      '{"version":1,"tools":{"a":{"id":"1","calls":1,"shape":{"is":"1o","fields":' +
        '{"__proto__":"1t","a@b.de":"1n","x*/ evil":"1b","y":7}}}}}',
    );
    const shape = read.get("a")?.shape;
    assert.ok(shape);
    assert.deepEqual([...shape.fields.keys()], ["__proto__", "x*/ evil"]);
    assert.equal(shape.rest?.seen, 1);
    assert.equal(({} as Record<string, unknown>).is, undefined);
  });
});
