/** The `grep` pack over a real tree, with ripgrep and without. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram, type JsonObject } from "#base";
import { type Pack, PackError } from "#packs";
import { loadConfig } from "#config";
import { makeBuiltin } from "../../../support/builtin.ts";
import { longestTurn } from "../../../support/turns.ts";

const SOURCES: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  "src/main.ts":
    "import a from 'a';\n// TODO one\nexport const x = 1;\n// todo two\n\n// TODO three",
  "src/deep/er/b.ts": "const TODO = 'é TODO';\r\nnext line\r\n// TODO end\r\n",
  "src/a.b.ts": "a.b(c) TODO\na-b\n",
  "src-2/x.ts": "TODO in another\n",
  "notes.md": "# TODO\n\nTODO again, word TODOS\nfoo\nbar\n",
  "long.js": `${"x".repeat(2_000)}TODO${"y".repeat(2_000)}\n`,
  "wide.txt": new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(
      new Uint16Array([..."TODO wide\n"]
        .map((letter) => letter.charCodeAt(0))).buffer,
    ),
  ]),
  "latin.txt": new Uint8Array([0x54, 0x4f, 0x44, 0x4f, 0x20, 0xe9, 0x0a]),
  "binary.bin": new Uint8Array([0x54, 0x4f, 0x44, 0x4f, 0x00, 0x0a]),
  "late.bin": `TODO\n${"z\n".repeat(60_000)}\0\nTODO\n`,
  "one/line.txt": `${"q".repeat(200_000)}\n`,
  "one/odd.txt": `${"\x01".repeat(400_000)}\n`,
  "many/lines.txt": "é: qq\n".repeat(3_000),
  ".hidden/h.ts": "TODO hidden\n",
  ".git/config": "TODO never\n",
  ".gitignore": "dist/\n*.log\n!keep.log\n/only-root.txt\n",
  "dist/out.js": "TODO built\n",
  "a.log": "TODO log\n",
  "keep.log": "TODO kept\n",
  "only-root.txt": "TODO\n",
  "sub/only-root.txt": "TODO sub\n",
  "sub/.gitignore": "*.tmp\n",
  "sub/x.tmp": "TODO tmp\n",
  "sub/.ignore": "!x.tmp\nskipped/\n",
  "sub/skipped/y.ts": "TODO skipped\n",
  ".onetool/secrets.yaml": "TODO: secret\n",
};

const SEARCHES: readonly JsonObject[] = [
  { pattern: "TODO" },
  { pattern: "todo", ignore_case: true, context: 2 },
  { pattern: "TODO", word: true, path: "notes.md" },
  { pattern: "a.b(c)", fixed: true },
  { pattern: "^\\S+\\s(TODO|=)", path: "src" },
  { pattern: "TODO$" },
  { pattern: "\\bTODO\\b.*[a-z]\\b", glob: ["*.ts", "!**/deep/**"] },
  { pattern: "TODO", glob: ["src/**/*.ts"] },
  { pattern: "TODO", glob: ["*.{ts,md}"], limit: 3 },
  { pattern: "TODO", hidden: true },
  { pattern: "TODO", ignored: true },
  { pattern: "TODO", ignored: true, hidden: true },
  { pattern: "TODO", path: "sub" },
  { pattern: "TODO", path: "dist" },
  { pattern: "foo\\nbar", multiline: true, context: 1 },
  { pattern: "TODO[^]{0,20}?line", multiline: true },
  { pattern: "é", context: 1 },
  { pattern: "[^ -~]", glob: ["*.ts"] },
  { pattern: "x|^$" },
  { pattern: "(?<=// )TODO" },
  { pattern: "q", multiline: true, path: "one", limit: 5 },
  { pattern: "[^x]", path: "one", limit: 5 },
  { pattern: "q\\né", multiline: true, path: "many", limit: 500, context: 1 },
  { pattern: "q", multiline: true, path: "many", limit: 7 },
  { pattern: "q", path: "many", limit: 2, context: 3 },
  { pattern: "q", multiline: true, path: "many", limit: 3, context: 4 },
  // It takes more memory than ripgrep is given for one.
  { pattern: "TODO [a-z]*|[ab]{2500000}x" },
];

