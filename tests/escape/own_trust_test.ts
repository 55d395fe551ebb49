/** What `init` and `connect` write is trusted alone: nothing that the project adds to it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "#config";
import { caught } from "../cli/io.ts";
import { openPlace, type Place, UNTRUSTED } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const EVIL = '{"evil":{"command":"touch","args":["MARK"]}}';
const DESKTOP = "~/.config/Claude/claude_desktop_config.json";
const OWN = { "~/.codex/config.toml": '[mcp_servers.mem]\ncommand = "true"\nargs = ["own"]\n' };
const USER = { [DESKTOP]: '{"mcpServers":{"mem":{"command":"true","args":["own"]}}}' };

/** Asserts that the project is not trusted, and that nothing of it runs. */
async function assertUntrusted(place: Place): Promise<void> {
  const { code, stdout } = await place.caught(["trust", "--json"]);
  // A configuration that cannot be read is an error, and none that counts.
  if (code !== 2 || stdout !== "") assert.notEqual(JSON.parse(stdout).state, "trusted", stdout);
  await place.caught(["list"]);
  await place.caught(["run", "evil.hi()"]);
  assert.equal(await place.ran(), false);
}

Deno.test("what these tests look for is there once a project is trusted", async () => {
  await using place = await openPlace({ [MAIN]: `servers: ${EVIL}` });
  await place.caught(["trust", "--yes"]);
  await place.caught(["list"]);
  assert.equal(await place.ran(), true);
});

Deno.test("connect --move --user trusts nothing of the project", async (t) => {
  const rows: Record<string, Record<string, string>> = {
    "servers": { [MAIN]: `servers: ${EVIL}` },
    "a pack": { ".onetool/tools/evil/evil_tools.ts": 'Deno.writeTextFileSync("MARK", "");\n' },
    "a command": { [MAIN]: "commands: { c: [touch, MARK] }\nalias: { x: '${cmd:c}' }" },
    "servers of .mcp.json": { ".mcp.json": `{"mcpServers":${EVIL}}`, [MAIN]: "commands: {a: [b]}" },
  };
  for (const [name, files] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using place = await openPlace({ ...OWN, ...files });
      const { code, stderr } = await place.caught(["connect", "codex", "--move", "--user"]);
      assert.equal(code, 0, stderr);
      assert.match(await Deno.readTextFile(join(place.home, MAIN)), /mem:/);
      assert.doesNotMatch(stderr, /^Trusted/m);
      await assertUntrusted(place);
    });
  }
});

const ADDED: Readonly<Record<string, string>> = {
  "variables": "env: { NODE_OPTIONS: --require ./evil.js }",
  "arguments": "args: [evil.js]",
  "a folder": "cwd: /tmp",
  "an address": 'url: "https://evil.example"',
  "headers": "headers: { A: b }",
  "effects": "effects: { x: read }",
  "nothing": "",
};

Deno.test("connect --move trusts no server that the project's configuration adds to", async (t) => {
  for (const [name, more] of Object.entries(ADDED)) {
    const server = `{ mem: { ${more} } }`;
    const rows: Record<string, Record<string, string>> = {
      "mcpServers": { [MAIN]: `mcpServers: ${server}\n` },
      "an include": {
        [MAIN]: "include: more.yaml\n",
        ".onetool/more.yaml": `servers: ${server}\n`,
      },
      "mcpServers of an include": {
        [MAIN]: "include: [a.yaml]\nalias: {}\n",
        ".onetool/a.yaml": "include: b.yaml\n",
        ".onetool/b.yaml": `mcpServers: ${server}\n`,
      },
      "a merge": { [MAIN]: `servers:\n  <<: ${server}\n` },
      "a merged root": { [MAIN]: `<<: { mcpServers: ${server} }\n` },
    };
    for (const [how, files] of Object.entries(rows)) {
      await t.step(`${name} by ${how}`, async () => {
        await using place = await openPlace({ ...OWN, ...files });
        const { stderr } = await place.caught(["connect", "codex", "--move"]);
        assert.doesNotMatch(stderr, /^Trusted.*(?:NODE_OPTIONS|evil|A|x)/m);
        const { state, starts } = JSON.parse((await place.caught(["trust", "--json"])).stdout);
        const own = starts.filter((line: string) => !/^server mem(_2)?: true own$/.test(line));
        if (state === "trusted") assert.deepEqual(own, []);
        else assert.ok(own.length > 0 || more === "", JSON.stringify(starts));
      });
    }
  }
});

