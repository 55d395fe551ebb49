/** Values of PostgreSQL, read from their texts. */

import assert from "node:assert/strict";
import pg from "pg";
import { isLarge, type JsonValue } from "#base";
import { createReader } from "../../../../../packs/builtin/db/postgres/values.ts";
import { readRows } from "../../../../../packs/builtin/db/postgres/rows.ts";
import { countTurns } from "../../../../support/turns.ts";

const [BYTES, JSON_TYPE, JSONS, INTS, POINTS, TEXT] = [17, 114, 199, 1007, 1017, 25];
const parserOf = (type: number) => pg.types.getTypeParser(type);
const read = (text: string, type: number) => createReader(parserOf)(text, { name: "a", type });
const lists = (count: number) => `[${Array(count).fill("[]").join(",")}]`;

/** Types by number, texts of the server and what users see. */
const VALUES: readonly (readonly [number, string, JsonValue])[] = [
  [16, "t", true],
  [20, "7", 7],
  [20, "9007199254740993", "9007199254740993"],
  [23, "-1", -1],
  [701, "NaN", "NaN"],
  [1700, "1.10", "1.10"],
  [1082, "2026-01-02", "2026-01-02"],
  [1186, "1 day 02:00:00", "1 day 02:00:00"],
  [17, "\\x00ff", { base64: "AP8=" }],
  [17, "\\x", { base64: "" }],
  [17, "\\000A", { base64: "AEE=" }],
  [17, "a\\\\b\\\\\\\\\\377\n", { base64: "YVxiXFz/Cg==" }],
  [600, "(1,2)", { x: 1, y: 2 }],
  [718, "<(1,2),3>", { x: 1, y: 2, radius: 3 }],
  [603, "(1,1),(0,0)", "(1,1),(0,0)"],
  [114, '{"a": [1, null]}', { a: [1, null] }],
  [3802, "null", null],
  [1007, "{1,NULL,3}", [1, null, 3]],
  [1007, "[0:1]={5,6}", [5, 6]],
  [1007, "{{1,2},{3,4}}", [[1, 2], [3, 4]]],
  [1016, "{1,9007199254740993}", ["1", "9007199254740993"]],
  [1231, "{1.10}", ["1.10"]],
  [1022, "{NaN,1.5}", ["NaN", 1.5]],
  [1009, '{a,"b,\\"c\\\\",NULL,"NULL",""}', ["a", 'b,"c\\', null, "NULL", ""]],
  [1001, '{"\\\\x00ff",NULL}', [{ base64: "AP8=" }, null]],
  [1001, '{{"\\\\000A"},{""}}', [[{ base64: "AEE=" }], [{ base64: "" }]]],
  [1017, '{"(1,2)",NULL}', [{ x: 1, y: 2 }, null]],
  [1187, '{"1 day"}', ["1 day"]],
  [199, '{"{\\"a\\": 1}",NULL,1e400,"\\"x\\""}', [{ a: 1 }, null, "Infinity", "x"]],
  [3807, '{{"{\\"a\\": 1}"},{[]}}', [[{ a: 1 }], [[]]]],
  [2249, "(1,a)", "(1,a)"],
];

Deno.test("a reader converts the text of each type", async (t) => {
  for (const [type, text, value] of VALUES) {
    await t.step(`${type}: ${text}`, async () => assert.deepEqual(await read(text, type), value));
  }
});

Deno.test("a reader lets other work run while it reads a large value", async (t) => {
  const values: Record<string, [string, number]> = {
    "json": [lists(2_500_000), JSON_TYPE],
    "json[]": [`{${Array(3).fill(`"${lists(100_000)}"`).join(",")}}`, JSONS],
    "bytea": [`\\x${"00ff".repeat(4_000_000)}`, BYTES],
  };
  for (const [name, [text, type]] of Object.entries(values)) {
    await t.step(name, async () => {
      const { result, turns } = await countTurns(() => read(text, type));
      assert.ok(turns > 1);
      if (name === "json") assert.ok(isLarge(result));
    });
  }
});

