/** `toolscript init pack`: the pack that it makes is tested and called for real. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { openFolders } from "../support/packs.ts";
import { environmentWithUv } from "../support/uv.ts";
import { caught } from "./io.ts";

Deno.test("init pack writes packs that pass their tests and answer calls", async (t) => {
  await using folders = await openFolders({});
  const { project, home } = folders;
  await Deno.mkdir(join(project, ".onetool"));
  const { PATH = "" } = await environmentWithUv();
  const at = { cwd: project, home, env: { PATH } };
  const shell = async (line: string) => {
    const own = Deno.execPath().replace(/\/[^/]*$/, "");
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", line],
      cwd: project,
      env: { PATH: `${own}:${PATH}`, NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { code, text };
  };

  for (const [name, flags] of [["words", []], ["figures", ["--python"]]] as const) {
    await t.step(`${name}: made`, async () => {
      const made = await cli(["init", "pack", name, ...flags], at);
      assert.equal(made.code, 0, made.stderr);
      const ending = flags.length > 0 ? "py" : "ts";
      const files = ["tools", "test"].map((kind) =>
        `.onetool/tools/${name}/${name}_${kind}.${ending}\n`
      );
      assert.equal(made.stdout, files.join(""));
      const [, command = ""] = /^Test it: +(.*)$/m.exec(made.stderr) ?? [];
      const tested = await shell(command);
      assert.equal(tested.code, 0, tested.text);
      assert.match(tested.text, /2 passed|Ran 3 tests/);
    });
    await t.step(`${name}: called`, async () => {
      const command = `[${name}.greet(name="Ana", language="de"), ${name}.measure(text="a b")]`;
      const { code, stdout, stderr } = await cli(["run", command], at);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), ["Hallo, Ana!", { words: 2, characters: 3 }]);
    });
  }
});

Deno.test("init pack refuses invalid names, and changes no existing file", async (t) => {
  await using folders = await openFolders({
    project: { "there/there_tools.py": "", "half/half_test.ts": "mine" },
  });
  const { project, home } = folders;
  const config = "servers: { memory: { command: x } }\n";
  await Deno.writeTextFile(join(project, ".onetool/onetool.yaml"), config);
  const rows: [string[], RegExp][] = [
    [[], /no name: use toolscript init pack/],
    [["my-pack"], /a name has letters.*: try "my_pack"/],
    [["../x"], /a name has letters.*: try "x"/],
    [["1"], /a name has letters/],
    [["a".repeat(65)], /at most 64: try "a{64}"/],
    [["class"], /a reserved word: try "class_tools"/],
    [["ot"], /a pack that Toolscript needs has this name/],
    [["memory"], /a server has this name/],
    [["grep"], /a pack that comes with Toolscript has this name/],
    [["there"], /there_tools\.py has this name/],
    [["half"], /tools\/half" has files already: choose another name, or remove it/],
  ];
  for (const [words, message] of rows) {
    await t.step(words.join(" ").slice(0, 20), async () => {
      const { code, stdout, stderr } = await caught(["init", "pack", ...words], {
        cwd: project,
        home,
      });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
  await t.step("the home folder has names of its own", async () => {
    const argv = ["init", "pack", "there", "--home", "--json"];
    const { code, stdout } = await caught(argv, { cwd: project, home });
    assert.equal(code, 0);
    const { files } = JSON.parse(stdout);
    assert.equal(files[0], join(home, ".onetool/tools/there/there_tools.ts"));
    assert.ok((await Deno.stat(files[1])).isFile);
  });
  const left = [...Deno.readDirSync(join(project, ".onetool/tools"))].map(({ name }) => name)
    .sort();
  assert.deepEqual(left, ["half", "there"]);
  assert.equal(await Deno.readTextFile(join(project, ".onetool/tools/half/half_test.ts")), "mine");
});
