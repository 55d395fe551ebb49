import { deepEqual, equal } from "node:assert/strict";
import { createHost } from "./host.ts";

const FORMS: readonly (readonly [program: string, value: unknown])[] = [
  ["new Date(0)", "1970-01-01T00:00:00.000Z"],
  ["new Date(NaN)", null],
  ["12345678901234567890n", "12345678901234567890"],
  ["new Map([['a', 1]])", { a: 1 }],
  ["new Map([[{ k: 1 }, 2]])", [[{ k: 1 }, 2]]],
  ["new Set([1, 'b'])", [1, "b"]],
  ["new RangeError('no')", { name: "RangeError", message: "no" }],
  ["new Error('no', { cause: new Error('why') })", {
    name: "Error",
    message: "no",
    cause: { name: "Error", message: "why" },
  }],
  ["new Uint8Array([1, 2])", [1, 2]],
  ["new Float64Array([0.5, NaN])", [0.5, null]],
  ["new Uint8Array([7]).buffer", [7]],
  ["new BigInt64Array([1n])", ["1"]],
  ["[NaN, Infinity, -Infinity, -0]", [null, null, null, 0]],
  ["function named() {}", "[Function: named]"],
  ["[() => {}, Symbol('s')]", ["[Function: anonymous]", "Symbol(s)"]],
  ["/x/g", "/x/g"],
  ["new URL('http://a/b')", "http://a/b"],
  ["[undefined, , null]", [null, null, null]],
  ["({ a: undefined, b: 1 })", { b: 1 }],
  ["(() => { const o = { a: 1 }; o.self = o; return o; })()", { a: 1, self: "[Circular]" }],
  ["({ get bad() { throw new Error('mine'); } })", { bad: "[Threw: mine]" }],
  ["({ toJSON() { throw new Error('mine'); } })", "[Threw: mine]"],
  ["({ toJSON() { return { a: 1 }; } })", { a: 1 }],
  ["new Proxy({}, { ownKeys() { throw new Error('mine'); } })", "[Threw: mine]"],
  ["Object.create(null, { a: { value: 1, enumerable: true } })", { a: 1 }],
  ["new String('boxed')", "boxed"],
  ["[Object(1n), Object(Symbol.iterator)]", [{}, {}]],
  ['JSON.parse(\'{"__proto__": {"a": 1}}\')', JSON.parse('{"__proto__": {"a": 1}}')],
  ["'\\ud800'", "\ud800"],
  ["'\"\\\\\\n\\u2028'", '"\\\n\u2028'],
  ["new WeakMap()", {}],
  ["[Promise.resolve(1), [Promise.resolve(Promise.resolve(2))]]", [1, [2]]],
];

Deno.test("every value has one JSON form", async (t) => {
  await using host = createHost();
  for (const [program, value] of FORMS) {
    await t.step(program, async () => {
      const { outcome } = await host.run(`return ${program}`);
      deepEqual(outcome, { kind: "value", value });
    });
  }
});

Deno.test("a value deeper than any reader can take is cut", async () => {
  await using host = createHost();
  const { outcome } = await host.run("let d = 1; for (let i = 0; i < 1e5; i++) d = [d]; return d;");
  equal(outcome.kind, "value");
});

Deno.test("a value of many parts has its form", async (t) => {
  await using host = createHost();
  for (const form of ["list", "new Set(list)", "new Map(list.map((one) => [one, one]))"]) {
    await t.step(form, async () => {
      const list = "const list = Array.from({ length: 200_000 }, () => ({}));";
      const { outcome } = await host.run(`${list} return ${form};`);
      equal(outcome.kind === "value" && (outcome.value as unknown[]).length, 200_000);
    });
  }
  const fields = "Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [at, {}]))";
  const { outcome } = await host.run(`return ${fields}`);
  equal(outcome.kind, "value");
});

Deno.test("a nested promise that rejects fails the run", async () => {
  await using host = createHost();
  const { outcome } = await host.run("return [Promise.reject(new TypeError('inside'))]");
  equal(outcome.kind === "thrown" && outcome.message, "inside");
});

Deno.test("hostile thrown values are reported like errors", async (t) => {
  await using host = createHost();
  const thrown = [
    "'text'",
    "undefined",
    "null",
    "42n",
    "Symbol('x')",
    "{ get message() { throw 1; }, get stack() { throw 2; }, get name() { throw 3; } }",
    "new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } })",
    "Object.assign(new Error('x'), { stack: 7, name: {}, message: [] })",
    "() => {}",
    "Object.assign(new Error('y'), { name: 'x'.repeat(1e6), message: 'y'.repeat(3e6) })",
  ];
  for (const value of thrown) {
    await t.step(value, async () => {
      const { outcome } = await host.run(`throw ${value.startsWith("{") ? `(${value})` : value}`);
      equal(outcome.kind, "thrown");
    });
  }
});
