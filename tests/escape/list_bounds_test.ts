/** A project's lists, whatever is in them, take nothing away from those of the home folder. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "#config";
import { LEVEL_NAMES } from "#packs/policy";
import { openProject } from "../config/project.ts";
import { openPlace } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const HOME = "~/.onetool/onetool.yaml";
const UNTRUSTED = { env: { TOOLSCRIPT_TRUST: "" } };
const SERVER = "servers: { x: { command: nothing } }\n";
const LONG = "x".repeat(300);

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `x${index}.y`);
}

function rules(count: number): string {
  return JSON.stringify(names(count).map((tool) => ({ tool, then: "warned" })));
}

/** Lists that are too long, or hold what is. */
function badLists(key: string): Readonly<Record<string, string>> {
  if (key === "rules") {
    return {
      "1,000 rules": rules(1_000),
      "1,001 rules": rules(1_001),
      "a long name": JSON.stringify([{ tool: LONG, then: "warned" }]),
      "a wrong expression": JSON.stringify([{ tool: "a.b", when: "(", then: "warned" }]),
      "wrong words": JSON.stringify([{ tool: "a.b", effect: "x", then: "y" }]),
    };
  }
  return {
    "1,000 patterns": JSON.stringify(names(1_000)),
    "1,001 patterns": JSON.stringify(names(1_001)),
    "5,000 patterns": JSON.stringify(names(5_000)),
    "a long pattern": JSON.stringify([LONG]),
    "a pattern of another kind": "[5, [a], { b: c }]",
    "text": '"${X}"',
    "a map": "{ a: b }",
    "nothing": "~",
  };
}

function shows(key: string): { readonly home: string; readonly own: string } {
  if (key !== "rules") return { home: 'security: { KEY: ["mail.*"] }', own: '"mail.*"' };
  return {
    home: 'security: { rules: [{ tool: "mail.*", then: blocked }] }',
    own: '"tool":"mail.*"',
  };
}

Deno.test("no list of a project makes the home folder's list shorter", async (t) => {
  for (const key of [...LEVEL_NAMES, "rules"]) {
    const { home, own } = shows(key);
    for (const [name, list] of Object.entries(badLists(key))) {
      for (const more of [SERVER, "", "alias: { a: file.read }\n"]) {
        await t.step(`${key}: ${name}${more && `, ${more.trim()}`}`, async () => {
          const project = `${more}security: { ${key}: ${list} }\n`;
          const files = { [HOME]: home.replace("KEY", key), [MAIN]: project };
          await using it = await openProject(files);
          const before = await it.load(UNTRUSTED);
          assert.ok(JSON.stringify(before.security).includes(own), "before trust");
          assert.equal(before.rules.length, key === "rules" ? before.security.rules.length : 0);
          assert.ok(before.warnings.length <= 1, JSON.stringify(before.warnings));
          for (const { file } of before.warnings) assert.ok(file.startsWith(it.project), file);
          const after = await it.load().catch((error) => error);
          if (!(after instanceof ConfigError)) {
            assert.ok(JSON.stringify(after.security).includes(own), "after trust");
          } else {for (const { file } of after.findings) {
              assert.ok(file.startsWith(it.project), file);
            }}
        });
      }
    }
  }
});

Deno.test("what is over a bound is left out of a project with one warning, the rest counts", async () => {
  const home = `security: { ask: ${JSON.stringify(names(1_000))} }\n`;
  const ask = JSON.stringify([...names(1_000).map((name) => `own_${name}`), "over.it"]);
  for (const more of [SERVER, ""]) {
    const list = `${more}security: { ask: ${ask}, blocked: ["own.*", ${LONG}], warned: [${LONG}] }`;
    await using it = await openProject({ [HOME]: home, [MAIN]: list });
    const { security, warnings, trust } = await it.load(UNTRUSTED);
    assert.equal(trust.kind, more === "" ? "none" : "untrusted");
    assert.equal(security.ask.length, 2_000);
    assert.ok(!security.ask.includes("over.it"));
    assert.deepEqual([security.blocked, security.warned], [["own.*"], []]);
    assert.deepEqual(warnings.map(({ severity, message }) => [severity, message]), [
      ["warning", 'Cannot take "security.ask": it has over 1000 items; what is wrong is left out'],
    ]);
    assert.match((await it.findings()).join("\n"), /"security.ask": it has over 1000 items/);
  }
});

Deno.test("a list of the home folder over its bound is an error, in any project", async () => {
  for (const project of ["", SERVER, "security: { ask: [a.b] }"]) {
    const home = `security: { ask: ${JSON.stringify(names(1_001))} }\n`;
    await using it = await openProject({ [HOME]: home, [MAIN]: project });
    const [finding = ""] = await it.findings(UNTRUSTED);
    assert.match(finding, /^home\/\S+ Cannot take "security.ask": it has over 1000 items/);
  }
});

