import assert from "node:assert/strict";
import { createProgramReader } from "#runtime";
import { isQuick } from "../../../runtime/program/quick.ts";
import { QuickReader } from "../../../runtime/program/quick_reader.ts";
import { nestedForms } from "../../support/nested_forms.ts";
import { longestTurn } from "../../support/turns.ts";

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
  ] as const;
  for (const [name, source, quick] of rows) {
    await t.step(name, () => assert.equal(isQuick(source), quick));
  }
});

/** Types in which each level doubles the work of the parser. */
function doubling(levels: number): string {
  return levels === 0 ? "1" : `1 as({a=${doubling(levels - 1)}})=>b`;
}

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
  await rehearsed();
  for (const [n, source] of sources.entries()) {
    const here = await late.read(source);
    assert.equal(JSON.stringify(here), JSON.stringify(inWorker[n]));
  }
});

Deno.test("createProgramReader() leaves other work its turns over any small program", async () => {
  await using reader = createProgramReader();
  await rehearsed();
  const longest = longestTurn();
  const read = await reader.read(command(doubling(21)));
  assert.match(read.kind === "finding" ? read.finding.message : "", /within 2 s/);
  assert.ok(longest() < 2_000, `${longest()} ms without a turn`);
});

Deno.test("QuickReader gives up what takes long, whichever form it has, and pauses", async (t) => {
  const clock = { now: 0, took: 0 };
  using reader = new QuickReader({ now: () => clock.now += clock.took, limitMs: 120 });
  assert.equal(await reader.read(command("1 + 1")), undefined, "before the rehearsal");
  await reader.rehearse();
  const plain = () => reader.read(command("1 + 1"));
  assert.equal((await plain())?.kind, "program");
  const longest = longestTurn();
  let givenUp = 0;
  for (const text of nestedForms(500)) {
    for (const source of [command(text), script(text)]) {
      clock.now += 60_000;
      if (await reader.read(source) === undefined) givenUp++;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  assert.ok(longest() < 2_000, `${longest()} ms without a turn`);
  assert.ok(givenUp >= 20, `${givenUp} were given up`);
  await t.step("a pause", async () => {
    clock.took = 20;
    assert.equal((await plain())?.kind, "program");
    assert.equal((await plain())?.kind, "program", "20 ms are not long");
    clock.took = 100;
    assert.equal((await plain())?.kind, "program");
    clock.took = 0;
    assert.equal(await plain(), undefined);
    clock.now += 4_999;
    assert.equal(await plain(), undefined);
    clock.now += 1;
    assert.equal((await plain())?.kind, "program");
  });
  reader[Symbol.dispose]();
  assert.equal(await plain(), undefined, "after the end");
});

/** Time after which a new reader reads small programs itself. */
function rehearsed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}
