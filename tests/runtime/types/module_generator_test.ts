/** Files of the module generator, and when it writes them again. */

import assert from "node:assert/strict";
import { nameTools } from "#packs";
import { createModuleGenerator } from "#runtime";
import { generatorOf, packOf } from "../../support/generated.ts";

const PACKS = [
  packOf("files", [{ name: "read_file" }, { name: "read_dir" }, { name: "write" }]),
  packOf("git-hub", [{ name: "get_issue" }]),
  packOf("a", [{ name: "b__c" }]),
  packOf("a__b", [{ name: "c" }]),
];

/** The rows of the module's table. */
async function rows(filter: readonly string[] = []): Promise<string[]> {
  const text = await generatorOf(PACKS).filtered("tools.ts", filter) ?? "";
  return text.split("\n").filter((line) => line.startsWith("  [")).map((line) => line.trim());
}

Deno.test("the filter takes servers, tools and globs of either", async (t) => {
  const table: [filter: string[], rows: string[]][] = [
    [["files"], ['["files", "files", "read_file read_dir write"],']],
    [["files__read_file"], ['["files", "files", "read_file"],']],
    [["files__readFile"], ['["files", "files", "read_file"],']],
    [["files__read_*"], ['["files", "files", "read_file read_dir"],']],
    [["f*s"], ['["files", "files", "read_file read_dir write"],']],
    [["*__read_???"], ['["files", "files", "read_dir"],']],
    [["gitHub", "files__write"], [
      '["files", "files", "write"],',
      '["git-hub", "gitHub", "get_issue"],',
    ]],
    [["a__b__c"], ['["a", "a", "", [["b__c", "bC", "a__b__c"]]],']],
    [["a__?__c"], ['["a", "a", "", [["b__c", "bC", "a__b__c"]]],']],
    [["a__b__c__2"], ['["a__b", "aB", "", [["c", "c", "a__b__c__2"]]],']],
    [["aB__c"], ['["a__b", "aB", "", [["c", "c", "a__b__c__2"]]],']],
    [["nothing", "*nothing*"], []],
    [["*"], await rows()],
    [[], await rows()],
  ];
  for (const [filter, expected] of table) {
    await t.step(filter.join() || "none", async () => {
      assert.deepEqual(await rows(filter), expected);
    });
  }
});

Deno.test("the filter of a server's own file tells tools apart by their wire names, too", async () => {
  const generator = generatorOf(PACKS);
  const file = (path: string) => generator.filtered(path, ["a__b__c"]);
  assert.equal(await file("types/aB.ts"), undefined);
  assert.ok(await file("types/a.ts"));
});

Deno.test("a filter entry that names nothing is noted in one line", async () => {
  const filter = ["files", "none\n*/ evil(); //\u2028", "x".repeat(10_000)];
  const text = await generatorOf(PACKS).filtered("tools.ts", filter) ?? "";
  const notes = text.split("\n").filter((line) => line.startsWith("// No such tool: "));
  assert.equal(notes.length, 2);
  assert.equal(notes[0], String.raw`// No such tool: "none\n*/ evil(); //\u2028"`);
  assert.ok((notes[1]?.length ?? 0) < 300);
});

Deno.test("of filter entries that name nothing, 20 are noted", async () => {
  const filter = Array.from({ length: 33 }, (_, at) => `x${at}`);
  const lines = (await generatorOf(PACKS).filtered("tools.ts", filter) ?? "").split("\n");
  assert.equal(lines.filter((line) => line.startsWith("// No such tool: ")).length, 20);
  assert.ok(lines.includes("// And 13 more"));
});

Deno.test("a filter of costly globs is applied quickly", async () => {
  const filter = Array.from({ length: 2000 }, (_, at) => `*a*a*a*a*a*a*a*a*b${at}`);
  const tools = Array.from({ length: 200 }, (_, at) => ({ name: `${"a".repeat(100)}${at}` }));
  const begun = performance.now();
  await generatorOf([packOf("p", tools)]).filtered("tools.ts", filter);
  assert.ok(performance.now() - begun < 60_000);
});

Deno.test("createModuleGenerator() serves its own files and nothing else", () => {
  const generator = generatorOf(PACKS);
  const paths = [...generator.declarations().keys()];
  assert.deepEqual(paths, [
    "tools.ts",
    "pack_proxy.ts",
    "proj.ts",
    "lists.ts",
    "types.ts",
    "types/files.ts",
    "types/gitHub.ts",
    "types/a.ts",
    "types/aB.ts",
  ]);
  for (const path of paths) assert.ok(generator.file(path));
  for (const path of ["", "emit.ts", "../mod.ts", "types/", "types/x.ts", "__proto__"]) {
    assert.equal(generator.file(path), undefined);
  }
  assert.doesNotMatch(generator.declarations().get("tools.ts") ?? "", /read_file/);
});

Deno.test("createModuleGenerator() counts versions, and keeps unchanged packs", () => {
  const generator = createModuleGenerator();
  assert.equal(generator.version, 0);
  assert.match(generator.file("types.ts") ?? "", /interface Tools \{\n\}/);
  generator.update(nameTools(PACKS).entries);
  generator.update(nameTools(PACKS).entries);
  generator.update(nameTools(structuredClone(PACKS)).entries);
  assert.equal(generator.version, 1);
  const described = packOf("files", [{ name: "read_file", description: "Reads" }]);
  generator.update(nameTools([described]).entries);
  assert.equal(generator.version, 2);
  assert.match(generator.file("types/files.ts") ?? "", /\/\*\* Reads \*\//);
  assert.equal(generator.file("types/gitHub.ts"), undefined);
  generator.update([]);
  assert.equal(generator.version, 3);
});

Deno.test("createModuleGenerator() writes a tool again when it gets another key", () => {
  const generator = createModuleGenerator();
  const [first, second] = [{ name: "do_it" }, { name: "doIt" }];
  const pack = packOf("p", [first, second]);
  const alone = { ...pack, tools: pack.tools.slice(0, 1) };
  generator.update(nameTools([alone]).entries);
  assert.match(
    generator.file("types/p.ts") ?? "",
    /doIt\(args\?: DoItArgs, options\?: CallOptions\)/,
  );
  generator.update(nameTools([pack]).entries);
  const text = generator.file("types/p.ts") ?? "";
  assert.match(text, /doIt_2\(args\?: DoIt_2Args, options\?: CallOptions\)/);
  assert.match(text, /readonly do_it: PTools\["doIt_2"\];/);
});

Deno.test("prepare() prepares the declarations, and yields", async () => {
  const tools = Array.from({ length: 3000 }, (_, at) => {
    return { name: `t${at}`, inputSchema: { properties: { [`p${at}`]: { type: "string" } } } };
  });
  const generator = generatorOf([packOf("p", tools)]);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await generator.prepare();
  clearInterval(timer);
  assert.ok(turns > 0);
  assert.match(generator.declarations().get("types/p.ts") ?? "", /p2999\?: string/);
});
