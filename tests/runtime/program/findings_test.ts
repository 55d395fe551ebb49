import { parse } from "@babel/parser";
import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { createProgramReader } from "../../../runtime/program/mod.ts";
import { readCommand } from "../../../runtime/program/read_command.ts";
import { readScript } from "../../../runtime/program/read_script.ts";
import { createSecurityPolicy } from "../../../runtime/validate/mod.ts";
import { atRest } from "../../support/processor.ts";
import { TABLE } from "../command/names.ts";
import { PROGRAMS } from "./programs.ts";

const POLICY = createSecurityPolicy();

function finding(script: string, files: Record<string, string> = {}) {
  const read = readScript({ script, file: "script.ts", files }, POLICY);
  return read.kind === "finding" ? read.finding : undefined;
}

Deno.test("TSX-25 a syntax error is found before anything runs", async (t) => {
  const rows: [string, number, number, RegExp][] = [
    ["const x = ;", 1, 11, /Unexpected token/],
    ["const a = 1;\n\n  const a = 2;", 3, 9, /already been declared/],
    ["\ufeff\r\nlet y = (1;\r\n", 2, 11, /expected ","|Unexpected token/],
    ["`${", 1, 4, /./],
    ["await using x;", 1, 14, /./],
    ["def f():\n  pass", 1, 4, /./],
    ["for x in xs:\n  1", 1, 5, /./],
    ["export = 1; ==", 1, 13, /./],
  ];
  for (const [script, line, column, message] of rows) {
    await t.step(JSON.stringify(script), () => {
      const result = finding(script);
      deepStrictEqual([result?.code, result?.line, result?.column], ["syntax_error", line, column]);
      match(result?.message ?? "", message);
      ok(!/\(\d+:\d+\)/.test(result?.message ?? ""));
    });
  }
  await t.step("in a helper", () => {
    const result = finding('\nimport "./a.ts";', { "a.ts": "\n  let let = 1;" });
    deepStrictEqual([result?.file, result?.line, result?.column], ["a.ts", 2, 7]);
  });
  await t.step("in a helper that nothing imports", () => {
    deepStrictEqual(finding("1", { "a.ts": "let let" }), undefined);
    deepStrictEqual(finding("import(`./${1}.ts`)", { "a.ts": "let let" }), undefined);
  });
});

Deno.test("TSX-07 imports lead to the tools and to files beside the program, nowhere else", async (t) => {
  const files = { "a.ts": "export type T = 1; export default 1", "lib/b.ts": "", "my file.ts": "" };
  const open = [
    'import { tools } from "toolscript"',
    'import a from "./a.ts"; a',
    'import type { T } from "./a.ts"',
    'import "./lib/b.ts"',
    'import "./lib/../a.ts"',
    'import "./my file.ts"',
    'export * from "./a.ts"',
    "await import(`./a.ts`)",
    'await import("toolscript")',
    'await import("./a" + ".ts")',
    'type X = typeof import("./a.ts")',
  ];
  for (const script of open) {
    await t.step(script, () => deepStrictEqual(finding(script, files), undefined));
  }
  const blocked: [string, string][] = [
    "npm:left-pad",
    "jsr:@std/path",
    "node:fs",
    "fs",
    "left-pad",
    "data:text/javascript,1",
    "file:///etc/hosts",
    "blob:null/1",
    "http://127.0.0.1/x.ts",
    "https://example.com/x.ts",
    "//example.com/x.ts",
    "/etc/hosts.ts",
    "../a.ts",
    "./../a.ts",
    "./lib/../../a.ts",
    "./..\\a.ts",
    "./%2e%2e/a.ts",
    "./.hidden/a.ts",
    "./.a.ts",
    "./a.json",
    "./a",
    "./a.tsx",
    "./a.ts?x=1",
    "./a.ts#x",
    ".//a.ts",
    "./\ta.ts",
    "./",
    ".",
    "",
    "toolscript/x.ts",
    "Toolscript",
  ].map((specifier) => [`import ${JSON.stringify(specifier)};`, specifier]);
  blocked.push(
    ['import type { X } from "npm:x";', "npm:x"],
    ['export { x } from "npm:x";', "npm:x"],
    ['export * as y from "npm:x";', "npm:x"],
    ['function f() { return import("npm:x"); }', "npm:x"],
    ["import(`node:fs`)", "node:fs"],
    ['import(("node:fs"))', "node:fs"],
    ['let x: import("node:fs").Stats;', "node:fs"],
    ['import x = require("node:fs");', "node:fs"],
    ['import x from "./a.ts" with { type: "text" };', "./a.ts"],
    ['import("./a.ts", { with: { type: "json" } })', "./a.ts"],
  );
  for (const [script, specifier] of blocked) {
    await t.step(script, () => {
      const result = finding(`\n ${script}`, files);
      deepStrictEqual([result?.code, result?.specifier, result?.line], ["blocked", specifier, 2]);
    });
  }
  await t.step("a missing file is a type error", () => {
    const result = finding('1;\n  import "./none.ts"', files);
    deepStrictEqual([result?.code, result?.line, result?.column], ["type_error", 2, 10]);
  });
  await t.step("also from a helper, counted from there", () => {
    const result = finding('import "./lib/x.ts"', { "lib/x.ts": 'import "../../y.ts"' });
    deepStrictEqual([result?.code, result?.file, result?.column], ["blocked", "lib/x.ts", 8]);
  });
});

