/** Names that a program declares in one scope and takes from the platform in another. */

import assert from "node:assert/strict";
import { validateCode } from "../../runtime/validate/validate.ts";

const CALL = 'Function("return 1")()';

/** Programs in which `Function` or `Deno.Command` is the platform's. */
const BLOCKED: readonly (readonly [name: string, code: string])[] = [
  ["a default, beside a var of the body", `function f(a = ${CALL}) { var Function; } f();`],
  ["a closure in a default", `function f(a = () => ${CALL}) { var Function; return a(); } f();`],
  ["a default in a pattern", `(({ a = ${CALL} }) => { var Function; })({});`],
  ["the value of a switch", `switch (${CALL}) { case 1: let Function; }`],
  ["the computed key of a method", `({ [${CALL}](Function) {} });`],
  ["the computed key of a method of a class", `class A { [${CALL}](Function) {} }`],
  ["the computed key of a setter", `class A { set [${CALL}](Function) {} }`],
  ["the decorator of a method", `class A { @(${CALL}) m(Function) {} }`],
  ["the decorator of a class expression", `const a = @(${CALL}) class Function {};`],
  ["the list of a loop", `for (const Function of ${CALL}) {}`],
  ["a var of a catch block", 'try {} catch (e) { var e = Function; e("1")(); }'],
  ["a var of a catch block, in a pattern", 'try {} catch (e) { var [e = Function] = []; e("1"); }'],
  ["a var with the name of a parameter", 'function f(x = Function) { var x; return x("1"); }'],
  ["a nested default", 'const { x: { Command } = Deno } = {}; new Command("ls");'],
  ["a nested default of a parameter", '(({ x: { Command } = Deno }) => new Command("ls"))({});'],
  ["a nested default of an assignment", 'let c; ({ x: { Command: c } = Deno } = {}); new c("ls");'],
  ["a declaration for the checker", 'declare const Function: any; Function("1")();'],
  ["a type of the same name", 'import type { Function } from "a"; Function("1")();'],
];

/** Programs in which `Function` is their own. */
const ALLOWED: readonly (readonly [name: string, code: string])[] = [
  ["a parameter", 'function f(Function) { Function("1"); }'],
  ["a var of the body, in the body", 'function f(a = 1) { var Function = a; Function("1"); }'],
  ["a parameter, in a default after it", 'function f(Function, a = Function("1")) {}'],
  [
    "a class expression inside itself",
    'const a = class Function { m() { return Function("1"); } };',
  ],
  ["a case of a switch", 'switch (1) { case 1: let Function; Function("1"); }'],
  ["a var of a static block", 'class A { static { var Function; Function("1"); } }'],
  ["a method's own parameter", '({ m(Function) { Function("1"); } });'],
];

Deno.test("validateCode() blocks a builtin where no declaration of its name holds", async (t) => {
  for (const [name, code] of BLOCKED) {
    await t.step(name, () => assert.notDeepEqual(validateCode(code).errors, []));
  }
});

Deno.test("validateCode() allows a name of the program with the name of a builtin", async (t) => {
  for (const [name, code] of ALLOWED) {
    await t.step(name, () => assert.deepEqual(validateCode(code).errors, []));
  }
});
