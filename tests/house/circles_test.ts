import assert from "node:assert/strict";
import { readSources, type Source } from "./sources.ts";

Deno.test("no files import each other in a circle, types included", () => {
  assert.deepEqual(circles(readSources()).map((files) => files.join(" ")), []);
});

Deno.test("circles() finds files that import each other", () => {
  const graph = { a: ["b"], b: ["c"], c: ["a", "d"], d: [], e: ["e"], f: ["a", "g"], g: ["f"] };
  const sources = new Map(
    Object.entries(graph).map(([path, targets]): [string, Source] => {
      const imports = targets.map((target) => ({ target, names: [], exportedAs: [] }));
      return [path, { path, text: "", imports, exports: [] }];
    }),
  );
  assert.deepEqual(circles(sources), [["a", "b", "c"], ["e"], ["f", "g"]]);
});

/** Groups of files that reach each other, each in the order of the alphabet. */
function circles(sources: ReadonlyMap<string, Source>): string[][] {
  const reach = new Map([...sources.keys()].map((path) => [path, reached(sources, path)]));
  const groups = new Map<string, string[]>();
  for (const [path, targets] of reach) {
    if (!targets.has(path)) continue;
    const group = [...targets].filter((target) => reach.get(target)?.has(path)).sort();
    groups.set(group.join(" "), group);
  }
  return [...groups.keys()].sort().map((key) => groups.get(key) ?? []);
}

/** Files that a file imports, and those that they import. */
function reached(sources: ReadonlyMap<string, Source>, path: string): Set<string> {
  const seen = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { target } of sources.get(next)?.imports ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}
