import assert from "node:assert/strict";
import type { JsonValue } from "#base";
import { isDataKey, mergeShapes } from "../../../runtime/shapes/shape.ts";
import { usedMs } from "../../support/turns.ts";
import { checkText, helpText, learn } from "./learn.ts";

Deno.test("a learned shape has a view for help and one for the check", async (t) => {
  const cases: readonly (readonly [string, JsonValue[], string, string])[] = [
    ["text", ["a", "b"], "string", "string"],
    ["null alone", [null], "null", "any"],
    ["text or null", ["a", null], "string | null", "string"],
    ["several kinds", ["a", 7], "string | number", "any"],
    ["an object", [{ id: 7, open: true }], "{ id: number; open: boolean }", "CHECK"],
    [
      "a field that was missing once",
      [{ id: 1, tag: "a" }, { id: 2 }],
      "{ id: number; tag?: string }",
      "{ id: number; tag: string; [key: string]: any }",
    ],
    [
      "a field that was missing in an item",
      [[{ id: 1, tag: "a" }, { id: 2 }]],
      "{ id: number; tag?: string }[]",
      "{ id: number; tag: string; [key: string]: any }[]",
    ],
    [
      "a field that was null once, another always there",
      [{ a: 1, b: "x" }, { a: null, b: "y" }, { a: 2, b: "z" }],
      "{ a: number | null; b: string }",
      "{ a: number; b: string; [key: string]: any }",
    ],
    ["an empty list", [{ tags: [] }], "{ tags: any[] }", "{ tags: any[]; [key: string]: any }"],
    ["an empty object", [{}], "Record<string, any>", "Record<string, any>"],
    ["a list of lists", [[[1], [2]]], "number[][]", "number[][]"],
    ["items of several kinds", [[1, "a"]], "(string | number)[]", "any[]"],
    ["a list or one object", [[1], { id: 1 }], "{ id: number } | number[]", "any"],
    ["a map by date", [{ "2026-01-02": 1, "2026-01-03": 2 }], "Record<string, number>", "="],
    [
      "names and dates",
      [{ total: 2, "2026-01-02": 1 }],
      "{ total: number; [key: string]: number }",
      "{ total: number; [key: string]: any }",
    ],
  ];
  for (const [name, values, help, check] of cases) {
    await t.step(name, () => {
      const shape = learn(...values);
      assert.equal(helpText(shape), help);
      const same = check === "=" ? help : check;
      const expected = check === "CHECK" ? help.replace(" }", "; [key: string]: any }") : same;
      assert.equal(checkText(shape), expected);
    });
  }
});

Deno.test("keys that are data are told from names", () => {
  const data = [
    "17",
    "2026-11-23",
    "2026-11-23T10:00:00Z",
    "10.0.0.1",
    "fe80::1",
    "1.2.3",
    "9f86d081884c7d65",
    "0xdeadbeef",
    "PROJ-123",
    "cus_9s6XKzkNRiz8i3",
    "U012AB3CD",
    "550e8400-e29b-41d4-a716-446655440000",
    "ana@example.com",
    "https://example.com/a",
    "/home/ana",
    "www.example.com",
    "",
    "x".repeat(65),
    "4f5bAbC83hf72h1jd8",
  ];
  const names = [
    "id",
    "title",
    "created_at",
    "sha256",
    "utf8",
    "h1",
    "x86_64",
    "address_line1",
    "Due Date",
    "user.name",
    "content-type",
    "__proto__",
    "constructor",
    "isOpen2",
    "p95",
    "ünï",
  ];
  assert.deepEqual(data.filter((key) => !isDataKey(key)), []);
  assert.deepEqual(names.filter((key) => isDataKey(key)), []);
});

Deno.test("over 30 different keys with values alike are a map", () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `name${"abcdefgh"[at % 8]}${"ijklmnop"[at >> 3]}`);
  const many = Object.fromEntries(names(31).map((name) => [name, 1]));
  assert.equal(helpText(learn(many)), "Record<string, number>");
  const few = Object.fromEntries(names(30).map((name) => [name, 1]));
  assert.match(helpText(learn(few)), /^\{ nameai: number; /);
  const apart = learn(...names(31).map((name) => ({ [name]: name.length })));
  assert.equal(helpText(apart), "Record<string, number>");
  const mixed = learn(...names(40).map((name, at) => ({ [name]: at % 2 ? "text" : 1 })));
  assert.equal(helpText(mixed), "Record<string, string | number>");
});

Deno.test("a shape has at most 6 levels and 60 fields a level", () => {
  const deep = (levels: number): JsonValue =>
    levels === 0 ? 1 : { [`level${"abcdefghij"[levels - 1]}`]: deep(levels - 1) };
  const text = helpText(learn(deep(10)));
  assert.match(text, /levele: any/);
  assert.doesNotMatch(text, /leveld/);
  assert.match(helpText(learn(deep(6))), /levela: number/);
  const lists = (levels: number): JsonValue => levels === 0 ? 1 : [lists(levels - 1)];
  assert.equal(helpText(learn(lists(50))), "any[][][][][][]");

  const wide = Object.fromEntries(
    Array.from(
      { length: 150 },
      (
        _,
        at,
      ) => [
        `field_${"abcdefghijklmno"[at % 15]}${"pqrstuvwxy"[at % 10]}${at % 2 ? "z" : ""}${
          "ABCDEFGHIJ"[Math.floor(at / 15)]
        }`,
        at % 3 ? "text" : at,
      ],
    ),
  );
  const shape = learn(wide, wide);
  assert.equal(shape.fields.size, 60);
  assert.equal(shape.isMap, false);
});

Deno.test("a look at a result is bounded", () => {
  const rows = Array.from({ length: 300_000 }, (_, id) => ({ id, tags: ["a", "b"], by: { id } }));
  const shape = learn(rows);
  assert.equal(helpText(shape), "{ id: number; tags: string[]; by: { id: number } }[]");
  assert.ok((shape.items?.seen ?? 0) <= 32);
  const before = usedMs();
  for (let count = 0; count < 100; count++) learn(rows);
  assert.ok(usedMs() - before < 1_000, "a walk of 30 MB would take far longer");
});

Deno.test("merging shapes is learning in any order", () => {
  const values: JsonValue[] = [
    { id: 1, by: null, tags: ["a"] },
    { id: 2, by: { name: "x" }, more: { "a@b.de": 1 } },
    [1, "a", null],
    null,
    { id: "3", by: { name: "y", deep: [{ x: 1 }] } },
  ];
  const whole = learn(...values);
  for (let at = 0; at <= values.length; at++) {
    const [one, other] = [learn(...values.slice(0, at)), learn(...values.slice(at))];
    for (const merged of [mergeShapes(one, other), mergeShapes(other, one)]) {
      assert.equal(merged.seen, whole.seen);
      assert.deepEqual(helpText(merged).split(/\W+/).sort(), helpText(whole).split(/\W+/).sort());
    }
  }
});