async function tree(): Promise<string> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  for (const [name, content] of Object.entries(SOURCES)) {
    const path = join(folder, name);
    await Deno.mkdir(join(path, ".."), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else await Deno.writeFile(path, content);
  }
  return folder;
}

async function grep(project: string, settings: JsonObject = {}): Promise<Pack> {
  const { packs, closed } = await loadConfig({ env: {}, home: project, cwd: project });
  const config = { packs: { ...packs, grep: { ...packs.grep, ...settings } }, closed };
  const pack = makeBuiltin(config, { project, home: project })
    .find(({ name }) => name === "grep");
  assert.ok(pack);
  return pack;
}

async function value(pack: Pack, tool: string, args: JsonObject): Promise<unknown> {
  return (await pack.call(tool, args, {})).value;
}

Deno.test("grep finds the same matches with and without ripgrep", async (t) => {
  const project = await tree();
  await using slow = await grep(project, { ripgrep: "never" });
  await using fast = await grep(project);
  for (const args of SEARCHES) {
    for (const tool of ["search", "files", "count"]) {
      const { context: _, ...rest } = args;
      const toolArgs = tool === "search" ? args : rest;
      const name = `${tool} ${JSON.stringify(toolArgs)}`;
      const ignore = !findProgram("rg");
      await t.step({
        name,
        ignore,
        fn: async () => {
          assert.deepEqual(await value(fast, tool, toolArgs), await value(slow, tool, toolArgs));
        },
      });
    }
  }
  await Deno.remove(project, { recursive: true });
});

Deno.test("grep applies ignore files, closed paths and limits", async (t) => {
  const project = await tree();
  await using pack = await grep(project, { ripgrep: "never", timeoutMs: 1_500 });
  const paths = async (args: JsonObject) =>
    (await value(pack, "files", { pattern: "TODO", ...args }) as { paths: string[] }).paths;

  await t.step("ignored and unignored files", async () => {
    const names = await paths({});
    for (const path of ["dist/out.js", "a.log", "only-root.txt", "sub/skipped/y.ts"]) {
      assert.ok(!names.includes(path), path);
    }
    for (const path of ["keep.log", "sub/only-root.txt", "sub/x.tmp", "wide.txt", "latin.txt"]) {
      assert.ok(names.includes(path), path);
    }
  });
  await t.step("no binary files, git or secrets", async () => {
    const names = await paths({ ignored: true, hidden: true });
    assert.ok(names.includes(".hidden/h.ts") && names.includes("dist/out.js"));
    for (const path of ["binary.bin", "late.bin", ".git/config", ".onetool/secrets.yaml"]) {
      assert.ok(!names.includes(path), path);
    }
  });
  await t.step("context, place and a long line's part", async () => {
    const { matches } = await value(pack, "search", { pattern: "three|TODOy", context: 2 }) as {
      matches: { path: string; line: number; column: number; text: string; before?: string[] }[];
    };
    const [long, three] = matches;
    assert.ok(long && long.column === 2_001 && long.text.length < 600);
    assert.ok(long.text.includes("TODO"));
    assert.deepEqual(three, {
      path: "src/main.ts",
      line: 6,
      column: 9,
      text: "// TODO three",
      before: ["// todo two", ""],
      after: [],
    });
  });
  await t.step("names", async () => {
    assert.deepEqual(await value(pack, "names", { glob: ["*.ts"], path: "src" }), {
      entries: ["src/a.b.ts", "src/deep/er/b.ts", "src/main.ts"].map((path) => ({
        path,
        kind: "file",
      })),
      more: false,
    });
    const { more } = await value(pack, "names", { limit: 2 }) as { more: boolean };
    assert.equal(more, true);
  });
  await t.step("a pattern that never ends is stopped; the next search works", async () => {
    await Deno.writeTextFile(join(project, "evil.txt"), `${"a".repeat(5_000)}b\n`);
    await assert.rejects(
      value(pack, "search", { pattern: "(?=x?)(a+)+$", path: "evil.txt" }),
      (error) => error instanceof PackError && error.code === "timeout",
    );
    assert.equal((await paths({ path: "notes.md" })).length, 1);
  });
  await t.step("refusals have a reason", async () => {
    await Deno.symlink("/etc", join(project, "link"));
    const rows: readonly [JsonObject, RegExp][] = [
      [{ pattern: "(" }, /^Cannot search for "\(": .*fixed=true$/],
      [{ pattern: "x", path: "../../.." }, /outside the allowed folders/],
      [{ pattern: "x", path: "link/passwd" }, /outside the allowed folders/],
      [{ pattern: "x", path: "/etc/nothing-here" }, /outside the allowed folders/],
      [{ pattern: "x", path: "nothing" }, /"nothing": no such file or folder$/],
      [{ pattern: "x", path: ".onetool/secrets.yaml" }, /it holds secrets/],
    ];
    for (const [args, message] of rows) {
      await assert.rejects(value(pack, "search", args), { message });
    }
    assert.deepEqual(await paths({ pattern: "root:", hidden: true }), []);
  });
  await Deno.remove(project, { recursive: true });
});