Deno.test("files beside the program have plain relative names", async (t) => {
  const wrong = ["../a.ts", "/a.ts", "a/../b.ts", "./a.ts", ".a.ts", "a/.b/c.ts", "a.js", "a.json"];
  for (
    const path of [...wrong, "", "a\\b.ts", "c:a.ts", "a//b.ts", "a%2fb.ts", "a\n.ts", "__proto__"]
  ) {
    await t.step(JSON.stringify(path), () => {
      const files = Object.fromEntries([[path, ""]]);
      deepStrictEqual(finding("1", files)?.code, "bad_request");
    });
  }
});

Deno.test("namedServers() tells which servers a program uses", async (t) => {
  const head = 'import { tools } from "toolscript";\n';
  const rows: [string, string[] | null][] = [
    ["1", []],
    [`${head}await tools.github.search({}); tools["my files"].read; tools?.a?.b`, [
      "a",
      "github",
      "my files",
    ]],
    [`${head}const { github, "my files": f } = tools;`, ["github", "my files"]],
    [`${head}const { a, ...rest } = tools;`, null],
    [`${head}const x = "a"; tools[x]`, null],
    [`${head}console.log(tools)`, null],
    [`${head}type T = typeof tools;`, []],
    [`${head}const o = { tools: 1 }; o.tools`, []],
    [`${head}const o = { tools };`, null],
    ['import * as all from "toolscript"; all', null],
    ['const { tools } = await import("toolscript")', null],
    ['import { tools as t } from "toolscript"; t.x.y()', ["x"]],
    ['import { snippets } from "toolscript"; snippets.a({})', ["snippets"]],
    ['import { snippets as s, tools } from "toolscript"; s.a({}); tools.x.y()', ["snippets", "x"]],
    ['import "./h.ts"; import { tools } from "toolscript"; tools.a.b()', ["a", "h"]],
  ];
  for (const [script, expected] of rows) {
    await t.step(script, () => {
      const files = { "h.ts": `${head}export const f = () => tools.h.x();` };
      const read = readScript({ script, file: "script.ts", files }, POLICY);
      ok(read.kind === "program", JSON.stringify(read));
      deepStrictEqual(read.servers && [...read.servers].sort(), expected);
    });
  }
});

