/** Findings of the syntax and of the built-in lists (VAL-01 to VAL-21). */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { validateCode } from "../../../runtime/validate/mod.ts";
import { parseModule } from "../../../runtime/program/mod.ts";
import { CP_IMPORT, errors, EVAL, FUNCTION } from "./findings.ts";

Deno.test("VAL-01 valid syntax is valid", () => {
  const codes = ["1 + 1", "const x: number = await f(1)\nreturn x", "", "if (a) { return 1 }"];
  for (const code of codes) {
    const { valid, errors } = validateCode(code);
    deepStrictEqual([valid, errors], [true, []], code);
  }
});

Deno.test("VAL-02 invalid syntax is not valid, and the line is named", () => {
  const { valid, errors, findings } = validateCode("const a = 1\nconst b = ;");
  strictEqual(valid, false);
  match(errors[0] ?? "", /line 2/);
  deepStrictEqual([findings[0]?.level, findings[0]?.line, findings[0]?.column], ["syntax", 2, 11]);
});

Deno.test("VAL-03 the message is `Syntax error at line 5: …`", () => {
  const { errors } = validateCode("1\n2\n3\n4\nlet = = 5");
  match(errors[0] ?? "", /^Syntax error at line 5: \S/);
  strictEqual(errors.length, 1);
});

Deno.test("VAL-04 a call of exec is blocked", () => {
  const { valid, errors, findings } = validateCode('exec("code")');
  strictEqual(valid, false);
  deepStrictEqual(errors, ["Dangerous builtin 'exec' is not allowed (matches 'exec')"]);
  deepStrictEqual(findings, [{
    level: "blocked",
    message: "Dangerous builtin 'exec' is not allowed (matches 'exec')",
    name: "exec",
    pattern: "exec",
    line: 1,
    column: 1,
  }]);
});

Deno.test("VAL-05 a call of eval is blocked under any name", async (t) => {
  const rows: [string, string[]][] = [
    ['eval("expression")', [EVAL]],
    ["globalThis.eval(x)", [EVAL]],
    ['globalThis["eval"](x)', [EVAL]],
    ["globalThis[`eval`](x)", [EVAL]],
    ['globalThis["ev" + "al"](x)', [EVAL]],
    ["globalThis[`ev${'al'}`](x)", [EVAL]],
    ["self.globalThis.eval(x)", [EVAL]],
    ["const e = eval; e(x)", [EVAL]],
    ["const e = eval, f = e; let g = f; g(x)", [EVAL]],
    ["(0, eval)(x)", [EVAL]],
    ["(eval as any)(x)", [EVAL]],
    ["eval!(x)", [EVAL]],
    ["eval?.(x)", [EVAL]],
    ["globalThis?.eval?.(x)", [EVAL]],
    ["(a ? eval : b)(x)", [EVAL]],
    ["(a || eval)(x)", [EVAL]],
    ["(a ?? eval)(x)", [EVAL]],
    ["let e = safe; e = eval; e(x)", [EVAL]],
    ["let e; if (a) e = eval; e?.(x)", [EVAL]],
    ["let e; (e = eval)(x)", [EVAL]],
    ["const { eval: e } = globalThis; e(x)", [EVAL]],
    ["let e; ({ eval: e } = globalThis); e(x)", [EVAL]],
    ["const { e = eval } = {}; e(x)", [EVAL]],
    ["const { globalThis: { eval: e } } = globalThis; e(x)", [EVAL]],
    ["function f(g = eval) { g(x) }", [EVAL]],
    ["eval`x`", [EVAL]],
    ["eval.call(null, x)", [EVAL]],
    ["eval.apply(null, [x])", [EVAL]],
    ["eval.bind(null)(x)", [EVAL]],
    ["const b = eval.bind(null); b(x)", [EVAL, EVAL]],
    ["Reflect.apply(eval, null, [x])", [EVAL]],
    ['Reflect.get(globalThis, "eval")(x)', [EVAL]],
    ["[x].map(eval)", [EVAL]],
    ["const o = { e: eval }; o.e(x)", [EVAL]],
    ["const o = { eval }; o.eval(x)", [EVAL]],
    ["[eval][0](x)", [EVAL]],
    ["((e) => e(x))(eval)", [EVAL]],
    ["const f = () => eval", [EVAL]],
    ["function f() { return eval }", [EVAL]],
    ["export const e = eval", [EVAL]],
    ["export { e }; const e = eval", [EVAL]],
    ["export default eval", [EVAL]],
    ["o.e = eval", [EVAL]],
    ["undeclared = eval", [EVAL]],
    ["declare function eval(x: string): void; eval(x)", [EVAL]],
    ["{ const eval2 = 1 } eval(x)", [EVAL]],
    ["eval(eval(x))", [EVAL, EVAL]],
  ];
  for (const [code, expected] of rows) {
    await t.step(code, () => deepStrictEqual(errors(code), expected));
  }
});

Deno.test("VAL-06 a dynamic import by name is blocked", () => {
  deepStrictEqual(errors('__import__("module")'), [
    "Dangerous builtin '__import__' is not allowed (matches '__import__')",
  ]);
});

Deno.test("VAL-07 compile is blocked", () => {
  deepStrictEqual(errors('compile("code", "", "exec")'), [
    "Dangerous builtin 'compile' is not allowed (matches 'compile')",
  ]);
});

Deno.test("VAL-08 open gives a warning and stays valid", () => {
  const { valid, warnings, errors } = validateCode('open("file.txt")');
  deepStrictEqual([valid, warnings, errors], [true, ["Potentially unsafe function 'open'"], []]);
});

Deno.test("VAL-09 without the security check there are no findings of the lists", () => {
  const code = 'eval("x"); open("y"); import "child_process"';
  const { valid, findings } = validateCode(code, { checkSecurity: false });
  deepStrictEqual([valid, findings], [true, []]);
  strictEqual(validateCode("let let", { checkSecurity: false }).valid, false);
});

Deno.test("VAL-18 the result has its four parts", () => {
  deepStrictEqual(validateCode("1"), {
    valid: true,
    errors: [],
    warnings: [],
    requiresConfirmation: false,
    findings: [],
  });
  const parsed = parseModule("eval('1')");
  ok(parsed.kind === "parsed");
  deepStrictEqual(validateCode(parsed).errors, [EVAL]);
});

Deno.test("VAL-19 every error is collected", () => {
  const messages = errors('eval("a")\nexec("b")\nnew Function("c")\nimport "node:child_process"');
  deepStrictEqual(messages, [
    EVAL,
    "Dangerous builtin 'exec' is not allowed (matches 'exec')",
    FUNCTION,
    CP_IMPORT,
  ]);
});

Deno.test("VAL-20 errors and warnings are separate lists", () => {
  const { valid, errors, warnings } = validateCode('open("a"); eval("b")');
  deepStrictEqual([valid, errors, warnings], [false, [EVAL], [
    "Potentially unsafe function 'open'",
  ]]);
});

Deno.test("VAL-21 open is a warning, not an error", () => {
  const { valid, warnings } = validateCode('const text = open("file.txt")');
  deepStrictEqual([valid, warnings], [true, ["Potentially unsafe function 'open'"]]);
});
