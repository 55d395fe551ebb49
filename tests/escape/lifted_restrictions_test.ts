/** A project that was trusted drops its own restrictions beside a harmless change. */

import assert from "node:assert/strict";
import { caught } from "../cli/io.ts";
import { joinRows } from "../support/rows.ts";
import { openPlace, type Place, UNTRUSTED } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const SERVER = 'servers: { prod: { command: "true" } }\n';
const HARMLESS = "alias: { p: prod.peek }\n";

/** The question after a change, with a no as its answer, as it stands on the terminal. */
async function questionAfter(place: Place, text: string): Promise<string> {
  await place.caught(["trust", "--yes"]);
  await place.write(MAIN, text);
  const { home, project: cwd } = place;
  const { stderr } = await caught(["trust"], { home, cwd, env: UNTRUSTED, lines: ["n"] });
  return joinRows(stderr);
}

const ROWS: Readonly<Record<string, readonly [before: string, lines: readonly string[]]>> = {
  "a list": ['security: { ask: ["prod.wipe"] }', ['security.ask: "prod.wipe"']],
  "a rule with its reason": [
    "security: { rules: [{ tool: prod.wipe, then: ask, because: Costs }] }",
    ['security.rules: {"tool":"prod.wipe","then":"ask","because":"Costs"}'],
  ],
  "a pack": ["packs: { file: { write: false }, db: { enabled: false } }", [
    "packs.file.write: false",
    "packs.db.enabled: false",
  ]],
  "limits": ["sandbox: { calls: 3, check: strict }", [
    "sandbox.calls: 3",
    'sandbox.check: "strict"',
  ]],
  "pins and text": ["security: { pin: hold, sanitize: external }", [
    'security.pin: "hold"',
    'security.sanitize: "external"',
  ]],
};

Deno.test("restrictions that a trusted project drops are in the question", async (t) => {
  for (const [name, [before, lines]] of Object.entries(ROWS)) {
    await t.step(name, async () => {
      await using place = await openPlace({ [MAIN]: `${SERVER}${before}\n` });
      const first = joinRows((await place.caught(["trust"])).stdout);
      for (const line of lines) assert.ok(first.includes(`  | ${line}`), first);
      const question = await questionAfter(place, SERVER + HARMLESS);
      assert.ok(question.includes('  + alias.p: "prod.peek"'), question);
      for (const line of lines) assert.ok(question.includes(`  - ${line}`), question);
      const count = lines.length === 1 ? "1 restriction" : `${lines.length} restrictions`;
      assert.ok(question.includes(`, and lift ${count}.`), question);
      assert.match(question, /^A yes lets it start 1 server prod, and change 1 setting, and lift/m);
    });
  }
});

Deno.test("a list that loses one entry is told by that entry", async () => {
  const listed = (text: string) => `${SERVER}security: { ask: [${text}] }\n`;
  await using place = await openPlace({ [MAIN]: listed("prod.wipe, prod.send") });
  const question = await questionAfter(place, listed("prod.send"));
  assert.ok(question.includes('  - security.ask: "prod.wipe"'), question);
  assert.doesNotMatch(question, /prod\.send|the content of its files/);
  const { stdout } = await place.caught(["trust", "--json"]);
  const { added, removed } = JSON.parse(stdout);
  assert.deepEqual([added, removed], [[], ['security.ask: "prod.wipe"']]);
});

Deno.test("restrictions alone need no trust, and new ones lift nothing", async () => {
  await using place = await openPlace({ [MAIN]: 'security: { ask: ["git.*"] }\n' });
  assert.match((await place.caught(["trust"])).stderr, /Nothing of .* needs trust/);
  await place.write(MAIN, SERVER);
  const question = await questionAfter(place, `${SERVER}security: { blocked: ["git.*"] }\n`);
  assert.ok(question.includes('  + security.blocked: "git.*"'), question);
  assert.doesNotMatch(question, /lift/);
});
