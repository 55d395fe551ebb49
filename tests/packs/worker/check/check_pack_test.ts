/** checkPack() says what is wrong with a pack, for `toolscript doctor`. */

import assert from "node:assert/strict";
import { silent } from "#base";
import { checkPack, createWatcher, discoverPacks, type PackFinding } from "#packs";
import { createModuleDescriber } from "#runtime";
import { openFolders } from "../../../support/packs.ts";
import { environmentWithUv } from "../../../support/uv.ts";

const FILES = {
  "good/good_tools.ts": `// /// script
// dependencies = ["dayjs@1.11.13"]
// ///
import dayjs, { type Dayjs } from "dayjs";
export const unix = (day: string): ReturnType<Dayjs["unix"]> => dayjs(day).unix();
`,
  "typo/typo_tools.ts": "export const f = () => 1;\nexport const g = (): string => 1;\n",
  "throws/throws_tools.ts": "export const f = () => 1;\n\nnull.x;\n",
  "nothing/nothing_tools.ts": "export const a = 1;\n",
  "asks/asks_tools.ts":
    '// /// script\n// permissions = { net = ["a.com"] }\n// ///\nexport const f = () => 1;\n',
  "wrong/wrong_tools.ts":
    '// /// script\n// dependencies = ["@@"]\n// ///\nexport const f = () => 1;\n',
  "python/python_tools.py": "def f(): return 1\nnope\n",
};
const EXPECTED: Readonly<Record<string, readonly [string, number | undefined, RegExp][]>> = {
  asks: [["warning", undefined, /Not granted: net = \["a.com"\]/]],
  good: [],
  nothing: [["warning", undefined, /The pack has no tools: the file has no exported function/]],
  python: [["error", 2, /NameError/]],
  throws: [["warning", 3, /Type error/], ["error", 3, /TypeError: Cannot read properties of null/]],
  typo: [["warning", 2, /Type error: Type 'number' is not assignable to type 'string'/]],
  wrong: [["error", 1, /"@@" names no package/], ["error", undefined, /"@@" names no package/]],
};

Deno.test("checkPack() names file, line, message and the way out", async (t) => {
  await using folders = await openFolders({ project: FILES });
  const { project, home } = folders;
  // What stands there says nothing of how a pack's packages are installed.
  await Deno.writeTextFile(`${project}/deno.json`, "no JSON");
  const watcher = createWatcher({ log: silent });
  const deps = {
    log: silent,
    watcher,
    project,
    home,
    cacheDir: `${project}/.onetool/cache`,
    describe: createModuleDescriber({ deno: Deno.execPath() }),
    environment: await environmentWithUv(),
    deno: Deno.execPath(),
    callAnother: () => Promise.reject(new Error("not here")),
  };
  const { packs } = discoverPacks({ project, home, reserved: new Map() });
  assert.deepEqual(packs.map(({ name }) => name), Object.keys(EXPECTED));
  for (const file of packs) {
    await t.step(file.name, async () => {
      const findings = await checkPack(file, { ...deps, settings: {} });
      const expected = EXPECTED[file.name] ?? [];
      assert.equal(findings.length, expected.length, JSON.stringify(findings));
      expected.forEach((row, index) => assertFinding(findings[index], row));
      assert.ok(findings.every((finding) => finding.file === file.file));
    });
  }
  await watcher[Symbol.asyncDispose]();
});

function assertFinding(
  finding: PackFinding | undefined,
  [severity, line, message]: readonly [string, number | undefined, RegExp],
): void {
  assert.deepEqual([finding?.severity, finding?.line], [severity, line], JSON.stringify(finding));
  assert.match(finding?.message ?? "", message);
}

Deno.test("discoverPacks() reads no endless file", async () => {
  await using folders = await openFolders({
    project: { "good/good_tools.ts": FILES["typo/typo_tools.ts"] },
  });
  const folder = `${folders.project}/.onetool/tools/endless`;
  await Deno.mkdir(folder);
  await Deno.symlink("/dev/zero", `${folder}/endless_tools.ts`);
  const { packs } = discoverPacks({ ...folders, reserved: new Map() });
  assert.deepEqual(packs.map(({ name }) => name), ["good"]);
});
