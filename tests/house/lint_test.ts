import assert from "node:assert/strict";
import house from "../../lint/house.ts";
import { ROOT } from "./sources.ts";

/** Rules that a text breaks, with the words of each message. */
function problems(path: string, text: string): string[] {
  return Deno.lint.runPlugin(house, `${ROOT}${path}`, text)
    .map(({ id, message }) => `${id}: ${message}`);
}

function lines(count: number): string {
  return "  work();\n".repeat(count);
}

/** Code below `path` that breaks one rule. */
const BROKEN: readonly (readonly [name: string, path: string, text: string, message: RegExp])[] = [
  ["a door above", "sandbox/probe.ts", 'import "#packs";', /layers: "sandbox" may not/],
  ["a door above, types", "runtime/probe.ts", 'import type { A } from "#gateway";', /layers/],
  ["a sub-door above", "sandbox/probe.ts", 'import "#gateway/mcp";', /layers/],
  ["a sub-door above, deep", "packs/a/b/probe.ts", 'export * from "#runtime/stats";', /layers/],
  ["a door above, exported", "packs/probe.ts", 'export { a } from "#cli";', /layers/],
  ["a dynamic import of a door above", "packs/probe.ts", 'await import("#runtime");', /layers/],
  ["a dynamic import of a path", "cli/probe.ts", 'await import("../gateway/app.ts");', /door/],
  ["a path past a door", "packs/probe.ts", 'import "../sandbox/json.ts";', /door/],
  ["a path past a door, up and down", "packs/a/probe.ts", 'import "../../packsx/a.ts";', /door/],
  ["a room above", "runtime/syntax/probe.ts", 'import "../program/a.ts";', /rooms import downward/],
  ["a room beside", "runtime/command/probe.ts", 'export * from "../validate/a.ts";', /layers/],
  [
    "a room above, types",
    "runtime/validate/a/b.ts",
    'import type { A } from "../../program/a.ts";',
    /layers/,
  ],
  [
    "a room above, type of an import",
    "runtime/command/a.ts",
    'let a: import("../run/a.ts").A;',
    /layers/,
  ],
  ["a file above, dynamic", "runtime/describe/a.ts", 'await import("../catalog.ts");', /layers/],
  ["a path to main", "cli/probe.ts", 'import "../main.ts";', /door/],
  ["a file", "gateway/probe.ts", "export {};\n".repeat(301), /size: A file of 301 lines/],
  ["main", "main.ts", "export {};\n".repeat(301), /size: A file of 301 lines: over 300/],
  ["the assembly", "cli/probe.ts", 'import "#assembly";', /layers: "cli" may not/],
  ["the assembly from below, dynamic", "gateway/a.ts", 'await import("#assembly");', /layers/],
  ["a path into the assembly", "runtime/probe.ts", 'import "../assembly/base.ts";', /door/],
  ["a function", "cli/probe.ts", `function a() {\n${lines(39)}}`, /size: A function of 41 lines/],
  ["a method", "cli/probe.ts", `class A { a() {\n${lines(39)}} }`, /size: A function of 41 lines/],
  ["an arrow", "cli/probe.ts", `const a = () => {\n${lines(39)}};`, /size: A function of 41 lines/],
  [
    "a function with those in it",
    "cli/probe.ts",
    `function a() {\n${`function b() {\n${lines(33)}}\n`.repeat(3)}}`,
    /size: A function of 107 lines with those in it: over 100/,
  ],
  ["an object in an object", "tests/a.ts", "use({ a, ...{ b, c } });", /spread: A literal/],
  ["a list in a list", "cli/probe.ts", "use([...[a, b], c]);", /spread: A literal/],
  ["a list in a call", "cli/probe.ts", "use(...[a, b]);", /spread: A literal/],
  ["an object in JSX", "gateway/probe.tsx", "<A {...{ b, c }} d />;", /spread: A literal/],
  [
    "statements in each other",
    "cli/probe.ts",
    "for (;;) { if (a) { while (b) { try { c(); } finally { d(); } } } }",
    /depth: A statement nested 4 deep/,
  ],
  ["a dot", "packs/closed/a.ts", "use(/^a.*$/i);", /dots: A dot in a pattern without the flag/],
  ["a dot behind a class", "packs/closed/a/b.ts", "use(/[.\\]].\\./);", /dots: A dot/],
  ["a pattern of a text", "packs/closed/a.ts", 'new RegExp(`${a}`, "i");', /dots: A dot/],
  ["a pattern without flags", "packs/closed/a.ts", "RegExp(a);", /dots: A dot/],
  [
    "statements in each other, without braces",
    "cli/probe.ts",
    "function a() { for (;;) if (b) for (;;) switch (c) { default: } }",
    /depth: A statement nested 4 deep/,
  ],
];

const SOUND: readonly (readonly [name: string, path: string, text: string])[] = [
  ["a door below", "gateway/probe.ts", 'import "#runtime/stats";\nawait import("#packs/policy");'],
  ["a library", "sandbox/probe.ts", 'import "@babel/parser";\nimport "node:path";'],
  ["a path inside", "packs/a/probe.ts", 'import "../b/c.ts";'],
  ["a room below", "runtime/program/a/b.ts", 'import "../../syntax/a.ts";\nimport "./c.ts";'],
  ["the assembly and its doors", "assembly/probe.ts", 'import "#cli";\nimport "#telemetry";'],
  ["main and its doors", "main.ts", 'import "#cli";\nawait import("#gateway/mcp");'],
  ["tests", "tests/probe.ts", `import "../packs/a.ts";\nfunction a() {\n${lines(99)}}`],
  ["a function of forty lines", "cli/probe.ts", `function a() {\n${lines(38)}}`],
  ["values", "cli/probe.ts", "use({ a, ...b, ...(c ? { d } : {}), e: [...f, ...g.map(h)] });"],
  ["dots for all", "packs/closed/a.ts", 'use(/^.*$/is, /[.]\\.[\\].]/, new RegExp(a, "gs"));'],
  ["a dot elsewhere", "packs/probe.ts", "use(/^.*$/, new RegExp(a));"],
  ["else if", "cli/probe.ts", "if (a) b(); else if (c) d(); else if (e) f(); else if (g) h();"],
  [
    "a function in a nested statement",
    "cli/probe.ts",
    "for (;;) if (a) for (;;) b(() => { if (c) d(); });",
  ],
];

Deno.test("the linter refuses what breaks a house rule", async (t) => {
  for (const [name, path, text, message] of BROKEN) {
    await t.step(name, () => {
      const messages = problems(path, text);
      assert.equal(messages.length, 1, messages.join("\n"));
      assert.match(messages[0] ?? "", message);
    });
  }
});

Deno.test("the linter takes what keeps the house rules", async (t) => {
  for (const [name, path, text] of SOUND) {
    await t.step(name, () => assert.deepEqual(problems(path, text), []));
  }
});

Deno.test("the linter knows every folder of runtime", () => {
  for (const { name, isDirectory } of Deno.readDirSync(`${ROOT}runtime`)) {
    if (!isDirectory) continue;
    assert.equal(problems(`runtime/${name}/probe.ts`, 'import "../mod.ts";').length, 1, name);
  }
});