Deno.test("a reader refuses a large array before it is parsed", async (t) => {
  const texts: Record<string, [string, number]> = {
    ints: [`{${"1,".repeat(4_000_000)}1}`, INTS],
    points: [`{${'"(0,0)",'.repeat(1_000_000)}"(0,0)"}`, POINTS],
    jsons: [`{${"1,".repeat(4_000_000)}1}`, JSONS],
    "bytes in the old format": ["\\000".repeat(1_000_000), BYTES],
  };
  for (const [name, [text, type]] of Object.entries(texts)) {
    await t.step(name, async () => {
      const parser = () => assert.fail("it is parsed");
      const plain = (text: string) => text;
      const reader = createReader((type) => type === TEXT ? plain : parser);
      await assert.rejects(reader(text, { name: "a", type }), {
        code: "too_large",
        message: /column "a".*longer than 1 MB: select less of it, or cast it to text/,
      });
    });
  }
});

Deno.test("a reader refuses malformed bytes", async () => {
  const message = /Cannot read the column "a": its bytes are malformed/;
  for (const text of ["\\", "\\a", "ab\\", "\\\\\\", "\\00", "\\777", "\\8"]) {
    await assert.rejects(read(text, BYTES), { message }, text);
    await assert.rejects(read(JSON.stringify([text]).replace("[", "{").replace("]", "}"), 1001), {
      message,
    });
  }
});

Deno.test("a reader names the numbers that JSON cannot hold", async () => {
  assert.equal(await read("1e400", JSON_TYPE), "Infinity");
  const texts = [
    '{"__proto__": [-1e400], "b": {"c": 1e400}}',
    lists(200_000).replace("]", "1e400]"),
  ];
  const [small, large] = await Promise.all(texts.map((text) => read(text, JSON_TYPE)));
  assert.equal(JSON.stringify(small), '{"__proto__":["-Infinity"],"b":{"c":"Infinity"}}');
  assert.deepEqual((large as JsonValue[])[0], ["Infinity"]);
  await assert.rejects(read("[".repeat(2_000) + "]".repeat(2_000), JSON_TYPE), {
    message: /column "a": it is nested too deep.*cast it to text/,
  });
});

Deno.test("readRows() lets other work run between the columns of a row", async () => {
  const columns = Array.from({ length: 1_600 }, (_, at) => ({ name: `c${at}`, type: JSON_TYPE }));
  const text = lists(1_000);
  const answer = { columns, rows: [columns.map(() => text)], isCut: false, count: 1 };
  const room = { limit: 1, maxBytes: 8_000_000, read: createReader(parserOf) };
  const { result, turns } = await countTurns(() => readRows(answer, room));
  assert.equal(result.bytes, JSON.stringify(result.rows[0]).length);
  assert.ok(turns > 1);
});

Deno.test("readRows() counts the names and escapes, and stops at the limits", async () => {
  const columns = [{ name: "a", type: TEXT }, { name: "a", type: JSON_TYPE }];
  const rows = Array.from({ length: 3 }, () => ['\u0001"', '{"b": [1]}']);
  const answer = { columns, rows, isCut: false, count: 3 };
  const reader = createReader(parserOf);
  const row = { a: '\u0001"', a_2: { b: [1] } };
  const rowBytes = JSON.stringify(row).length;
  const all = await readRows(answer, { limit: 3, maxBytes: 3 * rowBytes, read: reader });
  assert.deepEqual(all, {
    columns: ["a", "a_2"],
    rows: [row, row, row],
    has_more: false,
    bytes: 3 * rowBytes,
  });
  for (const room of [{ limit: 2, maxBytes: 1_000 }, { limit: 3, maxBytes: 3 * rowBytes - 1 }]) {
    const { rows, has_more } = await readRows(answer, { ...room, read: reader });
    assert.equal(rows.length, 2);
    assert.equal(has_more, true);
  }
});
