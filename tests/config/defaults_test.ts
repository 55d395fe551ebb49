/** Defaults stand in the rules; the configuration in use has them in the units of the program. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CONFIG, SERVER } from "../../config/schema.ts";
import { settingName } from "../../config/values.ts";
import type { Rule } from "#packs/rules";
import { openProject } from "./project.ts";

const MAIN = ".onetool/onetool.yaml";

Deno.test("loadConfig() uses a default in the unit of the program", async () => {
  await using it = await openProject({});
  const { sandbox, stats, output, packs, workers } = await it.load();
  assert.equal(sandbox.timeoutMs, 60_000);
  assert.equal(sandbox.cpuSeconds, 30);
  assert.equal(sandbox.callBytes, 2 ** 20);
  assert.equal(sandbox.concurrent, Math.max(4, navigator.hardwareConcurrency * 2));
  assert.equal(stats.keepMs, 365 * 86_400_000);
  assert.equal(output.maxInlineBytes, 50_000);
  assert.equal(packs.llm.maxInputChars, 400_000);
  assert.equal(packs.file.maxTextBytes, 2 ** 20);
  assert.deepEqual(packs.grep.allowed, [it.project]);
  assert.equal(workers.idleTimeoutMs, 600_000);
});

Deno.test("loadConfig() takes a default, written out, for the same", async () => {
  await using plain = await openProject({});
  await using written = await openProject({ [MAIN]: JSON.stringify(defaultsOf(CONFIG)) });
  const [{ packs, ...config }, { packs: ownPacks, ...own }] = [
    await plain.load(),
    await written.load(),
  ];
  for (const key of ["security", "sandbox", "gateway", "workers", "docs", "prompts"] as const) {
    assert.deepEqual(own[key], config[key], key);
  }
  assert.deepEqual(
    JSON.parse(JSON.stringify(ownPacks).replaceAll(written.project, plain.project)),
    JSON.parse(JSON.stringify(packs)),
  );
});

Deno.test("loadConfig() takes null for a key that is not written", async () => {
  await using plain = await openProject({});
  await using it = await openProject({
    [MAIN]: "sandbox:\nsecurity: { ask: , ask_timeout: }\npacks: { mine: , web: , " +
      "file: { allowed: } }\n",
  });
  const [expected, { sandbox, security, packs }] = [await plain.load(), await it.load()];
  assert.deepEqual([sandbox, security], [expected.sandbox, expected.security]);
  assert.deepEqual([packs.web, packs.extensions], [expected.packs.web, {}]);
  assert.deepEqual(packs.file.allowed, [it.project]);
});

Deno.test("loadConfig() keeps names that are special in JavaScript apart from keys", async () => {
  await using it = await openProject({
    [MAIN]:
      "packs: { __proto__: { enabled: false }, extensions: { a: 1 }, constructor: { b: 2 } }\n" +
      "alias: { __proto__: ot.help }\nsandbox: { __proto__: { calls: 1 } }\n",
  });
  const { packs, alias, sandbox } = await it.load();
  assert.deepEqual(Object.keys(packs.extensions), ["__proto__", "extensions", "constructor"]);
  assert.deepEqual([packs.web.enabled, sandbox.calls], ["auto", 1000]);
  assert.deepEqual(Object.entries(alias), [["__proto__", "ot.help"]]);
});

Deno.test("loadConfig() takes a null default of a parameter for one", async () => {
  await using it = await openProject({
    [MAIN]: "snippets: { s: { body: x, params: { a: { default: null }, b: { required: false }, " +
      "c: { type: string } } } }\n",
  });
  const { s } = (await it.load()).snippets;
  assert.deepEqual(s?.params, {
    a: { default: null },
    b: { default: null },
    c: { type: "string" },
  });
});

Deno.test("loadConfig() takes a folder or a database by its text alone, or as a map", async () => {
  await using it = await openProject({
    [MAIN]: "projects: { a: sub, b: { path: ~/b, attrs: { c: 1 } }, none: { attrs: {} } }\n" +
      "packs: { db: { connections: { x: 'sqlite:x.db', y: { write: true } } } }\n",
  });
  const { projects, packs } = await it.load();
  assert.deepEqual(projects, [
    { name: "a", path: join(it.project, "sub"), attrs: {} },
    { name: "b", path: join(it.home, "b"), attrs: { c: 1 } },
  ]);
  assert.deepEqual(packs.db.connections, {
    x: { url: { kind: "sqlite", path: join(it.project, "x.db") }, write: false, superuser: false },
    y: { url: { kind: "unknown" }, write: true, superuser: false },
  });
});

Deno.test("no two keys of a section have the same name in use", () => {
  for (const rule of sections(CONFIG).concat(sections(SERVER))) {
    const names = Object.entries(rule.keys).map(([key, one]) => settingName(key, one));
    assert.equal(new Set(names).size, names.length, rule.about);
  }
});

/** The defaults of a section, as a person would write them. */
function defaultsOf(rule: Rule): unknown {
  if (rule.kind === "number" && rule.auto) return "auto";
  if (rule.kind !== "object") return rule.default;
  return Object.fromEntries(
    Object.entries(rule.keys).map(([key, one]) => [key, defaultsOf(one)]),
  );
}

function sections(rule: Rule): Extract<Rule, { kind: "object" }>[] {
  if (rule.kind !== "object") return [];
  return [rule, ...Object.values(rule.keys).flatMap(sections)];
}
