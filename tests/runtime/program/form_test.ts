import { equal } from "node:assert/strict";
import { createProgramReader, type ProgramSource } from "../../../runtime/program/mod.ts";

const IMPORT = 'import { tools, type Tools } from "toolscript";';

const FUNCTIONS: readonly string[] = [
  "1 + 1",
  `${IMPORT} await tools.a.b()`,
  'import * as all from "toolscript"; all.tools',
  'import type { A } from "toolscript"; const a: A = 1; export default a',
  "const o = { arguments: 1 }; o.arguments",
  "const a = 1; export { a as default }",
];

const MODULES: readonly string[] = [
  'const { tools } = await import("toolscript"); tools',
  "import.meta.url",
  "(() => arguments)()",
  'const a = "<!--x"; a',
  "@f class A {} function f(x: unknown) { return x }",
  'import other from "toolscript"; other',
  'import { other } from "toolscript"; other',
  'export { tools as default } from "toolscript"',
  'export * from "toolscript"',
];

Deno.test("a program is a function unless that changes its meaning", async (t) => {
  await using reader = createProgramReader();
  async function formOf(source: Pick<ProgramSource, "script">) {
    const read = await reader.read({ kind: "script", file: "a.ts", files: {}, ...source });
    return read.kind === "program" ? read.program.form : read.finding.message;
  }
  for (const script of FUNCTIONS) {
    await t.step(script, async () => equal(await formOf({ script }), "function"));
  }
  for (const script of MODULES) {
    await t.step(script, async () => equal(await formOf({ script }), "module"));
  }
});
