import assert from "node:assert/strict";
import { readSources, type Source } from "./sources.ts";

Deno.test("no files import each other in a circle, types included", () => {
  assert.deepEqual(circles(readSources()).map((files) => files.join(" ")), []);
});

Deno.test("no rooms of runtime import each other in a circle, types included", () => {
  assert.deepEqual(circles(rooms(readSources())).map((names) => names.join(" ")), []);
});

Deno.test("rooms() joins the files of a room", () => {
  const sources = sourcesOf({
    "runtime/a/x.ts": ["runtime/a/b/y.ts", "runtime/c.ts"],
    "runtime/a/b/y.ts": ["runtime/d/z.ts"],
    "runtime/d/z.ts": ["runtime/a/w.ts"],
    "runtime/c.ts": ["packs/mod.ts"],
    "packs/mod.ts": ["packs/a.ts"],
  });
  assert.deepEqual(circles(rooms(sources)), [["runtime/a", "runtime/d"]]);
});

Deno.test("circles() finds files that import each other", () => {
  const graph = { a: ["b"], b: ["c"], c: ["a", "d"], d: [], e: ["e"], f: ["a", "g"], g: ["f"] };
  assert.deepEqual(circles(sourcesOf(graph)), [["a", "b", "c"], ["e"], ["f", "g"]]);
});

function sourcesOf(graph: Readonly<Record<string, readonly string[]>>): Map<string, Source> {
  return new Map(
    Object.entries(graph).map(([path, targets]) => {
      const imports = targets.map((target) => ({ target, names: [], exportedAs: [] }));
      return [path, { path, text: "", imports, exports: [] }];
    }),
  );
}

/** Rooms of runtime, each as one source with the imports of its files from other rooms. */
function rooms(sources: ReadonlyMap<string, Source>): Map<string, Source> {
  const roomOf = (path: string) => /^runtime\/[^/]+/.exec(path)?.[0];
  const joined = new Map<string, Source>();
  for (const source of sources.values()) {
    const path = roomOf(source.path);
    if (path === undefined) continue;
    const imports = source.imports.flatMap((item) => {
      const target = roomOf(item.target);
      return target === undefined || target === path ? [] : [{ ...item, target }];
    });
    const before = joined.get(path)?.imports ?? [];
    joined.set(path, { path, text: "", imports: [...before, ...imports], exports: [] });
  }
  return joined;
}

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