Deno.test("connect --move trusts the user's own servers alone", async (t) => {
  await t.step("in a project without anything to trust", async () => {
    await using place = await openPlace(OWN);
    const { stderr } = await place.caught(["connect", "codex", "--move"]);
    assert.match(stderr, /^Trusted: server mem: true own$/m);
    assert.equal(JSON.parse((await place.caught(["trust", "--json"])).stdout).state, "trusted");
  });
  await t.step("beside what was trusted before", async () => {
    await using place = await openPlace({ ...OWN, [MAIN]: "servers:\n  a: { command: b }\n" });
    await place.caught(["trust", "--yes"]);
    const { stderr } = await place.caught(["connect", "codex", "--move"]);
    assert.match(stderr, /^Trusted: server mem: true own$/m);
    assert.equal(JSON.parse((await place.caught(["trust", "--json"])).stdout).state, "trusted");
  });
  await t.step("not beside what was not", async () => {
    await using place = await openPlace({ ...OWN, [MAIN]: `servers: ${EVIL}\n` });
    await place.caught(["connect", "codex", "--move"]);
    await assertUntrusted(place);
  });
  await t.step("not in place of what was not", async () => {
    const two = `${OWN["~/.codex/config.toml"]}[mcp_servers.b]\ncommand = "true"\n`;
    const pack = ".onetool/tools/evil/evil_tools.ts";
    await using place = await openPlace({ "~/.codex/config.toml": two, [pack]: "export {};\n" });
    const { stderr } = await place.caught(["connect", "codex", "--move"]);
    assert.match(stderr, /toolscript trust/);
    await assertUntrusted(place);
  });
  await t.step("not after a project that was trusted has changed", async () => {
    await using place = await openPlace({ ...OWN, [MAIN]: "servers:\n  a: { command: b }\n" });
    await place.caught(["trust", "--yes"]);
    await place.write(MAIN, "servers:\n  a: { command: touch, args: [MARK] }\n");
    await place.caught(["connect", "codex", "--move"]);
    await assertUntrusted(place);
  });
});

Deno.test("connect --move asks about servers of the project's own files", async (t) => {
  const files = { ".mcp.json": `{"mcpServers":${EVIL}}` };
  for (const line of ["n", "y"]) {
    await t.step(line, async () => {
      await using place = await openPlace(files);
      const { home, project: cwd } = place;
      const argv = ["connect", "claude-code", "--project", "--move"];
      const { stderr } = await caught(argv, { home, cwd, env: UNTRUSTED, lines: [line] });
      assert.match(stderr, /server evil: touch/);
      const { state } = JSON.parse((await place.caught(["trust", "--json"])).stdout);
      assert.equal(state, line === "y" ? "trusted" : "untrusted");
    });
  }
  await t.step("without a terminal", async () => {
    await using place = await openPlace(files);
    await place.caught(["connect", "claude-code", "--project", "--move"]);
    await assertUntrusted(place);
  });
});

/** Makes something that is no file in the place of the configuration. */
const BLOCKERS: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => Deno.mkdirSync(path),
  "a dangling link": (path) => Deno.symlinkSync("nowhere", path),
  "a link to a folder": (path) => Deno.symlinkSync("../..", path),
  "a link to itself": (path) => Deno.symlinkSync("onetool.yaml", path),
  "a pipe": (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
};

Deno.test("init and connect --move trust nothing where they cannot write", async (t) => {
  for (const [name, block] of Object.entries(BLOCKERS)) {
    for (const argv of [["init", "--claude-desktop"], ["connect", "codex", "--move"]]) {
      await t.step(`${argv[0]}: ${name}`, async () => {
        await using place = await openPlace({
          ...USER,
          ...OWN,
          ".mcp.json": '{"mcpServers":{"1":{"command":"touch","args":["MARK"]}}}',
          ".onetool/keep": "",
        });
        block(join(place.project, MAIN));
        const { code, stderr } = await place.caught(argv);
        assert.equal(code, 1, stderr);
        assert.match(stderr, /onetool\.yaml": /);
        assert.doesNotMatch(stderr, /^Trusted/m);
        await assertUntrusted(place);
      });
    }
  }
});

Deno.test("init trusts no server that it left out", async (t) => {
  const rows: Record<string, string> = { "no name": "1", "a no": "evil" };
  for (const [name, server] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using place = await openPlace({
        ...USER,
        ".mcp.json": `{"mcpServers":${EVIL.replace("evil", server)}}`,
      });
      const { home, project: cwd } = place;
      const argv = ["init", "--claude-desktop"];
      const lines = server === "1" ? ["n", "n", "n"] : ["n", "y", "n"];
      await caught(argv, { home, cwd, env: UNTRUSTED, lines });
      await place.caught(["list"]);
      assert.equal(await place.ran(), false);
    });
  }
});

Deno.test("init stores no trust for the variable that trusts every project", async () => {
  await using place = await openPlace({ ".mcp.json": `{"mcpServers":${EVIL}}` });
  await place.caught(["init"], { env: { TOOLSCRIPT_TRUST: "all" } });
  await assertUntrusted(place);
});

Deno.test("connect --move keeps secrets beside the configuration that refers to them", async () => {
  const env = '[mcp_servers.mem.env]\nMEM_TOKEN = "mine"\n';
  await using place = await openPlace({
    "~/.codex/config.toml": OWN["~/.codex/config.toml"] + env,
    ".onetool/config/onetool.yaml": "alias: {}\n",
    ".onetool/config/secrets.yaml": "MEM_TOKEN: theirs\n",
  });
  await Deno.chmod(join(place.project, ".onetool/config/secrets.yaml"), 0o600);
  const { code, stderr } = await place.caught(["connect", "codex", "--move"]);
  assert.equal(code, 0, stderr);
  const { servers } = await loadConfig({ env: {}, home: place.home, cwd: place.project });
  assert.deepEqual(servers.map((server) => server.kind === "stdio" && server.env), [
    { MEM_TOKEN: "mine" },
  ]);
});
