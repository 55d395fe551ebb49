/** Real programs and what each gives: a value, or `kind` where there is none. */

import type { Ran } from "./run_served.ts";

export interface Row {
  readonly name: string;
  readonly script: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly gives: Ran;
}

function value(expected: unknown): Ran {
  return { kind: "value", value: expected };
}

const NOTHING: Ran = { kind: "nothing" };

export const PROGRAMS: readonly Row[] = [
  { name: "expression", script: "1 + 1", gives: value(2) },
  {
    name: "trailing semicolons and comments",
    script: "40 + 2; ; // done\n/* end */",
    gives: value(42),
  },
  { name: "comment without a line end", script: "7 // seven", gives: value(7) },
  { name: "parentheses", script: "(1, 2, (3));", gives: value(3) },
  { name: "string alone", script: '"use strict"', gives: value("use strict") },
  { name: "directive before", script: '"use strict";\n[1].map((x) => x + 1)', gives: value([2]) },
  { name: "empty", script: "", gives: NOTHING },
  { name: "only comments", script: "// nothing here", gives: NOTHING },
  { name: "declaration last", script: "const x = 1;", gives: NOTHING },
  { name: "explicit undefined", script: "undefined", gives: { kind: "undefined" } },
  { name: "explicit null", script: "null", gives: value(null) },
  { name: "return", script: "return { a: 1 };\n", gives: value({ a: 1 }) },
  { name: "bare return", script: "return;", gives: { kind: "undefined" } },
  {
    name: "return in if",
    script: "const x: number = 3;\nif (x > 2) { return 'big'; }\n'small'",
    gives: value("big"),
  },
  { name: "promise value", script: "Promise.resolve(5)", gives: value(5) },
  {
    name: "top-level await",
    script: "const x = await Promise.resolve(2);\nx * 2",
    gives: value(4),
  },
  {
    name: "for await",
    script: "let n = 0;\nfor await (const x of [1, 2].map((y) => Promise.resolve(y))) n += x;\nn",
    gives: value(3),
  },
  {
    name: "await using",
    script:
      "const log: string[] = [];\n{\n  await using x = { async [Symbol.asyncDispose]() { log.push('gone'); } };\n  log.push('here');\n}\nlog",
    gives: value(["here", "gone"]),
  },
  {
    name: "hoisting",
    script: "main();\nasync function main(): Promise<number> { return await Promise.resolve(9); }",
    gives: value(9),
  },
  {
    name: "types after the value",
    script: "'x';\ninterface Late { a: 1 }\ntype B = Late;",
    gives: value("x"),
  },
  { name: "this is undefined", script: "this === undefined", gives: value(true) },
  {
    name: "labels",
    script:
      "let n = 0;\nouter: for (;;) { for (;;) { n++; if (n > 3) break outer; continue outer; } }\nn",
    gives: value(4),
  },
  { name: "var hoisting", script: "if (true) { var x = 1; }\nx", gives: value(1) },
  {
    name: "strict mode",
    script:
      "let ok = false;\ntry { (Object.freeze({ a: 1 }) as { a: number }).a = 2; } catch { ok = true; }\nok",
    gives: value(true),
  },
  { name: "export const", script: "export const x = 1, y: number = 2;\nx + y", gives: value(3) },
  {
    name: "export function and list",
    script: "export function f() { return 4; }\nconst z = 1;\nexport { z as w, f as g };\nf()",
    gives: value(4),
  },
  {
    name: "export default expression",
    script: "export default [1, 2].length;\nconst after = 1;",
    gives: value(2),
  },
  { name: "export default wins", script: "export default 'a';\n'b'", gives: value("a") },
  {
    name: "export default object",
    script: "export default { a: 1 as number } satisfies object",
    gives: value({ a: 1 }),
  },
  { name: "export as default", script: "const a = 3;\nexport { a as default };", gives: value(3) },
  {
    name: "import tools",
    script: 'import { tools } from "toolscript";\nawait tools.echo.say("hi")',
    gives: value("hi"),
  },
  {
    name: "import late, renamed, in lines",
    script:
      'say("x");\nimport {\n  tools as t,\n} from "toolscript";\nfunction say(x: string): Promise<string> { return t.echo.say(x); }',
    gives: value("x"),
  },
  {
    name: "helper modules",
    script:
      'import base, { add, type Pair, Shape } from "./lib/math.ts";\nconst p: Pair = [1, 2];\nconst s: Shape = { n: 1 };\nadd(p) + base + s.n',
    files: {
      "lib/math.ts":
        'import { one } from "../one.ts";\nexport type Pair = [number, number];\nexport interface Shape { n: number }\nexport function add([a, b]: Pair): number { return a + b + one; }\nexport default 10 as number;',
      "one.ts": "export const one: number = 1;",
    },
    gives: value(15),
  },
  {
    name: "re-exports between helpers",
    script: 'import { a, T } from "./all.ts";\nconst t: T = 1;\nexport * from "./a.ts";\na + t',
    files: {
      "all.ts":
        'import type { T } from "./a.ts";\nexport { a, type T } from "./a.ts";\ninterface Own { x: 1 }\nexport type { Own };\nexport type U = T;',
      "a.ts": "export const a = 2;\nexport type T = number;",
    },
    gives: value(3),
  },
  {
    name: "dynamic imports",
    script:
      'const { one } = await import("./one.ts");\nconst name = "./one.ts";\nconst two = await import(name) as typeof import("./one.ts");\none + two.one + (await import(`./one.ts`)).one',
    files: { "one.ts": "export const one = 1;" },
    gives: value(3),
  },
  {
    name: "generics",
    script:
      "function id<T extends object = object>(x: T): T { return x; }\nconst m = new Map<string, Array<number>>([['a', [1]]]);\nid<{ a: number }>({ a: m.get('a')!.length })",
    gives: value({ a: 1 }),
  },
  {
    name: "arrows",
    script:
      "const f = <T,>(x: T, y?: number, ...rest: T[]): T => x;\nconst g = async <\n  T\n>(\n  x: T\n): Promise<\n  T\n> => x;\nconst h = (\n  x: number\n)\n: number => x;\n[f(1), await g(2), h(3)]",
    gives: value([1, 2, 3]),
  },
  {
    name: "line after as",
    script:
      "let a: any = 1\nconst b = a as any\n;(a = 2)\nconst c = a as number\n[1].length\nconst d = <number>a\nconst e = b satisfies number\n`x`.length\nb + c + d",
    gives: value(5),
  },
  {
    name: "erased between lines",
    script: "const f = () => 1\ninterface X { a: 1 }\n(f())\ntype Y = X\n[1, 2].length",
    gives: value(2),
  },
  {
    name: "classes",
    script:
      "abstract class A<T> {\n  abstract name(): string\n  static readonly zero: number = 0\n  protected x?: T\n  y!: number\n  declare z: string\n  [key: string]: unknown\n  private static async *gen(): AsyncGenerator<number> { yield 1 }\n  public get v(): number { return this.y }\n  private *[Symbol.iterator]() { yield 1 }\n  constructor(y: number)\n  constructor(y: any) { this.y = y }\n}\nclass B extends A<string> implements Iterable<number>, Object {\n  public name(this: B,): string { return 'b' + this.v }\n  ['computed']: number\n  readonly ['k'] = 1\n}\nconst b = new B(3);\n[b.name(), [...b], b.k, 'z' in b, 'x' in b, 'computed' in b]",
    gives: value(["b3", [1], 1, false, true, true]),
  },
  {
    name: "parameter properties",
    script:
      "class P { constructor(private readonly a: number, public b = 2, c?: string) { this.b++; } sum() { return this.a + this.b; } }\nclass Q extends P { constructor(public d: number) { super(d); } }\n[new P(1).sum(), new Q(5).d]",
    gives: value([4, 5]),
  },
  {
    name: "enums",
    script:
      "enum E { A = 1, B, C = 'c' as any, 'd-e' = A << 3, F }\nconst enum G { X }\n[E.A, E.B, E.C, E['d-e'], E.F, E[2], G.X, Object.keys(E).length]",
    gives: value([1, 2, "c", 8, 9, "B", 0, 9]),
  },
  {
    name: "namespaces",
    script:
      "namespace N {\n  export const a: number = 1;\n  const hidden = 2;\n  export function f(): number { return a + hidden; }\n  export namespace M { export let x = 5; export type T = number }\n}\nnamespace T { export type A = string }\ndeclare namespace D { const x: number }\nN.M.x = 6;\n[N.a, N.f(), N.M.x, Object.keys(N)]",
    gives: value([1, 3, 6, ["a", "f", "M"]]),
  },
  {
    name: "namespaces on functions and classes",
    script:
      "function f() { return f.a + C.b; }\nnamespace f { export const a = 1 }\nclass C {}\nnamespace C { export const b = 2 }\nf()",
    gives: value(3),
  },
  {
    name: "overloads and declarations",
    script:
      "export function f(x: string): string;\nexport function f(x: number): number;\nexport function f(x: any): any { return x; }\ndeclare const ghost: string;\ndeclare function spook(): void;\ndeclare global { interface Window { a: 1 } }\nf(3)",
    gives: value(3),
  },
  {
    name: "optional calls, non-null, satisfies",
    script:
      "const o: { f?: <T>(x: T) => T } = { f: (x) => x };\nlet i: number | undefined = 1;\ni!++;\n[o.f?.<number>(1), o!.f!(2)! + 1, i] satisfies unknown[]",
    gives: value([1, 3, 2]),
  },
  {
    name: "catch, tuples, guards",
    script:
      "function isS(x: unknown): x is string { return typeof x === 'string'; }\nfunction must(x: unknown): asserts x { if (!x) throw new Error('no'); }\ntry { must(0); } catch (e: unknown) { isS((e as Error).message) ? (e as Error).message : '' }\nconst [a, b]: [a: number, b?: string] = [1];\nlet z!: number;\nz = a;\nz",
    gives: value(1),
  },
  {
    name: "decorators",
    script:
      "function twice(f: (this: C) => number, _: unknown) { return function (this: C) { return f.call(this) * 2; }; }\nclass C { @twice public n(): number { return 21; } }\nnew C().n()",
    gives: value(42),
  },
  {
    name: "names like ours",
    script: "const $nothing = 1, $result = 2;\nexport default $nothing + $result",
    gives: value(3),
  },
  {
    name: "CRLF and BOM",
    script: "\ufeffconst a: number = 1\r\ninterface X {\r\n}\r\n(a)\r\n",
    gives: value(1),
  },
  { name: "first line for a shell", script: "#!/usr/bin/env -S toolscript\n3", gives: value(3) },
  {
    name: "template literals stay",
    script: "const x: string = `a\n  b : string`\nx",
    gives: value("a\n  b : string"),
  },
  {
    name: "import alias",
    script: "namespace N { export const a = 1 }\nimport A = N.a;\nA",
    gives: value(1),
  },
  {
    name: "the scope is that of a module",
    script:
      "let refused = '';\ntry { (undeclared as number) = 1 } catch (e) { refused = e.name }\n" +
      "[refused, typeof this, typeof arguments]",
    gives: value(["ReferenceError", "undefined", "undefined"]),
  },
  {
    name: "this and strictness without more",
    script:
      "let refused = '';\ntry { Object.freeze([]).length = 1 } catch (e) { refused = e.name }\n" +
      "[refused, typeof this]",
    gives: value(["TypeError", "undefined"]),
  },
  {
    name: "functions are there before they are written, values are disposed",
    script: "const log: string[] = [];\n{\n  await using r = { [Symbol.asyncDispose]: " +
      "() => { log.push(later()); return Promise.resolve() } };\n}\n" +
      "function later() { return 'disposed' }\nlog",
    gives: value(["disposed"]),
  },
  {
    name: "tools by any import",
    script: 'import { tools as t } from "toolscript";\nimport * as all from "toolscript";\n' +
      'import "toolscript";\nimport type { Tools } from "toolscript";\n' +
      "const x = t as unknown as Tools;\n[await x.echo.say(1), await all.tools.echo.say(2)]",
    gives: value([1, 2]),
  },
  {
    name: "a tool's module by import()",
    script: 'const { tools } = await import("toolscript");\nawait tools.echo.say(3)',
    gives: value(3),
  },
  {
    name: "throws where the author wrote it",
    script: "const a: number = 1;\ninterface X {\n  b: 1;\n}\n  throw new Error('here')",
    gives: { kind: "thrown", message: "here", line: 5, column: 9 },
  },
  {
    name: "throws on the first line",
    script: "throw new Error('one')",
    gives: { kind: "thrown", message: "one", line: 1, column: 7 },
  },
  {
    name: "throws in the last value",
    script: "\n((x: number) => { throw new Error('v') })(1)",
    gives: { kind: "thrown", message: "v", line: 2, column: 25 },
  },
  {
    name: "throws in a helper",
    script: 'import { f } from "./h.ts";\nf()',
    files: {
      "h.ts":
        'import type { A } from "./a.ts";\nenum E { A, B }\nexport const f = (): never => { throw new Error(String(E.B)); };',
      "a.ts": "export type A = 1",
    },
    gives: { kind: "thrown", message: "1", line: 3, column: 39 },
  },
];