Deno.test("grep matches hostile globs and ignore files in a worker", async () => {
  const project = await tree();
  await using pack = await grep(project, { timeoutMs: 1_500 });
  await Deno.writeTextFile(join(project, "a".repeat(120)), "TODO\n");
  const deep = "a/".repeat(60);
  await Deno.mkdir(join(project, "below", deep), { recursive: true });
  const longest = longestTurn();
  const isLate = (error: unknown) => error instanceof PackError && error.code === "timeout";
  const choice = Array.from({ length: 30 }, (_, at) => `?????${at}`).join();
  for (
    const glob of [
      `!*?*?*{${choice}}z`,
      "*a*a*a*a*a*b",
      "{a*,*a}*{a*,*a}*{a*,*a}*{a*,*a}*c",
      "+(a|aa)+(a|aa)b",
    ]
  ) {
    // Whether it ends in time is the machine's to say.
    await value(pack, "files", { pattern: "TODO", glob: [glob] }).catch((error) => {
      assert.ok(isLate(error), String(error));
    });
  }
  const below = "x/".repeat(900);
  await Deno.mkdir(join(project, "far", below), { recursive: true });
  await Deno.writeTextFile(join(project, "far", below, "z.txt"), "TODO\n");
  const excludes = Array.from({ length: 6 }, (_, at) => `!**/x/**/q${at}`);
  const many = Array.from({ length: 100 }, (_, at) => `!**/x/**/x/**/q${at}`);
  for (const glob of [excludes, many]) {
    const search = value(pack, "files", { pattern: "TODO", path: "far", glob });
    await search.catch((error) => assert.ok(isLate(error), String(error)));
  }
  await Deno.writeTextFile(join(project, ".gitignore"), "/**/a/**/a/**/a/**/a/**/a/**/a/**/b\n");
  await assert.rejects(value(pack, "files", { pattern: "x", path: `below/${deep}` }), isLate);
  assert.ok(longest() < 5_000, `${longest()} ms`);
  await Deno.remove(project, { recursive: true });
});

Deno.test("grep limits the size of a result", async () => {
  const project = await tree();
  await using pack = await grep(project);
  await Deno.writeTextFile(join(project, "large.txt"), `${"x".repeat(400)}\n`.repeat(5_000));
  for (const pattern of ["^x", "(?=x)x"]) {
    const args = { pattern, context: 50, limit: 10_000, path: ".", glob: ["large.txt"] };
    const { matches, more } = await value(pack, "search", args) as {
      matches: unknown[];
      more: boolean;
    };
    assert.ok(more && matches.length > 100 && JSON.stringify(matches).length < 20_000_000);
  }
  await Deno.remove(project, { recursive: true });
});
