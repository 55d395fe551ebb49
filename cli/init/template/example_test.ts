// Run it in this folder: deno test example_test.ts
import assert from "node:assert/strict";
import { greet, measure } from "./example_tools.ts";

Deno.test("greet() speaks three languages", () => {
  assert.equal(greet("Ana"), "Hello, Ana!");
  assert.equal(greet("Ana", "fr"), "Bonjour, Ana!");
});

Deno.test("measure() counts words and characters", () => {
  assert.deepEqual(measure("the more the merrier"), { words: 4, characters: 20 });
  assert.deepEqual(measure(""), { words: 0, characters: 0 });
});
