import assert from "node:assert/strict";
import { dirname } from "node:path";
import { readSources } from "./sources.ts";

/** Files that one may read through at one level. */
const MAX_FILES = 20;

Deno.test("no folder of the product holds more files than a person can look through", () => {
  const byFolder = Map.groupBy(readSources().keys(), (path) => dirname(path));
  assert.ok(byFolder.size > 50);
  const crowded = [...byFolder].filter(([, paths]) => paths.length > MAX_FILES);
  assert.deepEqual(crowded.map(([folder, paths]) => `${folder}: ${paths.length}`), []);
});
