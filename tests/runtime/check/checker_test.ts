import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { silent } from "#base";
import { type Checker, type CheckResult, createChecker, type Diagnostic } from "#runtime";

const TOOLS = new Map([
  ["tools.ts", 'import type { A } from "./types/a.ts";\nexport declare const tools: { a: A };'],
  ["types/a.ts", "export interface A { b(args: { x: number }): Promise<string> }"],
]);

function start(): Checker {
  return createChecker({ deno: Deno.execPath(), log: silent });
}

function check(checker: Checker, text: string, files: Record<string, string> = {}) {
  const modules = new Map([["script.ts", text], ...Object.entries(files)]);
  return checker.check({ entry: "script.ts", files: modules });
}

function problems(result: CheckResult): readonly Diagnostic[] {
  ok(result.kind === "failed", JSON.stringify(result));
  return result.diagnostics;
}

function places(result: CheckResult): string[] {
  return problems(result).map(({ file, line, column, code }) =>
    `${file}:${line}:${column} ${code}`
  );
}

Deno.test("createChecker() accepts a correct program", async (t) => {
  await using checker = start();
  await checker.declare(TOOLS);
  const rows: Record<string, [string, Record<string, string>?]> = {
    expression: ["1 + 1"],
    "a tool": ['import { tools } from "toolscript";\n(await tools.a.b({ x: 1 })).length'],
    "top-level return and await": [
      "if (Deno.args.length > 1) return 1;\nawait fetch('x');\nreturn;",
    ],
    "implicit any": ["function f(x) { return x; }\nf(1)"],
    "catch is any": ["try { f() } catch (e) { e.message }\nfunction f() {}"],
    unused: ["const x = 1;\nimport { tools } from 'toolscript';"],
    helper: ['import { one } from "./lib/one.ts";\none + 1', {
      "lib/one.ts": "export const one = 1;",
    }],
    "the same helper, changed": ['import { two } from "./lib/one.ts";\ntwo', {
      "lib/one.ts": "export const two = 1;",
    }],
    "own scope": ["const fetch = 1, name = 2;\nlet tools = fetch + name;"],
    "what is left of Node's globals": [
      "process.cwd().length + process.argv.length;\nprocess.env.TOOLSCRIPT_GATEWAY_URL?.length",
    ],
    using: ["await using x = { async [Symbol.asyncDispose]() {} };\nx"],
    "dynamic import": ['(await import("./m.ts")).m', { "m.ts": "export const m = 1;" }],
  };
  for (const [name, [text, files]] of Object.entries(rows)) {
    await t.step(name, async () => {
      deepStrictEqual(await check(checker, text, files), { kind: "passed" });
    });
  }
});

Deno.test("TSX-06 TSX-26 createChecker() says what is wrong, where the author wrote it", async (t) => {
  await using checker = start();
  await checker.declare(TOOLS);
  const rows: Record<string, [string, string[], Record<string, string>?]> = {
    "wrong argument": [
      'import { tools } from "toolscript";\n\n  tools.a.b({ x: "1" });',
      ["script.ts:3:15 2322"],
    ],
    "unknown tool": ['import { tools } from "toolscript";\ntools.a.c()', ["script.ts:2:9 2339"]],
    "unknown name": ["nope;\r\n\r\n  nada", ["script.ts:1:1 2304", "script.ts:3:3 2304"]],
    "behind other letters": ["const s = 'ä€😀';\n/* 😀 */ s.nope", ["script.ts:2:12 2339"]],
    "null": ["const x = [1].find((n) => n > 1);\nx.toFixed()", ["script.ts:2:1 18048"]],
    "missing module": ['import { a } from "./none.ts";\na;', ["script.ts:1:19 2307"]],
    "in a helper": ['import { h } from "./h.ts";\nh.nope', [
      "script.ts:2:3 2339",
      "h.ts:1:14 2322",
    ], { "h.ts": 'export const h: number = "a";' }],
    "re-exported type": ['export { T } from "./t.ts";', ["script.ts:1:10 1205"], {
      "t.ts": "export type T = 1;",
    }],
  };
  for (const [name, [text, expected, files]] of Object.entries(rows)) {
    await t.step(name, async () => {
      deepStrictEqual(places(await check(checker, text, files)), expected);
    });
  }
  await t.step("a chain of messages, without paths of ours", async () => {
    const text = 'import { h } from "./h.ts";\nconst x: { a: { b: number } } = h;\nh();';
    const messages = problems(
      await check(checker, text, {
        "h.ts": "export class C { #p = 1 }\nexport const h = { a: new C() };",
      }),
    );
    match(
      messages[0]?.message ?? "",
      /is not assignable to type.*\n {2}.*Property 'b' is missing/s,
    );
    ok(!JSON.stringify(messages).includes("__"), JSON.stringify(messages));
  });
  await t.step("at most 20", async () => {
    const text = Array.from({ length: 50 }, (_, n) => `nope${n};`).join("\n");
    const messages = problems(await check(checker, text));
    deepStrictEqual(messages.map(({ line }) => line), Array.from({ length: 20 }, (_, n) => n + 1));
  });
});

