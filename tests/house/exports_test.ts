import assert from "node:assert/strict";
import { filesIn, FOLDERS, IMPORTS, readSources, ROOT, type Source } from "./sources.ts";

/** Where the program begins, and files whose text another process gets. */
const ENTRIES = [
  "main.ts",
  "packs/worker/deno/toolscript.ts",
  "runtime/types/lists.ts",
  "runtime/types/pack_proxy.ts",
  "runtime/types/proj.ts",
  "sandbox/child/boot.ts",
  "sandbox/child/loader.ts",
];

/** Declarations of libraries, and files that are copied for a user. */
function isApart(path: string): boolean {
  return path.endsWith(".d.ts") || path.startsWith("cli/init/template/");
}

/** Servers that tests and examples start by name. */
const SERVERS = /^@modelcontextprotocol\/server-/;

Deno.test("every export is reached from main.ts", () => {
  const sources = readSources();
  const dead = deadExports(new Map([...sources].filter(([path]) => !isApart(path))));
  assert.deepEqual(dead, []);
});

Deno.test("every import of the map is used", async () => {
  const files = ["bench", "examples", "tests", ...FOLDERS].flatMap((
    folder,
  ) => [...filesIn(folder)]);
  const texts = await Promise.all(
    ["main.ts", ...files].map((path) => Deno.readTextFile(ROOT + path)),
  );
  const text = texts.join("\n");
  const isUsed = (name: string) => text.includes(`"${name}"`) || SERVERS.test(name);
  assert.deepEqual(Object.keys(IMPORTS).filter((name) => !isUsed(name)), []);
});

Deno.test("deadExports() finds exports that no file of the product imports", () => {
  const source = (path: string, parts: Partial<Source>): [string, Source] => {
    return [path, { path, text: "", imports: [], exports: [], ...parts }];
  };
  const door = { target: "a.ts", names: ["used", "left"], exportedAs: ["used", "left"] };
  const sources = new Map([
    source("main.ts", { imports: [{ target: "mod.ts", names: ["used"], exportedAs: [] }] }),
    source("mod.ts", { imports: [door] }),
    source("a.ts", { exports: ["used", "left", "own"], text: "own own" }),
    source("b.ts", { exports: ["alone"] }),
  ]);
  assert.deepEqual(deadExports(sources), ["a.ts left", "b.ts"]);
});

/** Files that are not reached from the entries, and `path name` of each export that no file reached from the entry takes, nor its own file uses. */
function deadExports(sources: ReadonlyMap<string, Source>): string[] {
  const taken = new Set<string>();
  const reached = new Set<string>();

  function reach(path: string): void {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { target, names, exportedAs } of sources.get(path)?.imports ?? []) {
      reach(target);
      if (exportedAs.length === 0) { for (const name of names) take(target, name); }
    }
  }

  function take(path: string, name: string): void {
    const item = `${path} ${name}`;
    const source = sources.get(path);
    if (taken.has(item) || !source) return;
    taken.add(item);
    if (name === "*") { for (const own of source.exports) taken.add(`${path} ${own}`); }
    for (const { target, names, exportedAs } of source.imports) {
      exportedAs.forEach((exported, at) => {
        if (exported === "*") take(target, name);
        else if (exported === name || name === "*") take(target, names[at] ?? name);
      });
    }
  }

  for (const entry of ENTRIES) {
    reach(entry);
    take(entry, "*");
  }
  return [...sources.values()].flatMap(({ path, text, exports }) => {
    if (!reached.has(path)) return [path];
    const dead = exports.filter((name) => !taken.has(`${path} ${name}`) && usesOf(name, text) < 2);
    return dead.map((name) => `${path} ${name}`);
  }).sort();
}

function usesOf(name: string, text: string): number {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "");
  return [...code.matchAll(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`, "g"))].length;
}
