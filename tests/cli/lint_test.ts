/** VAL: what is said of a program that is not run, on the command line. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { openGateway } from "../support/gateway.ts";
import { caught, type CaughtOptions } from "./io.ts";

interface Row {
  readonly level: string;
  readonly kind: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pattern?: string;
  readonly rule?: string;
}

/** A folder with files, in which nothing is configured unless one of them is. */
async function openFolder(files: Record<string, string>) {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-lint-" }));
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(join(folder, name, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, name), text);
  }
  const at = { home: folder, cwd: folder };
  return {
    /** The rows of `lint --json`, with the linter of this Deno. */
    async rows(file: string, stdin?: string): Promise<readonly [number, readonly Row[]]> {
      const { code, stdout, stderr } = await cli(["lint", file, "--json"], { ...at, stdin });
      assert.equal(stderr, "");
      return [code, JSON.parse(stdout)];
    },
    /** Without a linter. */
    lint: (argv: readonly string[], options: Partial<CaughtOptions> = {}) =>
      caught(["lint", ...argv], { ...at, program: ["/nonexistent/deno"], ...options }),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

const IMPORT = 'import { tools } from "toolscript";\n';

Deno.test("VAL-14 VAL-17 VAL-20 lint reports the findings of the lists and of the linter", async () => {
  await using it = await openFolder({
    "a.ts": `${IMPORT}var x = tools.ot;\nopen("file.txt");\nif (x) return 1;\n`,
    "b.ts": 'import "node:child_process";\nimport "./lib/c.ts";\nimport "./none.ts";\neval("1");\n',
    "lib/c.ts": 'export const c = eval("2");\n',
  });
  const [code, rows] = await it.rows("a.ts");
  assert.equal(code, 0);
  assert.deepEqual(rows.map(({ level, kind, rule, line }) => [level, kind, rule, line]), [
    ["warning", "lint", "no-var", 2],
    ["warning", "warned", undefined, 3],
  ]);
  assert.equal(rows[1]?.message, "Potentially unsafe function 'open'");
  const [failed, errors] = await it.rows("b.ts");
  assert.equal(failed, 1);
  const failures = errors.filter(({ level }) => level === "error");
  assert.deepEqual(failures.map(({ file, line, kind, pattern }) => [file, line, kind, pattern]), [
    ["b.ts", 1, "blocked", "child_process"],
    ["b.ts", 3, "import", undefined],
    ["b.ts", 4, "blocked", "eval"],
    ["lib/c.ts", 1, "blocked", "eval"],
  ]);
});

Deno.test("VAL-14 lint reads stdin", async () => {
  await using it = await openFolder({});
  const [code, rows] = await it.rows("-", "var a = 1;\n");
  assert.equal(code, 0);
  assert.ok(rows.some(({ rule, file }) => rule === "no-var" && file === "stdin.ts"));
});

Deno.test("VAL-03 VAL-15 lint without a linter reports the findings of the lists", async (t) => {
  await using it = await openFolder({
    "a.ts": "var x = 1;\neval(String(x));\n",
    "good.ts": `${IMPORT}return await tools.ot.version();\n`,
    "syntax.ts": "\n\n\n\nlet let = 1;\n",
    "ask.ts": `${IMPORT}await tools.github.delete_repo({});\n`,
    ".onetool/onetool.yaml": 'security: { ask: ["github.delete_*"], blocked: [secret_thing] }\n',
    "own.ts": "secret_thing();\n",
  });
  const rows: readonly [file: string, code: number, stdout: string][] = [
    ["a.ts", 1, "a.ts:2:1 error: Dangerous builtin 'eval' is not allowed (matches 'eval')\n"],
    ["good.ts", 0, ""],
    [
      "syntax.ts",
      1,
      "syntax.ts:5:5 error: Syntax error at line 5: Unexpected reserved word 'let'\n",
    ],
    [
      "ask.ts",
      0,
      "ask.ts:2:7 warning: 'github.delete_repo' needs confirmation (matches 'github.delete_*')\n",
    ],
    [
      "own.ts",
      1,
      "own.ts:1:1 error: Dangerous builtin 'secret_thing' is not allowed " +
      "(matches 'secret_thing')\n",
    ],
  ];
  for (const [file, code, stdout] of rows) {
    await t.step(file, async () => {
      const result = await it.lint([file]);
      assert.deepEqual([result.code, result.stdout], [code, stdout], result.stderr);
    });
  }
  await t.step("as JSON, nothing is an empty list", async () => {
    assert.equal((await it.lint(["good.ts", "--json"])).stdout, "[]\n");
  });
  await t.step("no such file", async () => {
    const { code, stderr } = await it.lint(["none.ts"]);
    assert.equal(code, 2);
    assert.match(stderr, /^Error: Cannot lint "none.ts": no such file/);
  });
  await t.step("no file at all", async () => {
    const { code, stderr } = await it.lint([]);
    assert.equal(code, 2);
    assert.match(stderr, /^Error: Cannot lint: no script: give a FILE, or - for stdin/);
  });
  await t.step("a wrong configuration", async () => {
    await using other = await openFolder({ ".onetool/onetool.yaml": "alias: 7", "a.ts": "1" });
    assert.equal((await other.lint(["a.ts"])).code, 2);
  });
});

Deno.test("VAL-10 to VAL-13 run --explain recognizes a command that is one call", async (t) => {
  await using gateway = await openGateway({ alias: { search: "ot.help" } });
  const { url, token, home, project } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  const explain = async (command: string) => {
    const at = { home, cwd: project, env };
    const { code, stdout } = await caught(["run", "--explain", "--json", command], at);
    return { code, ...JSON.parse(stdout) };
  };
  const rows: readonly [name: string, command: string, call: unknown][] = [
    ["VAL-10 a call", 'search(query="test")', { name: "search", arguments: { query: "test" } }],
    ["VAL-10 of a pack", "ot.packs(info='list')", {
      name: "ot.packs",
      arguments: { info: "list" },
    }],
    ["VAL-10 in a fence", '```python\nsearch(query="test")\n```', {
      name: "search",
      arguments: { query: "test" },
    }],
    ["VAL-10 without arguments", "ot.version()", { name: "ot.version", arguments: {} }],
    ["VAL-11 a nested call", 'String(search(query="test"))', null],
    ["VAL-11 two statements", "ot.version(); ot.version()", null],
    ["VAL-12 several arguments", 'search(query="test", info="min", limit=5, fresh=True)', {
      name: "search",
      arguments: { query: "test", info: "min", limit: 5, fresh: true },
    }],
  ];
  for (const [name, command, call] of rows) {
    await t.step(name, async () => {
      const reply = await explain(command);
      assert.deepEqual([reply.code, reply.ok, reply.calls], [0, true, 0], reply.text);
      assert.deepEqual(reply.call, call);
    });
  }
  await t.step("VAL-10 of a tool that is not there", async () => {
    const reply = await explain('nowhere(query="test")');
    assert.equal(reply.code, 1);
    assert.deepEqual(reply.call, { name: "nowhere", arguments: { query: "test" } });
  });
  await t.step("VAL-13 no call at all", async () => {
    const reply = await explain("search(query=");
    assert.deepEqual([reply.code, reply.error.code, reply.call], [1, "syntax_error", null]);
    assert.match(reply.text, /^Syntax error at line 1: /);
  });
  await t.step("where nothing is explained there is no such field", async () => {
    const reply = await (await gateway.post("/run", { command: "ot.version()" })).json();
    assert.ok(!("call" in reply));
  });
});
