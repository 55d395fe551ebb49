/** The four lists and their patterns (VAL-22 to VAL-31, VAL-33 to VAL-36). */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  createSecurityPolicy,
  DEFAULT_LISTS,
  validateCode,
} from "../../../runtime/validate/mod.ts";
import { CP_IMPORT, errors, EVAL, FUNCTION, warnings } from "./findings.ts";

const CP_EXEC = "child_process.exec is not allowed (matches 'child_process.*')";

Deno.test("VAL-22 custom patterns block, and the built-in ones stay", () => {
  const lists = { blocked: ["my_dangerous.*"] };
  deepStrictEqual(errors("my_dangerous.func()", lists), [
    "my_dangerous.func is not allowed (matches 'my_dangerous.*')",
  ]);
  deepStrictEqual(errors("eval('1')", lists), [EVAL]);
});

Deno.test("VAL-23 security disabled leaves the syntax check", () => {
  const lists = { enabled: false, blocked: ["x"] };
  deepStrictEqual(errors("eval('1'); x(); new Worker('a')", lists), []);
  match(errors("let let", lists)[0] ?? "", /^Syntax error at line 1: /);
});

Deno.test("VAL-24 without a configuration the built-in patterns are used", async (t) => {
  const blocked: [string, string][] = [
    ["subprocess.run(['ls'])", "subprocess.run is not allowed (matches 'subprocess.*')"],
    ["os.system('ls')", "os.system is not allowed (matches 'os.system')"],
    ["os.popen('ls')", "os.popen is not allowed (matches 'os.popen')"],
    ["os.spawnl(1)", "os.spawnl is not allowed (matches 'os.spawn*')"],
    ["os.execve(1)", "os.execve is not allowed (matches 'os.exec*')"],
    ["new Function('return 1')()", FUNCTION],
    ["Function('return 1')", FUNCTION],
    ["(() => {}).constructor('return 1')", FUNCTION],
    ["[].constructor.constructor('return 1')", FUNCTION],
    ["new Deno.Command('ls')", "Deno.Command is not allowed (matches 'Deno.Command')"],
    [
      "const { Command } = Deno; new Command('ls')",
      "Deno.Command is not allowed (matches 'Deno.Command')",
    ],
    [
      "import C = Deno.Command; new C('ls')",
      "Deno.Command is not allowed (matches 'Deno.Command')",
    ],
    ["Deno.run({})", "Deno.run is not allowed (matches 'Deno.run')"],
    ["Deno['dlopen']('x', {})", "Deno.dlopen is not allowed (matches 'Deno.dlopen')"],
    ["process.binding('fs')", "process.binding is not allowed (matches 'process.binding')"],
    ["process.dlopen(a, 'b')", "process.dlopen is not allowed (matches 'process.dlopen')"],
    [
      "import process from 'node:process'; process.dlopen(a, 'b')",
      "process.dlopen is not allowed (matches 'process.dlopen')",
    ],
  ];
  for (const [code, message] of blocked) {
    await t.step(code, () => deepStrictEqual(errors(code), [message]));
  }
  const warned: [string, string[]][] = [
    ["pickle.loads(x)", ["Potentially unsafe function 'pickle.loads'"]],
    ["Deno.openSync('a')", ["Potentially unsafe function 'Deno.openSync'"]],
    ["Deno.readTextFile('a')", ["Potentially unsafe function 'Deno.readTextFile'"]],
    ["const read = Deno.readFile; read('a')", ["Potentially unsafe function 'Deno.readFile'"]],
    ["Deno.writeTextFile('a', 'b')", ["Potentially unsafe function 'Deno.writeTextFile'"]],
    ["new Worker('a')", ["Potentially unsafe function 'Worker'"]],
    ["class W extends Worker {}", ["Potentially unsafe function 'Worker'"]],
    ["import os from 'node:os'", ["Potentially unsafe import 'os'"]],
    ["import 'subprocess'", ["Potentially unsafe import 'subprocess'"]],
    ["import { readFile } from 'node:fs/promises'; readFile('a')", [
      "Potentially unsafe import 'fs/promises'",
      "Potentially unsafe function 'fs.promises.readFile'",
    ]],
    ["import fs from 'fs'; fs.promises.rm('a')", [
      "Potentially unsafe import 'fs'",
      "Potentially unsafe function 'fs.promises.rm'",
    ]],
  ];
  for (const [code, messages] of warned) {
    await t.step(code, () => {
      deepStrictEqual([errors(code), warnings(code)], [[], messages]);
    });
  }
});

