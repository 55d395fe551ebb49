import assert from "node:assert/strict";
import { createProgramReader } from "#runtime";
import { isQuick } from "../../../runtime/program/quick.ts";

const command = (text: string) => ({ kind: "command" as const, command: text });
const script = (text: string, files: Record<string, string> = {}) => ({
  kind: "script" as const,
  script: text,
  file: "main.ts",
  files,
});

Deno.test("isQuick() takes small plain programs only", async (t) => {
  const rows = [
    ["one expression", command("1 + 1"), true],
    ["a call", command('brave.search(query="x")'), true],
    ["a loop", command("for (let i = 0; i < 10; i++) ot.version()"), true],
    ["a script", script("export default 1"), true],
    ["a script with files", script("import './a.ts'", { "a.ts": "" }), false],
    ["a snippet, whose template may loop", command("$report n=1"), false],
    ["a fence, which may hold one", command("```\n$report\n```"), false],
    ["a long text", command("1 + ".repeat(200) + "1"), false],
    ["what is read in two ways again and again", command("<a>(async <a>(".repeat(8)), false],
    ["conditions within conditions", command("a ? (b) : c => (".repeat(5)), false],
  ] as const;
  for (const [name, source, quick] of rows) {
    await t.step(name, () => assert.equal(isQuick(source), quick));
  }
});

Deno.test("createProgramReader() reads a small program here as it does in its worker", async () => {
  await using early = createProgramReader();
  await using late = createProgramReader();
  const sources = [
    command("x = 1; [x].map((n) => n + 1)"),
    command("1 +"),
    command("eval('1')"),
    script('import { tools } from "toolscript"; export default await tools.a.b({});'),
    script('import "./missing.ts"'),
  ];
  const inWorker = await Promise.all(sources.map((source) => early.read(source)));
  await new Promise((resolve) => setTimeout(resolve, 3_000)); // the rehearsal is over by now
  for (const [n, source] of sources.entries()) {
    const here = await late.read(source);
    assert.equal(JSON.stringify(here), JSON.stringify(inWorker[n]));
  }
});
