import { ok, strictEqual } from "node:assert/strict";
import { PROGRAMS } from "../../program/programs.ts";
import { source } from "../read.ts";

/** TypeScript as one writes it against the tools. */
const PROGRAMS_WITH_TOOLS = [
  'import { tools } from "toolscript";\nawait tools.brave.search({ query: "x" });',
  'import { tools as t } from "toolscript";\nconst { brave } = t;\nreturn await brave.search({ query: "x" });',
  'const r = await brave.search({ query: "x", count: 5 });\nr.items.map((item: any) => item.title);',
  'const [a, b] = await Promise.all([brave.ping(), brave.search({ query: "x" })]);\na + b;',
  "const a = brave.ping();\nconst b = brave.ping();\nawait Promise.all([a, b]);",
  'const rs = await Promise.all(["a", "b"].map((query) => brave.search({ query })));\nrs;',
  'const rs = await Promise.all(["a", "b"].map(async (query) => {\n  const r = await brave.search({ query });\n  return r;\n}));',
  'const all = await Promise.allSettled([brave.ping(), ot.health()]);\nall.filter((one) => one.status === "fulfilled");',
  "brave.ping().then((x) => x).catch(() => null).finally(() => {});",
  'async function go(query: string): Promise<string> {\n  return (await brave.search({ query })).title;\n}\nawait go("x");',
  "for await (const x of (async function* () { yield await brave.ping(); })()) console.log(x);",
  'try {\n  await brave.ping();\n} catch (error) {\n  console.error(error);\n} finally {\n  console.log("done");\n}',
  'const search = async (query: string) => await brave.search({ query });\nawait search("x");',
  'const args = { query: "x" };\nawait brave.search(args);',
  'async function go(args: { query: string }) { return await brave.search(args); }\ngo({ query: "x" });',
  'const { search } = brave;\nawait search({ query: "x" });',
  'const brave = { search: (x: string) => x };\nbrave.search("x");',
  'function f(brave: any) { return brave.ping("x"); }\nf({});',
  "class Api {\n  #n = 0;\n  static async go() { return await brave.ping(); }\n  get n() { return this.#n; }\n}\nawait Api.go();",
  "let total = 0;\nfor (let i = 0; i < 3; i++) total += i;\ntotal;",
  "let total = 0;\ntotal = total + 1;\n[1, 2].forEach((x) => { total = x; });\ntotal;",
  'const o = { a: 1, "b-c": 2, [`d`]: 3, e() {}, get f() { return 1; } };\n({ ...o, a: 2 });',
  "const { a = 1, ...rest } = { a: 2, b: 3 } as Record<string, number>;\nrest;",
  "let a, b;\n[a, b] = [1, 2];\n({ a, b } = { a: b, b: a });\na / b;",
  "let x: number | undefined;\nif (true) { x = 1; } else { x = 2; }\nx!;",
  "label: for (const a of [1]) { for (;;) break label; }",
  "{\n  const inner = 1;\n  console.log(inner);\n}",
  "{ console.log(1); }",
  "const f = (a = 1, { b = 2 } = {}) => a + b;\nf();",
  "let q = 0;\nMath.max(q = 1, 2);",
  "const f = function named() { return named; };\nf();",
  'type T = { a: string };\ninterface I extends T { b: number }\nconst x: I = { a: "", b: 1 };\nx satisfies T;',
  "enum E { A = 1, B }\nE.B;",
  "namespace N { export const x = 1; }\nN.x;",
  "declare const anything: any;\nanything.at(1).all;",
  "abstract class A<T> { abstract go(x: T): void; constructor(private readonly y: T) {} }\nA;",
  "const t = `a ${1 + 1} b`;\nconst u = String.raw`x\\y`;\nt + u;",
  'const s = "True False None ws(query=1) brave.ping()";\ns;',
  '// True = None\n/* ws(query="x") */\n1;',
  'const r = /f(a=1)/.exec("x");\nr;',
  "const x = 10 / 2 / 5;\nx;",
  "const n = null ?? undefined;\nn?.a?.[0]?.();",
  "const big = 2n ** 64n;\nbig;",
  "const gen = function* () { yield 1; };\n[...gen()];",
  "switch (1 as number) {\n  case 1: {\n    break;\n  }\n  default:\n}",
  "do { break; } while (true);",
  "if (Math.random() > 2) return 1;\nreturn 2;",
  "export default 5;",
  "export const x = 1;\nexport { x as default };",
  "await using res = { async [Symbol.asyncDispose]() {} };",
  'const m = new Map<string, number[]>([["a", [1]]]);\nm.get("a")?.[0];',
  'const c = <T,>(x: T) => x;\nc<string>("a");',
  'const x = ["a"] as const;\nx[0];',
  "new Date(0).toISOString();",
  'const y = typeof window === "undefined" ? 1 : void 0;\ny;',
  'import { helper } from "./helper.ts";\nhelper(1);',
  'import type { X } from "./x.ts";\nconst x: X | null = null;\nx;',
  'throw new Error("no");',
  "const xs = [3, 1].sort((a, b) => a - b);\nxs.at(-1);",
  "(async () => { await brave.ping(); })();",
  '"use strict";\n1;',
  "const f = (cb: (x: number) => void) => cb(1);\nf((x) => { x; });",
  "const proj = 8;\nproj / 2;",
  'const url = await proj.onetool.join("src");\nurl;',
  'const result = (await brave.search({ query: "x" }))\n  .items\n  .filter(Boolean)\n  [0];\nresult;',
  "const deep = ((((1))));\ndeep;",
  "a: 1;",
  "globalThis.x = 1;",
  "var v = 1;\nvar v = 2;\nv = 3;",
];