Deno.test("VAL-25 configured patterns are added to the built-in ones", () => {
  for (const pattern of DEFAULT_LISTS.blocked ?? []) {
    const name = pattern.replace("*", "x");
    const lists = { blocked: ["a"], ask: [pattern], warned: [pattern], allow: [pattern] };
    strictEqual(createSecurityPolicy(lists).decide(name).level, "blocked", pattern);
  }
  strictEqual(createSecurityPolicy({ blocked: ["a"] }).decide("a").level, "blocked");
});

Deno.test("VAL-26 the allow list exempts from the built-in warnings", () => {
  deepStrictEqual(warnings("open('a')", { allow: ["open"] }), []);
  deepStrictEqual(warnings("open('a'); new Worker('b')", { allow: ["open"] }), [
    "Potentially unsafe function 'Worker'",
  ]);
});

Deno.test("VAL-27 a star stands for any text", () => {
  const lists = { blocked: ["my.*"] };
  for (const code of ["my.run()", "new my.Popen()", "my.deep.er()"]) {
    strictEqual(errors(code, lists).length, 1, code);
  }
  deepStrictEqual(errors("subprocess.run(); subprocess.Popen()"), [
    "subprocess.run is not allowed (matches 'subprocess.*')",
    "subprocess.Popen is not allowed (matches 'subprocess.*')",
  ]);
});

Deno.test("VAL-28 a question mark stands for one character", () => {
  deepStrictEqual(errors("os.execl()", { blocked: ["os.exec?"] }), [
    "os.execl is not allowed (matches 'os.exec?')",
  ]);
  // The built-in `os.exec*` blocks this one, the pattern with the question mark does not.
  deepStrictEqual(errors("os.execve()", { blocked: ["os.exec?"] }), [
    "os.execve is not allowed (matches 'os.exec*')",
  ]);
  deepStrictEqual(errors("my.execl(); my.execve(); my.exec()", { blocked: ["my.exec?"] }), [
    "my.execl is not allowed (matches 'my.exec?')",
  ]);
});

Deno.test("VAL-29 a pattern without wildcards matches exactly", () => {
  const lists = { blocked: ["my.system"] };
  strictEqual(errors("my.system('ls')", lists).length, 1);
  deepStrictEqual(errors("my.system2('ls'); my.System(); our.my.system()", lists), []);
});

Deno.test("VAL-30 the message has the function and the pattern", () => {
  deepStrictEqual(errors("subprocess.check_output(['ls'])"), [
    "subprocess.check_output is not allowed (matches 'subprocess.*')",
  ]);
});

Deno.test("VAL-31 blocked patterns make code invalid", () => {
  for (const code of ["exec('a')", "eval('a')", "subprocess.run()", "os.system('a')"]) {
    const { valid, errors } = validateCode(code);
    deepStrictEqual([valid, errors.length], [false, 1], code);
  }
});

Deno.test("VAL-33 warned patterns pass with a warning", () => {
  const code = "import pickle from 'pickle'; pickle.load(open('a'))";
  const { valid, warnings } = validateCode(code);
  deepStrictEqual([valid, warnings], [true, [
    "Potentially unsafe function 'pickle.load'",
    "Potentially unsafe function 'open'",
  ]]);
});

Deno.test("VAL-34 allow patterns pass without a warning, and exempt from the defaults", () => {
  deepStrictEqual(warnings("open('a'); Deno.readFile('b')", { allow: ["open", "Deno.*"] }), []);
});

