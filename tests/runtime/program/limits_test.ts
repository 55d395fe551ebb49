/** Limits of reading a program: its syntax tree, what is kept of it, and the time that others wait. */

import { deepStrictEqual, match, ok } from "node:assert/strict";
import { createProgramReader } from "../../../runtime/program/mod.ts";
import { deadlineOf } from "../../../runtime/program/quick.ts";
import { readScript } from "../../../runtime/program/read_script.ts";
import { createSecurityPolicy } from "../../../runtime/validate/mod.ts";

const POLICY = createSecurityPolicy();

function finding(script: string, files: Record<string, string> = {}) {
  const read = readScript({ script, file: "script.ts", files }, POLICY);
  return read.kind === "finding" ? read.finding : undefined;
}

Deno.test("a script with too many words and marks for a syntax tree is refused", async (t) => {
  const many = 1_000_001;
  const refused: Record<string, readonly [script: string, files?: Record<string, string>]> = {
    "empty statements": [";".repeat(many)],
    "names without marks": ["a\n".repeat(many)],
    "names of other letters": ["é\n".repeat(many)],
    "lists": [`x = [${"[],".repeat(many / 3)}]`],
    "in a text": [`"${", ".repeat(many)}"`],
    "in a file beside it that nothing imports": ["1", { "a.ts": ";".repeat(many) }],
    "in all files together": ["1", { "a.ts": "1,".repeat(300_000), "b.ts": ";".repeat(500_000) }],
  };
  for (const [name, [script, files]] of Object.entries(refused)) {
    await t.step(name, () => {
      const { code, file, message = "" } = finding(script, files) ?? {};
      deepStrictEqual([code, file], ["too_large", "script.ts"]);
      match(message, /over 1,000,000 words and marks: keep data in a file that a tool reads/);
    });
  }
  const taken: Record<string, string> = {
    "a long text": `"${"x".repeat(12_000_000)}".length`,
    "blank lines": `${"\n \t".repeat(2_000_000)}1`,
    "a table of data": `export default [${"12345678, ".repeat(200_000)}]`,
  };
  for (const [name, script] of Object.entries(taken)) {
    await t.step(`but not ${name}`, () => deepStrictEqual(finding(script), undefined));
  }
});

Deno.test("what a reading keeps grows with the program, not with the length of its names", async (t) => {
  const long = "X".repeat(50_000);
  const warned = `const e = Deno.read${long};\nconst l = [${"e,".repeat(300)}];\n1`;
  await t.step("a warned name", () => {
    const read = readScript({ script: warned, file: "script.ts", files: {} }, POLICY);
    ok(read.kind === "program");
    deepStrictEqual(read.validation.findings.length, 200);
    ok(JSON.stringify(read.validation).length < 400_000);
  });
  const uses = Array.from({ length: 2_000 }, () => "a").join("+");
  const written: Record<string, string> = {
    "an enum": `enum ${long} { a = 1, b = ${uses} }`,
    "a namespace": `namespace ${long} {${
      Array.from({ length: 2_000 }, (_, at) => `export let a${at} = 1;`).join("")
    }}`,
  };
  await using reader = createProgramReader();
  for (const [name, script] of Object.entries(written)) {
    await t.step(name, async () => {
      const read = await reader.read({ kind: "script", script, file: "script.ts", files: {} });
      deepStrictEqual(read.kind === "finding" && read.finding.code, "too_large");
    });
  }
  await t.step("many enums are none of them", async () => {
    const script = Array.from({ length: 2_000 }, (_, at) => `enum E${at} {A}`).join("\n");
    const read = await reader.read({ kind: "script", script, file: "script.ts", files: {} });
    deepStrictEqual(read.kind, "program");
  });
});

Deno.test("blanks give no program the time of others", () => {
  const script = `1${" ".repeat(15_000_000)}`;
  ok(deadlineOf({ kind: "script", script, file: "main.ts", files: {} }) < 10_000);
});
