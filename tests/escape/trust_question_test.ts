/** A hostile project deceives the person who is asked, holds up who looks at it, or uses what nobody
 * trusts. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { ConfigError, loadConfig } from "#config";
import { cli } from "../support/cli.ts";
import { joinRows } from "../support/rows.ts";

const UNTRUSTED = { TOOLSCRIPT_TRUST: "" };

interface Place {
  readonly home: string;
  readonly project: string;
  cli(...args: string[]): ReturnType<typeof cli>;
}

async function withPlace(
  files: Readonly<Record<string, string>>,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-question-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const [name, text] of Object.entries({ "~/.keep": "", ".keep": "", ...files })) {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text.replaceAll("MARK", join(root, "ran")));
  }
  try {
    await work({
      home,
      project,
      cli: (...args) => cli(args, { home, cwd: project, env: UNTRUSTED }),
    });
    await assert.rejects(Deno.lstat(join(root, "ran")), Deno.errors.NotFound, "something ran");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("init trusts no server that it left out", async (t) => {
  const rows = {
    // Left out by every reader: it would start Toolscript in Toolscript.
    "a program called toolscript": [{ evil: { command: "./toolscript", args: ["mcp"] } }, "none"],
    "a name without a letter": [{ "1": { command: "touch", args: ["MARK"] } }, "untrusted"],
  } as const;
  for (const [name, [mcpServers, expected]] of Object.entries(rows)) {
    await t.step(name, () =>
      withPlace({
        ".mcp.json": JSON.stringify({ mcpServers }),
        "toolscript": "#!/bin/sh\ntouch MARK\n",
      }, async (place) => {
        await Deno.chmod(join(place.project, "toolscript"), 0o755);
        const init = await place.cli("init");
        assert.equal(init.code, 0, init.stderr);
        assert.match(init.stderr, /Left out the server/);
        assert.doesNotMatch(init.stderr, /Trusted:/);
        assert.equal((await place.cli("list")).code, 0);
        const { state } = JSON.parse((await place.cli("trust", "--json")).stdout);
        assert.equal(state, expected);
        assert.equal(/toolscript trust/.test(init.stderr), expected === "untrusted");
      }));
  }
});

const SERVER = "servers: { e: { command: touch, args: [MARK] } }\n";
const MANY = Array.from({ length: 200 }, (_, at) => `docs/part${at}`);

Deno.test("no item in the trust list is cut or adds lines", () =>
  withPlace({
    ".onetool/onetool.yaml": `${SERVER}packs: { file: { allowed: ${
      JSON.stringify([...MANY, "/"])
    } } }
alias: { ${"a".repeat(400)}: "\${A\\n  server docs: echo}", b: "\${secret:B\\nIt would start:}" }
`,
  }, async (place) => {
    const stdout = joinRows((await place.cli("trust")).stdout);
    assert.match(stdout, /"docs\/part199","\/"\]$/m);
    assert.doesNotMatch(stdout, /^( {2}\| )?server docs|^ {2}server docs/m);
    assert.equal(stdout.match(/^It would start:/gm)?.length, 1);
    assert.match(stdout, /^ {2}\| secret "B\\n/m);
  }));

const TURNED = "\u202etxt\u2066\u200b\u3164\u{e0041}";

Deno.test("the trust list holds no invisible character", () =>
  withPlace({
    ".onetool/onetool.yaml": `${SERVER}alias: { "a${TURNED}": "\${${TURNED}}" }
`,
    [`.onetool/tools/${TURNED}/${TURNED}_tools.ts`]: "",
  }, async (place) => {
    const show = async () => {
      const { stdout } = await place.cli("trust");
      assert.doesNotMatch(stdout, /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/u);
      return stdout;
    };
    assert.match(await show(), /"a\\u202etxt\\u2066\\u200b\\u3164\\u\{e0041\}"/);
    await place.cli("trust", "--yes");
    await Deno.remove(join(place.project, `.onetool/tools/${TURNED}`), { recursive: true });
    assert.match(await show(), /^ {2}- pack .*\\u202e/m);
  }));

Deno.test("a changed pack is listed beside other changes", async (t) => {
  const pack = ".onetool/tools/mine/mine_tools.ts";
  const words = /the content of \.onetool\/tools/;
  for (
    const [name, path, isListed] of [
      ["its program", pack, true],
      ["a module", ".onetool/tools/mine/helper.ts", true],
      ["nothing of it", "notes.md", false],
    ] as const
  ) {
    await t.step(name, () =>
      withPlace({
        ".onetool/onetool.yaml": "alias: { a: mine.one }\n",
        [pack]: "export function one() { return 1; }\n",
      }, async ({ project, cli }) => {
        await cli("trust", "--yes");
        await Deno.writeTextFile(join(project, path), "export function one() { return 2; }\n");
        const settings = join(project, ".onetool/onetool.yaml");
        await Deno.writeTextFile(settings, "alias: { a: mine.one, b: mine.one }\n");
        const { stdout } = await cli("trust");
        assert.match(stdout, /^ {2}\+ alias/m);
        (isListed ? assert.match : assert.doesNotMatch)(stdout, words);
      }));
  }
});

Deno.test("a changed secret is listed by its name beside other changes", () =>
  withPlace({
    ".onetool/onetool.yaml": `${SERVER}alias: { a: "\${secret:CHANGED}" }\n`,
    ".onetool/secrets.yaml": "CHANGED: first-1\nGONE: first-2\nSAME: first-3\n",
  }, async ({ home, project, cli }) => {
    const write = (name: string, text: string) =>
      Deno.writeTextFile(join(project, ".onetool", name), text);
    await cli("trust", "--yes");
    const stored = await Deno.readTextFile(join(home, ".onetool/trust.json"));
    assert.doesNotMatch(stored, /first-/);
    await write("secrets.yaml", 'CHANGED: second-1\nSAME: first-3\n"NEW\\n  + x": second-2\n');
    const names = ["CHANGED", String.raw`"NEW\n  + x"`, "GONE"];
    const secrets = names.map((name) => `secret ${name} in .onetool/secrets.yaml`);
    const list = async () => (await cli("trust")).stdout;
    const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("  ~ "));
    assert.deepEqual(lines(await list()), secrets.map((secret) => `  ~ ${secret}`));
    await write("onetool.yaml", `${SERVER}alias: { a: "\${secret:CHANGED}", b: c.d }\n`);
    const both = await list();
    assert.match(both, /^ {2}\+ alias/m);
    assert.deepEqual(lines(both), secrets.map((secret) => `  ~ ${secret}`));
    const { stdout } = await cli("trust", "--json");
    assert.deepEqual(JSON.parse(stdout).secrets, secrets);
    assert.doesNotMatch(both + stdout, /first-|second-|[0-9a-f]{64}/);
  }));

Deno.test("the trust list shows settings that restore tools of the home folder's servers", async (t) => {
  for (const [key, value] of [["exclude", []], ["include", ["*"]], ["enabled", true]] as const) {
    await t.step(key, () =>
      withPlace({
        "~/.onetool/onetool.yaml":
          "servers: { e: { command: touch, args: [MARK], exclude: [all], enabled: false } }\n",
        ".onetool/onetool.yaml": JSON.stringify({ servers: { e: { [key]: value } } }),
      }, async ({ cli }) => {
        const { stdout } = await cli("trust");
        assert.ok(stdout.includes(`${key} ${JSON.stringify(value)}`), stdout);
      }));
  }
});

Deno.test("a shortened text is identified by its digest", () =>
  withPlace({}, async (place) => {
    const write = (end: string) =>
      Deno.writeTextFile(
        join(place.project, ".onetool.yaml"),
        `snippets: { s: { body: ${JSON.stringify("x".repeat(500) + end)} } }\n`,
      );
    const load = async () => {
      const { trust } = await loadConfig({
        env: {},
        home: place.home,
        cwd: place.project,
      });
      return trust.items.changes.join();
    };
    await Deno.mkdir(join(place.project, ".onetool"));
    await Deno.symlink("../.onetool.yaml", join(place.project, ".onetool/onetool.yaml"));
    await write("a");
    const before = await load();
    await write("b");
    assert.notEqual(await load(), before);
  }));

Deno.test("a limit that is out of range does not take away the home folder's", async (t) => {
  for (
    const limits of [
      "timeout: 0",
      "timeout: -1",
      "calls: 0",
      "calls: 0.5",
      "memory_mb: 0",
      "cpu: 0",
    ]
  ) {
    await t.step(limits, () =>
      withPlace({
        "~/.onetool/onetool.yaml":
          "sandbox: { timeout: 2, calls: 3, memory_mb: 100, cpu: 2, in_flight: 1 }",
        ".onetool/onetool.yaml": `${SERVER}sandbox: { ${limits} }\n`,
      }, async ({ home, project }) => {
        const { sandbox, trust } = await loadConfig({ env: {}, home, cwd: project });
        assert.equal(trust.kind, "untrusted");
        const { timeoutMs, calls, memoryMb, cpuSeconds } = sandbox;
        assert.deepEqual([timeoutMs, calls, memoryMb, cpuSeconds], [2000, 3, 100, 2]);
      }));
  }
});

Deno.test("a file is parsed once, however often it is included, and all have a bound", async (t) => {
  const aliases = `x: &x [${"1, ".repeat(100)}]\nalias: { ${
    Array.from({ length: 400 }, (_, at) => `a${at}: *x`).join(", ")
  } }\n`;
  const bounds = {
    "more than a person writes": ["# long\n".repeat(12_000), /c\.yaml.*all files together/],
    "more values than a person writes": [aliases, /c\.yaml.*over 100000 values in all/],
  } as const;
  const large = Array.from({ length: 2_000 }, (_, at) => `key${at}: [1, 2]\n`).join("");
  await t.step("the same file", () =>
    withPlace({
      ".onetool/onetool.yaml": `include: [${Array(30).fill("large.yaml").join(", ")}]\n`,
      ".onetool/large.yaml": `${large}unknown: [\n`,
    }, async ({ home, project }) => {
      const error: unknown = await loadConfig({ env: {}, home, cwd: project }).catch((error) =>
        error
      );
      assert.ok(error instanceof ConfigError);
      assert.equal(error.findings.filter(({ file }) => file?.endsWith("large.yaml")).length, 1);
    }));
  for (const [name, [text, error]] of Object.entries(bounds)) {
    await t.step(name, () =>
      withPlace({
        ".onetool/onetool.yaml": "include: [a.yaml, b.yaml, c.yaml]\n",
        ...Object.fromEntries(["a", "b", "c"].map((file) => [`.onetool/${file}.yaml`, text])),
      }, async ({ home, project }) => {
        await assert.rejects(loadConfig({ env: {}, home, cwd: project }), error);
      }));
  }
  await t.step("more files than a person includes", () =>
    withPlace({
      ".onetool/onetool.yaml": `include: [${"a.yaml, ".repeat(1_000)}]\n`,
      ".onetool/a.yaml": "alias: { a: b.c }\n",
    }, async ({ home, project }) => {
      const error: unknown = await loadConfig({ env: {}, home, cwd: project }).catch((error) =>
        error
      );
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.findings.map(({ message, file }) => [message, file]), [
        ['Cannot include "a.yaml": more than 32 files', join(project, ".onetool/onetool.yaml")],
      ]);
    }));
});

Deno.test("a key that stands twice is still an error", () =>
  withPlace(
    { ".onetool/onetool.yaml": "alias: { a: b.c }\nalias: { d: e.f }\n" },
    async (place) => {
      const { home, project } = place;
      await assert.rejects(loadConfig({ env: {}, home, cwd: project }), /keys must be unique/);
    },
  ));
