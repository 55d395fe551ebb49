/** A stranger's project has what servers of a client look for, that starts them elsewhere. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { load } from "js-yaml";
import { openPlace, type Place } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const DESKTOP = "~/.config/Claude/claude_desktop_config.json";
const WINDSURF = "~/.codeium/windsurf/mcp_config.json";
const ignore = Deno.build.os !== "linux";

function entryOf(command: string, ...args: readonly string[]): string {
  return JSON.stringify({ mcpServers: { mem: { command, args } } });
}

async function serversIn(place: Place, folder = place.project): Promise<Record<string, unknown>> {
  return (load(await Deno.readTextFile(join(folder, MAIN))) as Record<string, never>).servers ?? {};
}

const HOSTILE = { "evil.sh": "touch MARK\n", "bin/evil": "#!/bin/sh\ntouch MARK\n" };
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ["sh", "evil.sh"],
  ["sh", "-c", ". ./evil.sh"],
  ["env", "sh", "bin/evil"],
];
const WAYS: readonly (readonly [file: string, ...argv: string[]])[] = [
  [DESKTOP, "init", "--claude-desktop"],
  [DESKTOP, "connect", "claude-desktop", "--move"],
  [WINDSURF, "connect", "windsurf", "--move"],
];

Deno.test({
  name: "a server that its client starts in no project runs nothing of the project",
  ignore,
  async fn(t) {
    for (const [file, ...argv] of WAYS) {
      for (const command of COMMANDS) {
        await t.step(`${argv.join(" ")}: ${command.join(" ")}`, async () => {
          await using place = await openPlace({ ...HOSTILE, [file]: entryOf(...command) });
          const { code, stderr } = await place.caught(argv);
          assert.equal(code, 0, stderr);
          assert.match(stderr, /^Trusted: server mem: /m);
          await place.caught(["list"]);
          assert.equal(await place.ran(), false);
          const { mem } = await serversIn(place);
          const [name, ...args] = command;
          assert.deepEqual(mem, { command: name, args, cwd: "${HOME}" });
        });
      }
    }
  },
});

Deno.test({
  name: "what these tests look for runs where a server says that it starts in the project",
  ignore,
  async fn() {
    const servers = { mem: { command: "sh", args: ["evil.sh"], cwd: "." } };
    const file = ".onetool/onetool.yaml";
    await using place = await openPlace({ ...HOSTILE, [file]: JSON.stringify({ servers }) });
    await place.caught(["trust", "--yes"]);
    await place.caught(["list"]);
    assert.equal(await place.ran(), true);
  },
});

Deno.test({
  name: "a server that a project names as well starts where the user's own does",
  ignore,
  async fn(t) {
    for (const own of [DESKTOP, WINDSURF]) {
      for (const file of [".mcp.json", ".cursor/mcp.json", ".gemini/settings.json"]) {
        await t.step(`${own}, ${file}`, async () => {
          const entry = entryOf("sh", "evil.sh");
          await using place = await openPlace({ ...HOSTILE, [own]: entry, [file]: entry });
          const { code, stderr } = await place.caught(["connect", "--move"]);
          assert.equal(code, 0, stderr);
          await place.caught(["list"]);
          assert.equal(await place.ran(), false);
          assert.deepEqual(await serversIn(place), {
            mem: { command: "sh", args: ["evil.sh"], cwd: "${HOME}" },
          });
        });
      }
    }
    await t.step("one of the project's own configuration stays another", async () => {
      const own = "servers:\n  mem:\n    command: sh\n    args: [evil.sh]\n";
      await using place = await openPlace({
        ...HOSTILE,
        [DESKTOP]: entryOf("sh", "evil.sh"),
        [MAIN]: own,
      });
      await place.caught(["connect", "--move"]);
      await place.caught(["list"]);
      assert.equal(await place.ran(), false);
      const mem = { command: "sh", args: ["evil.sh"] };
      assert.deepEqual(await serversIn(place), { mem, mem_2: { ...mem, cwd: "${HOME}" } });
    });
    const codex = '[mcp_servers.mem]\ncommand = "sh"\nargs = ["evil.sh"]\n';
    const owns = { [DESKTOP]: entryOf("sh", "evil.sh"), "~/.codex/config.toml": codex };
    for (const [own, text] of Object.entries(owns)) {
      for (const file of [".mcp.json", ".gemini/settings.json"]) {
        for (const cwd of [".", "${HOME}", "${userHome}", "/tmp"]) {
          const isOwn = own === DESKTOP && cwd === "${userHome}";
          await t.step(
            `beside ${own}, ${file} with ${cwd}: ${isOwn ? "one" : "asked"}`,
            async () => {
              const mcpServers = { mem: { command: "sh", args: ["evil.sh"], cwd } };
              const files = { [own]: text, [file]: JSON.stringify({ mcpServers }) };
              await using place = await openPlace({ ...HOSTILE, ...files });
              const { stderr } = await place.caught(["connect", "--move"]);
              if (isOwn) assert.match(stderr, /^Trusted: server mem: sh evil\.sh; cwd/m);
              else assert.match(stderr, /^.*Not trusted: .*: toolscript trust$/m);
              await place.caught(["list"]);
              assert.equal(await place.ran(), false);
            },
          );
        }
      }
    }
  },
});

Deno.test({
  name: "a moved server has a folder only where it needs one",
  ignore,
  async fn(t) {
    const rows: Readonly<Record<string, readonly [string, ...string[]]>> = {
      "a package": ["npx", "-y", "a-server"],
      "another package": ["uvx", "a-server"],
      "a container": ["/usr/bin/docker", "run", "-i", "image"],
    };
    for (const [name, command] of Object.entries(rows)) {
      await t.step(name, async () => {
        await using place = await openPlace({ [DESKTOP]: entryOf(...command) });
        await place.caught(["connect", "claude-desktop", "--move"]);
        const [program, ...args] = command;
        assert.deepEqual((await serversIn(place)).mem, { command: program, args });
      });
    }
    await t.step("a server of the home folder", async () => {
      for (const argv of [["init", "--home", "--claude-desktop"], WAYS[1]?.slice(1) ?? []]) {
        await using place = await openPlace({ [DESKTOP]: entryOf("sh", "a.sh") });
        await place.caught(argv.includes("--home") ? argv : [...argv, "--user"]);
        assert.deepEqual((await serversIn(place, place.home)).mem, {
          command: "sh",
          args: ["a.sh"],
          cwd: "${HOME}",
        });
      }
    });
    await t.step("one that another client has, too, stays one", async () => {
      const entry = entryOf("sh", "a.sh");
      await using place = await openPlace({ [DESKTOP]: entry, [WINDSURF]: entry });
      const argv = ["connect", "claude-desktop", "windsurf", "--move"];
      await place.caught(argv);
      assert.deepEqual(Object.keys(await serversIn(place)), ["mem"]);
      await place.caught(["disconnect", "claude-desktop"]);
      await place.caught(argv);
      assert.deepEqual(Object.keys(await serversIn(place)), ["mem"]);
    });
  },
});
