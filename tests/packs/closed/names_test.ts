import assert from "node:assert/strict";
import { keyOf } from "../../../packs/closed/names.ts";

Deno.test("keyOf() drops blanks and dots at the end of a name, of a long one too", () => {
  assert.equal(keyOf("/A. ./b ..c. "), "/a/b ..c");
  assert.equal(keyOf(`/a${" ".repeat(1_000_000)}x. `).length, 1_000_003);
});
