import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { NameTable } from "../../../runtime/command/names.ts";
import { NAMES } from "./names.ts";
import { finding, source } from "./read.ts";

Deno.test("an error about an unknown name lists the existing ones", async (t) => {
  const rows: [string, string, number, number, RegExp][] = [
    [
      "RUN-26 pack",
      "unknown.func()",
      1,
      1,
      /"unknown.func".*no such pack "unknown": available: .*brave/,
    ],
    ["RUN-26 pack of a type's name", "\n any.thing.at(1)", 2, 2, /no such pack "any"/],
    ["RUN-26 pack on tools", "tools.nope.x()", 1, 1, /no such pack "nope"/],
    ["RUN-26 near ones first", "brav.ping()", 1, 1, /available: brave, /],
    [
      "RUN-27 function",
      "brave.nonexistent()",
      1,
      1,
      /"brave.nonexistent": no such tool in "brave": available: .*web_search/,
    ],
    ["RUN-27 function, not called", "xs = [1].map(brave.nope)", 1, 14, /no such tool in "brave"/],
    ["RUN-27 function by text", 'tools.brave["nope"]()', 1, 1, /no such tool in "brave"/],
    [
      "RUN-27 through a constant",
      "const b = tools.brave;\nb.nope()",
      2,
      1,
      /no such tool in "brave"/,
    ],
    [
      "RUN-23 tool by itself",
      "web_serch(q=1)",
      1,
      1,
      /"web_serch": no such tool, alias or function: available: .*brave.web_search/,
    ],
    [
      "RUN-30 unknown alias",
      "unknown(arg=val)",
      1,
      1,
      /"unknown": no such tool, alias or function/,
    ],
    ["RUN-29 alias to no pack", "gone()", 1, 1, /"gone": no such pack "nowhere"/],
    ["RUN-29 alias to no tool", "lost()", 1, 1, /"lost": no such tool in "brave"/],
    ["snippet", "snippets.nope()", 1, 1, /no such snippet "nope": available: wsq/],
    ["the first of two", "brave.nope(); unknown.x()", 1, 1, /brave.nope/],
    ["behind an object", '{"a": 1,\n "b": nope.x()}', 2, 7, /nope.x/],
    ["Python's own", "x = 1\nprint(x)", 2, 1, /TypeScript.*`print\(…\)`.*last line.*console\.log/],
  ];
  for (const [name, text, line, column, message] of rows) {
    await t.step(name, () => {
      const { unknown } = source(text);
      match(unknown?.message ?? "", message);
      deepStrictEqual([unknown?.line, unknown?.column], [line, column]);
    });
  }
});

Deno.test("RUN-26 the list of existing names is bounded and counted", () => {
  const packs = Array.from(
    { length: 100 },
    (_, at) => ({ name: `p${at}`, key: `p${at}`, tools: [] }),
  );
  const { unknown } = source("p1x.f()", new NameTable({ ...NAMES, packs }));
  const available = unknown?.details?.available;
  ok(Array.isArray(available) && available.length === 30);
  strictEqual(unknown?.details?.total, 100);
  match(unknown?.message ?? "", /and 70 more/);
});

Deno.test("findUnknown() accepts names that exist", async (t) => {
  const rows = [
    "console.log(1)",
    "JSON.stringify(fetch(`x`))",
    "const f = () => 1; f()",
    "f = () => 1\nf()",
    "function f(g) { return g() + g.h() }",
    "import { x } from './x.ts'; x(); x.y()",
    "class A {}\nA.b()",
    "enum E { A }\nE.A.toFixed()",
    "try {} catch (error) { error.toString() }",
    "declare const q: any; q()",
    "late.anything()",
    "brave.toString()",
    "proj.anything.join('a')",
    "Deno.cwd()",
    "for (const f of []) f()",
    "({ a() { return this.b() } })",
    "snippets.wsq()",
    "label: for (;;) break label",
    "[1].map(brave.ping)",
    "unknown",
    "typeof unknown",
  ];
  for (const text of rows) await t.step(text, () => strictEqual(source(text).unknown, null));
});