Deno.test("plain TypeScript stays unchanged", async (t) => {
  const programs = [...PROGRAMS_WITH_TOOLS, ...PROGRAMS.map(({ script }) => script)];
  ok(programs.length > 100);
  for (const text of programs) {
    // An object or a bare template as a command is what the dialect is for.
    if (/^`[^`$]*`$/.test(text.trim())) continue;
    await t.step(JSON.stringify(text), () => {
      const read = source(text);
      strictEqual(read.module.text, text.replace(/^\ufeff/, ""));
      strictEqual(read.unknown, null);
    });
  }
});

Deno.test("RUN-18 RUN-19 RUN-20 indentation of any kind is accepted as it is", async (t) => {
  const rows: Record<string, string> = {
    "RUN-18 indented": "    const a = 1;\n    if (a) {\n        a;\n    }\n    a",
    "RUN-18 only below the first": "const a = 1;\n    const b = 2;\n    a + b",
    "RUN-19 tabs and spaces": "\tconst a = 1;\n    \tconst b = 2;\n \t a + b",
    "RUN-19 CRLF": "  const a = 1;\r\n\tconst b = 2;\r\na + b\r\n",
    "RUN-19 carriage returns": "const a = 1;\rconst b = 2;\ra + b",
    "RUN-20 empty lines": "\n\n  const a = 1;\n\n \n\t\n  a\n\n",
    "RUN-18 template literals keep theirs": "    const s = `\n      a\n    b`;\n    s",
  };
  for (const [name, text] of Object.entries(rows)) {
    await t.step(name, () => strictEqual(source(text).module.text, text));
  }
  strictEqual(source("\ufeff  1").module.text, "  1");
});

Deno.test("the prelude is one line that declares exactly the used names", async (t) => {
  const rows: Record<string, [string, string, string, readonly string[] | null]> = {
    "nothing": ["1 + 1", "", "", []],
    "one pack": ["brave.ping()", 'import {tools} from "toolscript";', "const brave=tools.brave;", [
      "brave",
    ]],
    "two packs": [
      "brave.ping(); ot.health()",
      'import {tools} from "toolscript";',
      "const brave=tools.brave;const ot=tools.ot;",
      ["brave", "ot"],
    ],
    "by its key": [
      "myPack.doIt(1)",
      'import {tools} from "toolscript";',
      "const myPack=tools.myPack;",
      ["my-pack"],
    ],
    "tools": ["tools.brave.ping()", 'import {tools} from "toolscript";', "", ["brave"]],
    "tools taken apart": [
      "const { ot } = tools; ot.health()",
      'import {tools} from "toolscript";',
      "",
      ["ot"],
    ],
    "tools handed on": ["f = tools", 'import {tools} from "toolscript";', "", null],
    "tools by a name made": ["tools[x].y()", 'import {tools} from "toolscript";', "", null],
    "a name of the platform": [
      'fetch.fetch("u")',
      'import {tools} from "toolscript";',
      "const fetch=tools.fetch;",
      ["fetch"],
    ],
    "the platform's own": ["fetch(u)", "", "", []],
    "the platform's own member": ["fetch.call(null, u)", "", "", []],
    "projects": ["proj.onetool", 'import {proj} from "toolscript";', "", []],
    "snippets": ["snippets.wsq({})", 'import {snippets} from "toolscript";', "", ["snippets"]],
    "an alias": ["ws(1)", 'import {tools} from "toolscript";', "const brave=tools.brave;", [
      "brave",
    ]],
    "declared": ["const brave = 1; brave", "", "", []],
    "in a string": ['"brave"', "", "", []],
    "a property": ["a.brave", "", "", []],
    "tools is one's own": [
      "const tools = 1; brave.ping()",
      'import {tools as $tools} from "toolscript";',
      "const brave=$tools.brave;",
      ["brave"],
    ],
    "a name of ours is one's own": [
      "const $tools = 1, tools = 2; brave.ping()",
      'import {tools as $tools_} from "toolscript";',
      "const brave=$tools_.brave;",
      ["brave"],
    ],
  };
  for (const [name, [text, imports, local, servers]] of Object.entries(rows)) {
    await t.step(name, () => {
      const read = source(text);
      strictEqual(read.prelude.imports, imports);
      strictEqual(read.prelude.local, local);
      strictEqual(JSON.stringify(read.servers), JSON.stringify(servers));
      ok(!/[\n\r]/.test(read.prelude.imports + read.prelude.checked));
    });
  }
});

Deno.test("magic variables are declared and are never the result", async (t) => {
  const rows: Record<string, [string, string[], string]> = {
    "assigned": ['__format__ = "yml"\n1', ["__format__"], '__format__ = "yml"\n1'],
    "both": [
      '__sanitize__ = True; __format__ = "raw"; 1',
      ["__format__", "__sanitize__"],
      '__sanitize__ = true; __format__ = "raw"; 1',
    ],
    "in an if": ['if (a) __format__ = "yml"', ["__format__"], 'if (a) __format__ = "yml"'],
    "in a function": [
      'function f() { __format__ = "yml" }',
      ["__format__"],
      'function f() { __format__ = "yml" }',
    ],
    "last": ['1\n__format__ = "yml"', ["__format__"], '1\n{__format__ = "yml";}'],
    "last with its semicolon": [
      '1\n__format__ = "yml";',
      ["__format__"],
      '1\n{__format__ = "yml";}',
    ],
    "declared": ['const __format__ = "yml";\n1', ["__format__"], ';     __format__ = "yml";\n1'],
    "declared with a type": [
      'let __format__: string = "yml"\n1',
      ["__format__"],
      ';   __format__         = "yml"\n1',
    ],
    "read": ["__format__", ["__format__"], "__format__"],
    "in a string": ['"__format__"', [], '"__format__"'],
    "declared within": [
      "{ let __format__ = 1; f(__format__) }",
      [],
      "{ let __format__ = 1; f(__format__) }",
    ],
  };
  for (const [name, [text, magic, expected]] of Object.entries(rows)) {
    await t.step(name, () => {
      const read = source(text);
      strictEqual(read.module.text, expected);
      strictEqual(read.magic.join(), magic.join());
    });
  }
});