Deno.test("createChecker() takes changed declarations", async () => {
  await using checker = start();
  const text = 'import { tools } from "toolscript";\ntools.a.b({ x: 1 }).then((s) => s.length)';
  strictEqual((await check(checker, text)).kind, "failed");
  await checker.declare(TOOLS);
  strictEqual((await check(checker, text)).kind, "passed");
  await checker.declare(
    new Map([...TOOLS, ["types/a.ts", "export interface A { c(): Promise<void> }"]]),
  );
  deepStrictEqual(places(await check(checker, text)).at(0), "script.ts:2:9 2339");
  await checker.declare(new Map());
  strictEqual((await check(checker, text)).kind, "failed");
});

Deno.test("createChecker() remembers accepted programs until the declarations change", async () => {
  await using checker = start();
  const source = (text: string) => ({ entry: "main.ts", files: new Map([["main.ts", text]]) });
  const text = 'import { tools } from "toolscript";\ntools.one satisfies number;';
  await checker.declare(new Map([["tools.ts", "export const tools = { one: 1 };"]]));
  ok(!checker.hasPassed(source(text)));
  deepStrictEqual(await checker.check(source(text)), { kind: "passed" });
  ok(checker.hasPassed(source(text)));
  ok(!checker.hasPassed(source(`${text} `)));
  await checker.declare(new Map([["tools.ts", 'export const tools = { one: "1" };']]));
  ok(!checker.hasPassed(source(text)));
  strictEqual((await checker.check(source(text))).kind, "failed");
  ok(!checker.hasPassed(source(text)));
});

Deno.test("createChecker() finds errors in any order of similar programs", async (t) => {
  await using checker = start();
  await checker.declare(TOOLS);
  const imports = (specifier: string) => `const a = await import(/**/\n"${specifier}"\n);\na`;
  const rows: [string, string[]][] = [
    ["1 + 1 // once", []],
    ["1 + 1 // twice", []],
    ["const a: number = 'x'", ["script.ts:1:7 2322"]],
    ["const a: number = 5", []],
    ["const a: = 5", ["script.ts:1:10 1110"]],
    [imports("toolscript"), []],
    // The same but for a line that tells nothing of modules, if one does not know where it stands.
    [imports("./nowhere.ts"), ["script.ts:2:1 2307"]],
    [imports("toolscript"), []],
    [imports("./elsewhere.ts"), ["script.ts:2:1 2307"]],
    ['import { tools } from "toolscript";\ntools.a.c', ["script.ts:2:9 2339"]],
    ["tools.a.c", ["script.ts:1:1 2304"]],
    ['import { tools } from "toolscript";\ntools.a.b', []],
    // What is wrong with the end of a text.
    ["const a: number = ''", ["script.ts:1:7 2322"]],
    ["{ 1", ["script.ts:1:4 1005"]],
    ["`1", ["script.ts:1:3 1160"]],
    ["/* 1", ["script.ts:1:5 1010"]],
    ["1 // import 'toolscript'", []],
    ["return", []],
    ["/// <reference path='./x.d.ts' />\n1", ["script.ts:1:22 6053"]],
    ["\ud800 // alone", ["script.ts:1:1 1490"]],
    ["/* */".repeat(20_000), []],
    ["2", []],
  ];
  for (const [text, expected] of rows) {
    await t.step(JSON.stringify(text.slice(0, 60)), async () => {
      const result = await check(checker, text);
      deepStrictEqual(result.kind === "passed" ? [] : places(result), expected);
    });
  }
});
