/** Headings in foreign lines. */

import assert from "node:assert/strict";
import { foreignLine } from "../../../../runtime/ot/lookup/foreign.ts";

const HEADINGS: Record<string, string> = {
  "# a": "\\# a",
  "> 1. ## a #": "> 1. \\## a #",
  "---": "\\---",
  "=== - =": "\\=== - =",
  "> --": "> \\--",
  "1) =": "1) \\=",
  "- - -": "\\- - -",
  "-": "\\-",
};
const OTHERS = [
  "a # b",
  "a -",
  "--x",
  "- a",
  "a",
  "* b ---",
  "1.5",
  ">",
  "",
  "- = a",
];

Deno.test("a foreign line makes no heading", () => {
  for (const [line, escaped] of Object.entries(HEADINGS)) {
    assert.equal(foreignLine(line, 99), escaped);
  }
  for (const line of OTHERS) assert.equal(foreignLine(line, 99), line);
});

Deno.test("a long foreign line is searched for a heading once", () => {
  for (const part of ["-", "= ", "- x", ">", "1.", ". -", "#"]) {
    const line = `${part.repeat(2 ** 20)}x`;
    assert.ok(foreignLine(line, Infinity).endsWith("x"));
  }
});
