import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createSecurityPolicy, validateCode } from "../../../runtime/validate/mod.ts";
import { PROGRAMS } from "../program/programs.ts";

Deno.test("validateCode() returns for any code within its deadline", async (t) => {
  const deep = (open: string, close: string, times: number) =>
    open.repeat(times) + "1" + close.repeat(times);
  const many = (part: (index: number) => string, times: number, joint = ";") =>
    Array.from({ length: times }, (_, index) => part(index)).join(joint);
  const rows: [string, string][] = [
    ["brackets", deep("[", "]", 100_000)],
    ["parentheses", deep("(", ")", 400)],
    ["aliases", `const a0 = eval;${many((i) => `const a${i + 1} = a${i}`, 20_000)};a20000(1)`],
    ["aliases backwards", `${many((i) => `let b${i} = b${i + 1}`, 20_000)}`],
    ["names made of themselves", "var a = b, b = a, c = a || b || c; a(); b(); c()"],
    ["choices", `const x = ${many((i) => `(c${i} ? eval : d${i})`, 2_000, " || ")}; x(1)`],
    ["members", `a${".b".repeat(4_000)}()`],
    ["calls", `a${".bind()".repeat(2_000)}()`],
    ["sums", `globalThis[${many((i) => `"${i}"`, 3_000, " + ")}]()`],
    ["uses", many(() => "eval(1)", 50_000)],
    ["globals", many((i) => `g${i}.h(${i})`, 50_000)],
    ["patterns", `const ${deep("{ a: ", " }", 300).replace("1", "e")} = globalThis; e()`],
    ["a long name", `${"a".repeat(1_000_000)}()`],
    ["no text", "\0\ud800\u2028"],
  ];
  const policy = createSecurityPolicy({ ask: ["*a*a*a*a*a*a*a*b", "*.*.*.*.*.*.c", "g*.h"] });
  for (const [name, code] of rows) {
    await t.step(name, () => {
      const started = performance.now();
      const { findings } = validateCode(code, { policy });
      ok(findings.length <= 200);
      ok(performance.now() - started < 60_000, "it hangs");
    });
  }
});

Deno.test("validateCode() has no findings against ordinary programs", () => {
  const findings = PROGRAMS.flatMap(({ name, script, files = {} }) =>
    [script, ...Object.values(files)].flatMap((text) =>
      validateCode(text).findings.map(({ message }) => `${name}: ${message}`)
    )
  );
  deepStrictEqual(findings, []);
});

Deno.test("validateCode() keeps blocked findings when there are too many", () => {
  const { findings, valid } = validateCode("open(1);".repeat(5_000) + "eval(1)");
  deepStrictEqual([findings.length, valid], [200, false]);
  strictEqual(findings.at(-1)?.name, "eval");
});
