/** The author's lines under an error. */

import { equal } from "node:assert/strict";
import { excerpt } from "../../../runtime/run/problem/excerpt.ts";

const TEXT = "a = 1\r\nb =\t2\rc\n\n  d(";

Deno.test("excerpt() shows a line, with a caret below the column", async (t) => {
  const rows: [line: number, column: number | undefined, expected: string][] = [
    [1, undefined, "  1 | a = 1"],
    [2, 5, "  2 | b = 2\n    |     ^"],
    [3, 1, "  3 | c\n    | ^"],
    [4, 1, ""],
    [5, 3, "  5 |   d(\n    |   ^"],
    [6, 1, ""],
  ];
  for (const [line, column, expected] of rows) {
    await t.step(`line ${line}`, () => equal(excerpt(TEXT, line, column), expected));
  }
  await t.step("the part of a long line around the column", () => {
    const text = `\n${"x".repeat(5_000)}y${"z".repeat(5_000)}\n`;
    const [extract = "", caret = ""] = excerpt(text, 2, 5_001).split("\n");
    equal(extract[caret.indexOf("^")], "y");
    equal(extract.length, "  2 | ".length + 160);
  });
});

Deno.test("excerpt() looks for no line behind the first 20,000", () => {
  const text = "x\n".repeat(30_000);
  equal(excerpt(text, 20_000), "  20000 | x");
  equal(excerpt(text, 20_001), "");
});
