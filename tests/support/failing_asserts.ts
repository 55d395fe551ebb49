/** Loaded before the examples of doc comments: an assertion of `console` that fails ends them. */

import assert from "node:assert/strict";

Reflect.set(globalThis.console, "assert", (condition?: unknown, ...facts: readonly unknown[]) => {
  assert.ok(condition, facts.join(" "));
});
