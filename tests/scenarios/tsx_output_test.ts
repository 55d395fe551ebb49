/** TSX: what `exec` prints, and how it ends, as a user sees it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cli, type CliResult } from "../support/cli.ts";

Deno.test("TSX-21 to TSX-27 exec prints the program's output, then its value, and ends with 0 or 1", async (t) => {
  const root = await Deno.makeTempDir({ prefix: "toolscript-exec-" });
  const at = { home: root, cwd: root };

  async function exec(script: string): Promise<CliResult> {
    await Deno.writeTextFile(join(root, "report.ts"), script);
    return await cli(["exec", "report.ts"], at);
  }

  await t.step("TSX-21 the value goes to stdout as JSON", async () => {
    const { code, stdout, stderr } = await exec('export default { total: 3, names: ["a"] };');
    assert.deepEqual([code, JSON.parse(stdout), stderr], [0, { total: 3, names: ["a"] }, ""]);
    const text = await exec('"plain"');
    assert.equal(text.stdout, '"plain"\n');
    const nothing = await exec("const a = 1;");
    assert.deepEqual([nothing.code, nothing.stdout], [0, ""]);
  });

  await t.step("TSX-22 console.log goes to stdout, before the value", async () => {
    const { stdout } = await exec('console.log("first");\nconsole.log({ a: 1 });\n5');
    assert.deepEqual(stdout.split("\n"), ["first", "{ a: 1 }", "5", ""]);
  });

  await t.step("TSX-23 console.error goes to stderr", async () => {
    const { code, stdout, stderr } = await exec('console.error("careful"); console.log("fine")');
    assert.deepEqual([code, stdout, stderr], [0, "fine\n", "careful\n"]);
  });

  const failures: [string, string, RegExp][] = [
    [
      "TSX-24 runtime error",
      'const a = 1;\nthrow new RangeError("too far");',
      /RangeError: too far[^]*report\.ts:2:7/,
    ],
    ["TSX-25 syntax error", "let = ;", /Syntax error at line 1: [^]*report\.ts:1:/],
    [
      "TSX-26 type error",
      "const a = 1;\nconst b: string = a;",
      /Type error at line 2: [^]*report\.ts:2:7/,
    ],
    [
      "TSX-27 uncaught promise rejection",
      'Promise.reject(new Error("nobody"));\nawait new Promise((done) => setTimeout(done, 500));',
      /Error: nobody/,
    ],
  ];
  for (const [name, script, says] of failures) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await exec(`${script}\n"never"`);
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /loader|ext:|main\.ts|http:/);
    });
  }
  await Deno.remove(root, { recursive: true });
});
