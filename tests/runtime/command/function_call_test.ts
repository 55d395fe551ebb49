import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { parseFunctionCall } from "../../../runtime/command/function_call.ts";

Deno.test("parseFunctionCall() reads one call", async (t) => {
  const rows: [string, string, string, Record<string, unknown>][] = [
    ["VAL-10 simple", 'search(query="test")', "search", { query: "test" }],
    ["VAL-10 of a pack", 'brave.web_search(query="test");', "brave.web_search", { query: "test" }],
    ["VAL-10 by text", 'tools["my-pack"].go(a=1)', "tools.my-pack.go", { a: 1 }],
    ["VAL-10 no arguments", "f()", "f", {}],
    ["VAL-10 an object", 'f({query: "x", n: [1, -2]})', "f", { query: "x", n: [1, -2] }],
    ["VAL-10 reserved words", "f(default=1, class=2)", "f", { default: 1, class: 2 }],
    ["VAL-12 several", 'search(query="test", count=5, fresh=True)', "search", {
      query: "test",
      count: 5,
      fresh: true,
    }],
    [
      "VAL-12 every kind",
      "f(a=1.5, b=-1, c=None, d=False, e=null, g=`x`, h={a: [True]}, i=[])",
      "f",
      {
        a: 1.5,
        b: -1,
        c: null,
        d: false,
        e: null,
        g: "x",
        h: { a: [true] },
        i: [],
      },
    ],
  ];
  for (const [name, code, called, args] of rows) {
    await t.step(name, () => deepStrictEqual(parseFunctionCall(code), [called, args]));
  }
  await t.step("VAL-12 __proto__ is an argument like any other", () => {
    const [, args] = parseFunctionCall('f(__proto__=1, b={"__proto__": 2})') ?? [];
    deepStrictEqual(Object.keys(args ?? {}), ["__proto__", "b"]);
    strictEqual(Object.getPrototypeOf(args), Object.prototype);
  });
});

Deno.test("VAL-11 parseFunctionCall() returns null for a command that must be run", async (t) => {
  const rows = [
    'to_yaml(search(query="test"))',
    'to_yaml(x=search(query="test"))',
    "f(x)",
    "f(x=y)",
    "f(a=1 + 1)",
    "f(`${a}`)",
    'f("x")',
    "f(...x)",
    "f({...x})",
    "f({[a]: 1})",
    "1 + 1",
    "f(); g()",
    "f",
    "",
    '"x"',
    "await f()",
    "f()()",
    "f().g()",
    "new F()",
  ];
  for (const code of rows) await t.step(code, () => strictEqual(parseFunctionCall(code), null));
});

Deno.test("VAL-13 parseFunctionCall() throws for a text that does not parse", async (t) => {
  for (const code of ["search(query=", "search(", "def f():", "f(a=1", ")"]) {
    await t.step(code, () => {
      throws(() => parseFunctionCall(code), {
        name: "SyntaxError",
        message: /^Cannot parse the function call: line 1, column \d+: ./,
      });
    });
  }
});
