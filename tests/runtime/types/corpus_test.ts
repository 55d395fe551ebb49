/** The generated modules of real servers: they compile, and three of them look like this. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { camelCase, nameTools } from "#packs";
import { createModuleGenerator } from "#runtime";
import { readCorpus, readServer } from "../../support/corpus.ts";
import { checkFiles, generatorOf, writeFiles, writeModules } from "../../support/generated.ts";

const GOLDEN = new URL("../../golden/", import.meta.url);
const PINNED = ["everything", "filesystem", "github"];

Deno.test("the module of every server, and of all together, type-checks", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const packs = await readCorpus();
    assert.ok(packs.length >= 34);
    const files = (await writeModules(generatorOf(packs), folder)).map((file) => `./${file}`);
    const index: string[] = [];
    for (const pack of packs) {
      const single = `single/${pack.name}`;
      await writeModules(generatorOf([pack]), join(folder, single));
      index.push(`./${single}/tools.ts`, `./${single}/types/${camelCase(pack.name)}.ts`);
    }
    assert.equal(await checkFiles(folder, [...files, ...index]), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the modules of three servers are as pinned, and type-check", async () => {
  const packs = await Promise.all(PINNED.map(async (name) => {
    return { name, source: `proxy:${name}`, tools: await readServer(name) };
  }));
  const generator = generatorOf(packs);
  const paths: Record<string, string> = { "tools.ts": "tools.ts", "types.ts": "types.ts" };
  for (const name of PINNED) paths[`types/${name}.ts`] = `${name}.ts`;
  const pinned: Record<string, string> = {
    "pack_proxy.ts": generator.file("pack_proxy.ts") ?? "",
    "proj.ts": generator.file("proj.ts") ?? "",
  };
  for (const [path, name] of Object.entries(paths)) {
    const text = generator.file(path) ?? "";
    // `deno test -A tests/runtime/types/corpus_test.ts -- --update` pins what is written now.
    if (Deno.args.includes("--update")) await Deno.writeTextFile(new URL(name, GOLDEN), text);
    pinned[path] = await Deno.readTextFile(new URL(name, GOLDEN));
    assert.equal(text, pinned[path], `tests/golden/${name} differs`);
  }
  const folder = await Deno.makeTempDir();
  try {
    await writeFiles(folder, pinned);
    const files = Object.keys(pinned).map((file) => `./${file}`);
    assert.equal(await checkFiles(folder, files), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("createModuleGenerator() writes ten thousand tools, and again only what changed", async () => {
  const corpus = await readCorpus();
  const packs = Array.from({ length: 10 }, (_, round) => {
    return corpus.map((pack) => ({ ...pack, name: `${pack.name}-${round}` }));
  }).flat();
  const { entries } = nameTools(packs);
  assert.ok(entries.length >= 10_000);
  const generator = createModuleGenerator();
  generator.update(entries);
  assert.equal(generator.version, 1);
  const before = generator.declarations();
  generator.update(nameTools(structuredClone(packs)).entries);
  assert.equal(generator.version, 1);
  const changed = packs.map((pack) => pack.name === "exa-3" ? { ...pack, tools: [] } : pack);
  generator.update(nameTools(changed).entries);
  assert.equal(generator.version, 2);
  const after = generator.declarations();
  const differing = [...before.keys()].filter((path) => before.get(path) !== after.get(path));
  assert.deepEqual(differing, ["types.ts", "types/exa3.ts"]);
});
