import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { load } from "js-yaml";
import type { JsonValue } from "#base";
import { FORMATS, serialiseResult } from "../../../runtime/reply/mod.ts";

const ISSUE = { id: 1, title: "a: b", labels: ["x", "y"], nested: { open: true, by: null } };

Deno.test("RUN-14 an object is compact JSON, once", () => {
  strictEqual(
    serialiseResult(ISSUE),
    '{"id":1,"title":"a: b","labels":["x","y"],"nested":{"open":true,"by":null}}',
  );
});

Deno.test("RUN-15 a list is compact JSON, once", () => {
  strictEqual(serialiseResult([{ a: "1" }, [], "x"]), '[{"a":"1"},[],"x"]');
});

Deno.test("RUN-16 a string goes back as it is", () => {
  for (const text of ["plain", '{"a": 1}', "a\nb\n", "", "null", "'quoted'"]) {
    strictEqual(serialiseResult(text), text);
  }
});

Deno.test("RUN-17 composed results are one JSON value", () => {
  const composed = { health: { ok: true }, config: { path: 'C:\\"x"' } };
  strictEqual(
    serialiseResult(composed),
    '{"health":{"ok":true},"config":{"path":"C:\\\\\\"x\\""}}',
  );
  deepStrictEqual(JSON.parse(serialiseResult(composed)), composed);
});

Deno.test("RUN-50 without a format it is compact JSON", () => {
  strictEqual(serialiseResult({ a: [1, 2] }), '{"a":[1,2]}');
});

Deno.test("RUN-51 json is compact JSON", () => {
  strictEqual(serialiseResult({ a: [1, 2] }, "json"), '{"a":[1,2]}');
});

Deno.test("RUN-52 json_h is JSON with two spaces", () => {
  strictEqual(serialiseResult({ a: [1] }, "json_h"), '{\n  "a": [\n    1\n  ]\n}');
});

Deno.test("RUN-53 yml is YAML in flow style, on one line", () => {
  strictEqual(
    serialiseResult(ISSUE, "yml"),
    "{id: 1, title: 'a: b', labels: [x, 'y'], nested: {open: true, by: null}}",
  );
  strictEqual(serialiseResult([{ a: "x\ny" }], "yml"), '[{a: "x\\ny"}]');
  ok(!serialiseResult({ a: Array(200).fill("word") }, "yml").includes("\n"));
});

Deno.test("RUN-54 yml_h is YAML in block style", () => {
  strictEqual(
    serialiseResult(ISSUE, "yml_h"),
    "id: 1\ntitle: 'a: b'\nlabels:\n  - x\n  - 'y'\nnested:\n  open: true\n  by: null",
  );
});

Deno.test("RUN-55 raw is String(value), and indented JSON of objects and lists", () => {
  for (const value of [1, true, null, 1e21]) {
    strictEqual(serialiseResult(value, "raw"), String(value));
  }
  const values: JsonValue[] = [[1, [2, null], "x"], [], {}, { a: 1 }, [{ toString: 1 }, 2]];
  for (const value of values) {
    strictEqual(serialiseResult(value, "raw"), JSON.stringify(value, null, 2));
  }
});

Deno.test("RUN-56 a string goes back unchanged in every format", () => {
  for (const format of FORMATS) strictEqual(serialiseResult("a: 'b'\n- c", format), "a: 'b'\n- c");
});

Deno.test("RUN-57 an unknown format is compact JSON", () => {
  for (const format of ["", "xml", "JSON", "__proto__", "constructor", "toString"]) {
    strictEqual(serialiseResult({ a: 1 }, format), '{"a":1}');
  }
});

Deno.test("serialiseResult() writes every value so that it can be read back", async (t) => {
  const strings = [
    "yes",
    "no",
    "null",
    "~",
    "1",
    "0x1f",
    "1e3",
    "1_000",
    "12:30:45",
    "2020-01-01",
    ".inf",
    "=",
    "<<",
    "- x",
    "? y",
    "a #b",
    "a: b",
    "#x",
    "@x",
    "%y",
    "'",
    '"',
    "\\",
    "---",
    "...",
    "\r\n",
    "a\r",
    " a",
    "a ",
    "\t",
    "",
    "x\n",
    "x\n\n",
    "  x\n y",
    "\u2028",
    "\ufeff",
    "\u0085",
    "\0",
    "\ud83d\ude00",
    "{a}",
    "[b]",
    "*a",
    "&b",
    "!c",
    "|",
    ">",
    "`",
    "y".repeat(2_000),
  ];
  const values: JsonValue[] = [
    strings,
    Object.fromEntries(strings.map((text, index) => [text, index])),
    { a: [[], {}, [[]], [{}], { b: [] }], c: [1.5, -2, 1e21, 1e-7, true, null] },
    JSON.parse('{"__proto__":{"x":1},"toString":1,"constructor":2}'),
    0,
    false,
    null,
  ];
  for (const format of ["json", "json_h", "yml", "yml_h"]) {
    await t.step(format, () => {
      for (const value of values) {
        const text = serialiseResult(value, format);
        const back = format.startsWith("json") ? JSON.parse(text) : load(text);
        strictEqual(JSON.stringify(back), JSON.stringify(value));
      }
    });
  }
});

Deno.test("serialiseResult() never throws, however deep the value is", () => {
  let value: JsonValue = 1;
  for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { a: value };
  for (const format of FORMATS) ok(serialiseResult(value, format).length > 0);
});