Deno.test("readCommand() tells which servers a command uses", async (t) => {
  const head = 'import { tools } from "toolscript";\n';
  const rows: [string, string[] | null][] = [
    ["1 + 1", []],
    ["tools.late.search({})", ["late"]],
    [`${head}await tools.late.search({ a: 1 })`, ["late"]],
    ["Object.keys(snippets)", ["snippets"]],
    ["const snippets = { a: 1 }; snippets.a", []],
    [`${head}const { late, echo } = tools; late.search()`, ["echo", "late"]],
    [`${head}console.log(tools)`, null],
    ['const { tools: all } = await import("toolscript"); all.late.search()', null],
  ];
  for (const [command, expected] of rows) {
    await t.step(command, () => {
      const read = readCommand(command, { names: TABLE, policy: POLICY });
      ok(read.kind === "program", JSON.stringify(read));
      deepStrictEqual(read.servers && [...read.servers].sort(), expected);
    });
  }
});

Deno.test("createProgramReader() stops the reading of a program at its deadline", async () => {
  await using reader = createProgramReader();
  const script = "async<T>(a=".repeat(30) + ")=>1".repeat(30);
  const slow = reader.read({ kind: "script", script, file: "script.ts", files: {} });
  const next = reader.read({ kind: "script", script: "1", file: "script.ts", files: {} });
  const read = await slow;
  ok(read.kind === "finding" && /within/.test(read.finding.message), JSON.stringify(read));
  deepStrictEqual((await next).kind, "program");
});

Deno.test({
  name: "createProgramReader() ends a snippet that is expanded for ever, and its thread",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { report, usedMs } = await atRest(new URL("./endless_snippet.ts", import.meta.url));
    match(report, /within/);
    ok(usedMs < 500, `${usedMs} ms of processor time in a second of rest`);
  },
});

Deno.test("createProgramReader() rejects when it is closed or the signal fires", async () => {
  const reader = createProgramReader();
  const source = { kind: "script" as const, script: "1", file: "script.ts", files: {} };
  await rejects(reader.read(source, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const slow = reader.read({ ...source, script: "async<T>(a=".repeat(30) + ")=>1".repeat(30) });
  const closed = rejects(slow, { name: "TypeError" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await reader[Symbol.asyncDispose]();
  await closed;
  await rejects(reader.read(source), { name: "TypeError" });
});

Deno.test("readScript() returns a result for any text, and JavaScript for any program", () => {
  const random = generator(42);
  const texts = PROGRAMS.map(({ script }) => script);
  for (let round = 0; round < 1_000; round++) {
    const text = texts[round % texts.length] ?? "";
    const script = round % 3 === 0 ? noise(random) : mutated(text, random);
    const read = readScript({
      script,
      file: "script.ts",
      files: { "one.ts": "export const one = 1" },
    }, POLICY);
    if (read.kind === "finding") {
      const { line = 1 } = read.finding;
      ok(line >= 1 && line <= lines(script) + 1, `${line} of ${JSON.stringify(script)}`);
      continue;
    }
    const [module] = read.modules;
    parse(module?.served ?? "", { sourceType: "module", plugins: ["decorators"] });
    ok(
      module && [0, 1].includes(lines(module.served) - lines(module.text)),
      JSON.stringify(script),
    );
  }
});

function lines(text: string): number {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).length;
}

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

function noise(random: (below: number) => number): string {
  const bytes = Uint8Array.from({ length: random(60) }, () => random(256));
  return new TextDecoder().decode(bytes);
}

const TOKENS = [
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  ":",
  ";",
  "\n",
  "\r",
  "\u2028",
  "`",
  "${",
  "as ",
  "import ",
  "export ",
  "?",
  "!",
  "/*",
  "//",
  "'",
  "=>",
  "async ",
  "declare ",
  "abstract ",
];

function mutated(text: string, random: (below: number) => number): string {
  let result = text;
  for (let n = random(3) + 1; n > 0; n--) {
    const at = random(result.length + 1);
    const cut = random(3) === 0 ? random(5) : 0;
    result = result.slice(0, at) + (TOKENS[random(TOKENS.length)] ?? "") + result.slice(at + cut);
  }
  return result;
}