Deno.test("an error about Python shows the TypeScript to write", async (t) => {
  const rows: [string, number, number, RegExp][] = [
    ["def f(x, y=1):\n  return x", 1, 1, /function f\(x, y = 1\)/],
    ["x = 1\nasync def f():\n  pass", 2, 1, /async function f\(\)/],
    ["import os", 1, 1, /need no import/],
    ["import os, sys\n\nos.getcwd()", 1, 1, /need no import/],
    ["from os import path", 1, 1, /need no import/],
    ["for x in xs:\n  f(x)", 1, 1, /for \(const x of xs\)/],
    ["for k, v in d.items():\n  f(k)", 1, 1, /for \(const \[k, v\] of d\.items\(\)\)/],
    ["for i in range(10):\n  f(i)", 1, 1, /for \(let i = 0; i < 10; i\+\+\)/],
    ["for i, x in enumerate(xs):\n  f(i)", 1, 1, /of xs\.entries\(\)/],
    ["while x > 1:\n  f()", 1, 1, /while \(x > 1\)/],
    ["if x > 1:\n  f()", 1, 1, /if \(x > 1\)/],
    ["if (x > 1):\n  f()", 1, 1, /if \(x > 1\)/],
    ["if (a) {\n}\nelif b:\n  1", 3, 1, /else if \(b\)/],
    ["try:\n  f()\nexcept E as e:\n  g()", 1, 1, /try \{ … \} catch/],
    ["with f() as g:\n  g", 1, 1, /await using g = f\(\)/],
    ["class A:\n  pass", 1, 1, /class A \{/],
    ['f"Hello {name}!"', 1, 1, /`Hello \$\{name\}!`/],
    ["x = f'{a:.2f} {b!r}'", 1, 5, /`\$\{a\} \$\{b\}`/],
    ["f = lambda x: x + 1", 1, 5, /\(x\) => x \+ 1/],
    ["a and b", 1, 3, /&&/],
    ["a or b", 1, 3, /\|\|/],
    ["not a", 1, 1, /!a/],
    ["a if b else c", 1, 1, /b \? a : c/],
    ["a is None", 1, 3, /=== null/],
    ["a is not None", 1, 3, /!== null/],
    ["[x * 2 for x in xs]", 1, 1, /xs\.map\(\(x\) => x \* 2\)/],
    ["[x for x in xs if x > 1]", 1, 1, /xs\.filter\(\(x\) => x > 1\)\.map/],
    ["{k: v for k in ks}", 1, 1, /Object\.fromEntries/],
    ["f(**kw)", 1, 2, /\{\.\.\.kw\}/],
    ["f(*xs)", 1, 2, /\.\.\.xs/],
    ["xs[1:3]", 1, 1, /xs\.slice\(1, 3\)/],
    ["xs[:3]", 1, 1, /xs\.slice\(0, 3\)/],
    ["raise ValueError('no')", 1, 1, /throw new Error\('no'\)/],
    ["# a comment\n1", 1, 1, /\/\/ …/],
    ['"""doc"""\n1', 1, 1, /TypeScript/],
    ["x: int = 5", 1, 1, /let x: number = 5/],
    ["xs: list[int] = []", 1, 1, /let xs: unknown\[\] = \[\]/],
    ["a, b = f()", 1, 1, /const \[a, b\] = f\(\)/],
    ["a, b = 1, 2", 1, 1, /const \[a, b\] = \[1, 2\]/],
    ['print "x"', 1, 1, /console\.log\("x"\)/],
  ];
  for (const [text, line, column, message] of rows) {
    await t.step(JSON.stringify(text), () => {
      const result = finding(text);
      strictEqual(result.code, "syntax_error");
      match(result.message, /Commands are TypeScript/);
      match(result.message, message);
      deepStrictEqual([result.line, result.column], [line, column]);
    });
  }
});

Deno.test("RUN-21 mistakes in TypeScript are not taken for Python", async (t) => {
  const rows: [string, number, number][] = [
    ['const s = "cats and dogs" + ;', 1, 29],
    ["const x = ; // this or that", 1, 11],
    ["if (a) f(b ? 1 : 2", 1, 19],
    ["class A { #x = ; }", 1, 16],
    ["function f(x): x is string { return }}", 1, 38],
    ["f(", 1, 3],
    ["const a = 1;\nconst a = 2;", 2, 7],
    ["x = {a: 1,, b: 2}", 1, 11],
    ["`${", 1, 4],
    ["a\0b", 1, 2],
  ];
  for (const [text, line, column] of rows) {
    await t.step(JSON.stringify(text), () => {
      const result = finding(text);
      ok(!result.message.includes("Python"), result.message);
      deepStrictEqual([result.line, result.column], [line, column]);
    });
  }
});

Deno.test("a positional argument after a keyword argument is an error", () => {
  const { message, line, column } = finding("x = 1\nbrave.search(query=1, 2)");
  match(message, /positional argument/i);
  deepStrictEqual([line, column], [2, 14]);
});
