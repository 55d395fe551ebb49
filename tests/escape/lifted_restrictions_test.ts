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

Deno.test("other settings that a project drops are counted too", async () => {
  const before = "security: { approve: plan }\npacks: { file: { allowed: [docs] } }\n";
  await using place = await openPlace({ [MAIN]: `${SERVER}${before}` });
  const question = await questionAfter(place, SERVER);
  assert.match(question, /^A yes lets it start 1 server prod, and drop 2 settings\.$/m);
  await place.write(MAIN, `${SERVER}${before}`);
  const changed = await questionAfter(place, `${SERVER}${before.replace("docs", "src")}`);
  assert.match(changed, /^A yes lets it start 1 server prod, and change 2 settings\.$/m);
});

Deno.test("restrictions alone need no trust, and new ones lift nothing", async () => {
  await using place = await openPlace({ [MAIN]: 'security: { ask: ["git.*"] }\n' });
  assert.match((await place.caught(["trust"])).stderr, /Nothing of .* needs trust/);
  await place.write(MAIN, SERVER);
  const question = await questionAfter(place, `${SERVER}security: { blocked: ["git.*"] }\n`);
  assert.ok(question.includes('  + security.blocked: "git.*"'), question);
  assert.doesNotMatch(question, /lift/);
});

const RULES = {
  delete: "{ tool: file.delete, then: blocked }",
  write: "{ tool: file.write, then: ask }",
  move: "{ tool: file.move, when: args.to == '', then: blocked }",
  read: "{ tool: file.read, when: args.path == '', then: warned }",
  free: "{ tool: web.get, then: allow }",
};
const rules = (...names: readonly (keyof typeof RULES)[]) =>
  `${SERVER}security: { rules: [${names.map((name) => RULES[name]).join(", ")}] }\n`;
const server = (filter: string) => `servers: { prod: { command: "true"${filter} } }\n`;
const FILTERED =
  ', args: ["; exclude [\\"z\\"]"], exclude: ["delete_*", wipe], include: [a, delete_b]';

const COUNTS: readonly (readonly [name: string, before: string, after: string, lifted: number])[] =
  [
    ["all rules", rules("delete", "write", "move"), SERVER + HARMLESS, 3],
    ["a rule with a condition", rules("delete", "move"), rules("delete") + HARMLESS, 1],
    ["a plain one beside it", rules("delete", "move"), rules("move") + HARMLESS, 1],
    ["one that warns", rules("read"), SERVER + HARMLESS, 1],
    ["its condition is new", rules("delete"), rules("move") + HARMLESS, 1],
    ["rules beside one that allows", rules("free", "delete"), rules("free") + HARMLESS, 1],
    ["one that allows", rules("free", "delete"), rules("delete") + HARMLESS, 0],
    ["their order", rules("delete", "move"), rules("move", "delete") + HARMLESS, 0],
    [
      "plain lists beside references",
      `${SERVER}security: { ask: ["a.*", "\${X:-b}"] }\n`,
      SERVER,
      1,
    ],
    ["exclude", server(FILTERED), server("") + HARMLESS, 3],
    ["one pattern", server(", exclude: [a, b]"), server(", exclude: [b, c]"), 1],
    ["a wider include", server(", include: [a]"), server(", include: [a, b]"), 1],
    ["a closer include", server(", include: [a, b]"), server(", include: [a]"), 0],
    ["the server itself", server(", exclude: [a]"), 'servers: { s: { command: "true" } }\n', 0],
  ];

Deno.test("settings of the home folder that did not hold are none that a project drops", async () => {
  const home = "packs: { pay: { limit: '${N:-1}' } }\n";
  const greeting = "packs: { pay: { greeting: Hi., tone: low } }\n";
  await using place = await openPlace({
    "~/.onetool/onetool.yaml": home,
    [MAIN]: SERVER + greeting,
  });
  const question = await questionAfter(place, SERVER + HARMLESS);
  assert.ok(question.includes("  - packs.pay without yours: limit"), question);
  assert.match(question, /, and drop 2 settings\.$/m);
});

Deno.test("the number of dropped restrictions counts rules with conditions, and filters", async (t) => {
  for (const [name, before, after, lifted] of COUNTS) {
    await t.step(name, async () => {
      await using place = await openPlace({ [MAIN]: before });
      const question = await questionAfter(place, after);
      const [, count = "0"] = /lift (\d+) restriction/.exec(question) ?? [];
      assert.equal(Number(count), lifted, question);
    });
  }
});

Deno.test("the first question tells rules that take away from the others", async () => {
  await using place = await openPlace({ [MAIN]: rules("delete", "move", "free") });
  const text = joinRows((await place.caught(["trust"])).stdout);
  const [changes = "", narrows = ""] = text.split("It would narrow these settings:");
  assert.match(narrows, /security\.rules: \{"tool":"file\.delete","then":"blocked"\}/);
  assert.match(changes, /security\.rules: \{"tool":"file\.move".*\n.*"then":"allow"\}/);
  assert.doesNotMatch(changes, /file\.delete/);
  const { narrows: plain } = JSON.parse((await place.caught(["trust", "--json"])).stdout);
  assert.deepEqual(plain, ['security.rules: {"tool":"file.delete","then":"blocked"}']);
});
