import assert from "node:assert/strict";
import { freeName } from "../../../runtime/syntax/free_name.ts";

Deno.test("freeName() gives the shortest name that is not in the text", () => {
  assert.equal(freeName("$a", "a $ b"), "$a");
  assert.equal(freeName("$a", "$a__ $a $a_"), "$a___");
  // Text that a search for each longer name would take hours for.
  const run = "_".repeat(1_000_000);
  assert.ok(freeName("$a", `$a${run}`) === `$a${run}_`);
  assert.equal(freeName("__value", "__value__value___"), "__value____");
});
