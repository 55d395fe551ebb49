import assert from "node:assert/strict";
import { closest, listed, nearest } from "#packs/nearest";

const NAMES = [
  "git",
  "github",
  "gitlab",
  "file",
  "create_issue",
  "listIssues",
  "ports",
  "report",
  "status",
  "start",
];

/** The word as written, and the name that comes first. */
const FIRST: readonly (readonly [word: string, name: string])[] = [
  ["githbu", "github"],
  ["gihtub", "github"],
  ["igthub", "github"],
  ["githubb", "github"],
  ["gti", "git"],
  ["GitHub", "github"],
  ["gitlb", "gitlab"],
  ["createIssu", "create_issue"],
  ["create_isuse_now", "create_issue"],
  ["issues", "listIssues"],
  ["port", "ports"],
  ["fiel", "file"],
  ["strat", "start"],
  ["statsu", "status"],
];

Deno.test("nearest() puts the name first that was meant", async (t) => {
  for (const [word, name] of FIRST) {
    await t.step(word, () => assert.equal(nearest(word, NAMES).available[0], name));
  }
});

Deno.test("nearest() lists every name once, at most 30, with the total", () => {
  assert.deepEqual([...nearest("zzz", NAMES).available].sort(), [...NAMES].sort());
  const many = Array.from({ length: 230 }, (_, at) => `tool_${at}`);
  const near = nearest("tool_200", many);
  assert.deepEqual([near.available.length, near.total], [30, 230]);
  assert.equal(near.available[0], "tool_200");
  assert.match(listed(near), /^tool_200, .* and 200 more of 230$/);
});

Deno.test("listed() has no total where every name is listed", () => {
  assert.equal(listed(nearest("a", ["a", "b"])), "a, b");
  assert.equal(listed(nearest("a", [])), "none");
});

Deno.test("closest() suggests a name that is near enough, else none", () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["githbu", "github"],
    ["gti", "git"],
    ["prots", "ports"],
    ["x", undefined],
    ["i", undefined],
    ["kubernetes", undefined],
    ["", undefined],
    ["__proto__", undefined],
    ["f".repeat(5_000), undefined],
  ];
  for (const [word, name] of rows) assert.equal(closest(word, NAMES), name, word.slice(0, 20));
});