Deno.test("a project with a list over its bound is not trusted: not all of it can be shown", async () => {
  const more = JSON.stringify(names(1_001));
  await using place = await openPlace({
    [MAIN]: `servers: { x: { command: touch, args: [MARK] } }\nsecurity: { ask: ${more} }\n`,
  });
  const { code, stderr } = await place.cli(["trust", "--yes"]);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /Cannot trust ".*": /);
  await place.cli(["run", "await tools.x.call({})"]);
  assert.equal(await place.ran(), false);
});

Deno.test("no section of a project takes the place of the home folder's before trust", async (t) => {
  const home = "servers: { own: { command: a } }\ncommands: { c: [x] }\n" +
    "security: { blocked: [git.push] }\npacks: { web: { enabled: false } }\nalias: { l: ot.help }\n";
  const rows = [
    "servers: 5",
    "servers: []",
    "mcpServers: text",
    "commands: 5",
    "secrets: 5",
    "security: 5",
    "security: []",
    "packs: []",
    "packs: { web: [] }",
    "sandbox: 5",
    "$schema: []",
    "include: { a: b }",
    "servers: ~",
    "security: ~",
    "alias: 5",
    "mcp: []",
  ];
  for (const project of rows) {
    await t.step(project, async () => {
      await using it = await openProject({ [HOME]: home, [MAIN]: `${project}\n` });
      const { servers, security, packs, alias, warnings } = await it.load(UNTRUSTED);
      assert.deepEqual(servers.map(({ name }) => name), ["own"]);
      assert.deepEqual([security.blocked, packs.web.enabled, alias], [
        ["git.push"],
        false,
        { l: "ot.help" },
      ]);
      assert.ok(warnings.length <= 1, JSON.stringify(warnings));
    });
  }
});

Deno.test("a call that the home folder asks about or blocks waits in a project with long lists", async (t) => {
  const list = JSON.stringify(names(1_000));
  for (const key of ["ask", "blocked"]) {
    await t.step(key, async () => {
      await using place = await openPlace({
        [HOME]: `security: { ${key}: [file.write] }\n`,
        [MAIN]: SERVER,
      });
      const write = async () => {
        const { code } = await place.cli(["run", 'file.write(path="a.txt", text="x")']);
        const files = await Array.fromAsync(Deno.readDir(place.project));
        return code === 0 || files.some(({ name }) => name === "a.txt");
      };
      assert.equal((await place.cli(["trust", "--yes"])).code, 0);
      assert.equal(await write(), false, "as it was trusted");
      await place.write(MAIN, `${SERVER}security: { ${key}: ${list} }\n`);
      assert.equal(await write(), false, "after a pull");
    });
  }
});

Deno.test("a project that would start too much is one warning, and holds no call up", async (t) => {
  const rows: Record<string, (count: number) => string> = {
    "servers": (count) =>
      `servers:\n${names(count).map((x) => ` a${x.slice(1, -2)}: { command: b }\n`).join("")}`,
    "arguments": (count) =>
      `servers: { x: { command: b, args: ${JSON.stringify(names(count))} } }\n`,
    "a long argument": (count) =>
      `servers: { x: { command: b, args: ["${names(count).join(" ")}"] } }\n`,
    "a path": (count) =>
      `servers: { x: { command: b, env: { PATH: "${names(count).join(":")}" } } }\n`,
    "variables": (count) =>
      `servers: { x: { command: b, env: { ${
        names(count).map((x) => `"${x}": b`).join(", ")
      } } } }\n`,
    "commands": (count) => `commands: { c: ${JSON.stringify(names(count))} }\n`,
  };
  for (const [name, write] of Object.entries(rows)) {
    await t.step(name, async () => {
      const home = "servers: { own: { command: a } }\nsecurity: { ask: [mail.*] }\n";
      await using it = await openProject({ [HOME]: home, [MAIN]: write(5_000) });
      const { servers, security, trust, closed, warnings } = await it.load(UNTRUSTED);
      assert.deepEqual([servers.length, security.ask], [1, ["mail.*"]]);
      assert.equal(closed.programs.length, 1);
      assert.deepEqual([trust.kind, trust.servers, trust.hash], ["untrusted", [], undefined]);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0]?.message ?? "",
        /they have over 2000 words; what is wrong is left out$/,
      );
      assert.notEqual((await it.load()).closed.programs.length, 1);
      await Deno.writeTextFile(join(it.project, MAIN), write(400));
      const few = await it.load(UNTRUSTED);
      assert.notEqual(few.trust.hash, undefined);
      assert.deepEqual(few.warnings, []);
    });
  }
});