Deno.test("VAL-35 blocked goes before ask, ask before warned, warned before allow", () => {
  const all = { blocked: ["x"], ask: ["x"], warned: ["x"], allow: ["x"] };
  const levels = [
    all,
    { ...all, blocked: [] },
    { ...all, blocked: [], ask: [] },
    { allow: ["x"] },
  ].map((lists) => createSecurityPolicy(lists).decide("x").level);
  deepStrictEqual(levels, ["blocked", "ask", "warned", "allowed"]);
  deepStrictEqual(errors("open('a')", { blocked: ["open"], allow: ["open"] }), [
    "Dangerous builtin 'open' is not allowed (matches 'open')",
  ]);
});

Deno.test("VAL-36 patterns without dots match builtins and imports, with dots qualified calls", async (t) => {
  const rows: [string, string[]][] = [
    ["import 'child_process'", [CP_IMPORT]],
    ["import { exec } from 'node:child_process'; exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["import { exec as run } from 'child_process'; run('ls')", [CP_IMPORT, CP_EXEC]],
    ["import * as cp from 'node:child_process'; cp.exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["import cp from 'node:child_process'; cp.exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["import cp = require('child_process'); cp.exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["const cp = await import('node:child_process'); cp.exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["const { exec } = await import('node:child_process'); exec('ls')", [CP_IMPORT, CP_EXEC]],
    ["require('child_process').exec('ls')", [CP_EXEC, CP_IMPORT]],
    ["process.getBuiltinModule('node:child_process').exec('ls')", [CP_EXEC, CP_IMPORT]],
    ["export * from 'node:child_process'", [CP_IMPORT]],
    ["export { exec } from 'node:child_process'", [CP_IMPORT]],
    ["child_process.exec('ls')", [CP_EXEC]],
    ["import type { exec } from 'node:child_process'", []],
    ["interface compile { (x: string): void } compile('a')", [
      "Dangerous builtin 'compile' is not allowed (matches 'compile')",
    ]],
    ["my.exec('a')", []],
  ];
  for (const [code, expected] of rows) {
    await t.step(code, () => deepStrictEqual(errors(code), expected));
  }
  deepStrictEqual(errors("import 'my.mod'; my.mod()", { blocked: ["my.*"] }), [
    "my.mod is not allowed (matches 'my.*')",
  ]);
  deepStrictEqual(errors("plain.call2(); plain(); import 'plain'", { blocked: ["plain"] }), [
    "Dangerous builtin 'plain' is not allowed (matches 'plain')",
    "Import of 'plain' is not allowed (matches 'plain')",
  ]);
});

Deno.test("VAL-36 a name of the program is not the builtin of that name", async (t) => {
  const rows = [
    "/x/.exec(s)",
    "new RegExp('x').exec(s)",
    "const re = /x/; re.exec(s)?.[0]",
    "function exec(x) {} exec('a')",
    "const exec = (x) => x; exec('a')",
    "class Function2 {} new Function2()",
    "{ function eval2() {} eval2() }",
    "import { exec } from './mine.ts'; exec('a')",
    "function f(compile) { compile('a') }",
    "try {} catch (open) { open() }",
    "for (const open of list) open()",
    "const { open } = await load(); open()",
    "const api = { exec(x) {}, open: 1 }; api.exec('a')",
    "const text = 'eval(x)'; `${text} exec()`",
    "typeof eval === 'function'",
    "f instanceof Function",
    "x.constructor.name",
    "Function.prototype.toString.call(f)",
    "type F = Function; let f: typeof eval",
    "namespace compile { export const a = 1 } compile.a",
    "enum open { a } open.a",
    "label: for (;;) break label",
    "let worker: Worker",
    "db.open('x'); window2.Function('x')",
    "const e = /eval/; e.test(x)",
  ];
  for (const code of rows) {
    await t.step(code, () => deepStrictEqual(validateCode(code).findings, []));
  }
});
