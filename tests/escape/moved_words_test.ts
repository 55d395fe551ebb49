/** Words of servers that a client starts in no project, and a stranger's project that has what they say. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { load } from "js-yaml";
import { loadConfig } from "#config";
import { openPlace, type Place } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const DESKTOP = "~/.config/Claude/claude_desktop_config.json";
const WINDSURF = "~/.codeium/windsurf/mcp_config.json";
const ignore = Deno.build.os !== "linux";
const WAYS: readonly (readonly [file: string, ...argv: string[]])[] = [
  [DESKTOP, "init", "--claude-desktop"],
  [DESKTOP, "connect", "claude-desktop", "--move"],
  [WINDSURF, "connect", "windsurf", "--move"],
];

/** The same into the home folder's configuration, which counts in all projects. */
const HOME_WAYS: typeof WAYS = [
  [DESKTOP, "init", "--home", "--claude-desktop"],
  [DESKTOP, "connect", "claude-desktop", "--move", "--user"],
  [WINDSURF, "connect", "windsurf", "--move", "--user"],
];

interface Entry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const textOf = (mem: Entry) => JSON.stringify({ mcpServers: { mem } });
const of = (line: string): Entry => {
  const [command = "", ...args] = line.split(" ");
  return { command, args };
};

async function moved(place: Place): Promise<Readonly<Record<string, unknown>>> {
  const text = await Deno.readTextFile(join(place.project, MAIN));
  return (load(text) as Record<string, Record<string, never>>).servers?.mem ?? {};
}

/** Runners of packages that run what they are told, in place of those on `PATH`. */
const RUNNER = '#!/bin/sh\nfor word; do case "$word" in */*) sh "$word";; esac; done\n';
const HOSTILE = {
  "evil.sh": "touch MARK\n",
  "bin/evil": "#!/bin/sh\ntouch MARK\n",
  "acme/mcp-server": "touch MARK\n",
  "${workspaceFolder}/evil.sh": "touch MARK\n",
};
const PACKAGES = [
  "npx -y dotenv-cli -- npx -y acme/mcp-server",
  "npx -y tsx bin/evil",
  "npx -y tsx ./bin/evil",
  "npx -y tsx evil.sh",
  "npx -y tsx ${workspaceFolder}/evil.sh",
  "npx -y tsx --file=bin/evil",
  "uvx pkg --run bin/../evil.sh",
];

Deno.test({
  name: "a package of a client without a project runs nothing of the project",
  ignore,
  async fn(t) {
    for (const [file, ...argv] of WAYS) {
      for (const line of PACKAGES) {
        await t.step(`${argv.join(" ")}: ${line}`, async () => {
          const files = { ...HOSTILE, "~/bin/npx": RUNNER, "~/bin/uvx": RUNNER };
          await using place = await openPlace({ ...files, [file]: textOf(of(line)) });
          const bin = join(place.home, "bin");
          for (const name of ["npx", "uvx"]) await Deno.chmod(join(bin, name), 0o755);
          const env = { PATH: `${bin}:${Deno.env.get("PATH")}` };
          const { code, stderr } = await place.caught(argv, { env });
          assert.equal(code, 0, stderr);
          assert.match(stderr, /^Trusted: server mem: /m);
          assert.equal((await moved(place)).cwd, "${HOME}");
          await place.caught(["list"], { env });
          assert.equal(await place.ran(), false);
        });
      }
    }
  },
});

/** Programs and folders by relative paths, and what they become. */
const ROWS: readonly (readonly [Entry, Partial<Entry>])[] = [
  [{ command: "./bin/evil" }, { command: "H/bin/evil", cwd: "H" }],
  [{ command: "bin/evil" }, { command: "H/bin/evil", cwd: "H" }],
  [{ command: "${workspaceFolder}/bin/evil" }, {
    command: "H/${workspaceFolder}/bin/evil",
    cwd: "H",
  }],
  [{ command: "./bin/evil", cwd: "/srv" }, { command: "/srv/bin/evil", cwd: "/srv" }],
  [{ command: "./bin/evil", cwd: "bin/.." }, { command: "H/bin/evil", cwd: "H" }],
  [{ ...of("sh evil.sh"), cwd: "" }, { ...of("sh evil.sh"), cwd: "H" }],
  [{ ...of("sh evil"), cwd: "bin" }, { ...of("sh evil"), cwd: "H/bin" }],
  [{ ...of("sh evil"), cwd: "./bin" }, { ...of("sh evil"), cwd: "H/bin" }],
  [{ command: "sh", args: ["-c", 'exec sh "${PWD}/evil.sh"'] }, { command: "sh", cwd: "H" }],
  [{ command: "sh", args: ["-c", 'sh "${env:PWD}/evil.sh"'] }, { command: "sh", cwd: "H" }],
  [of("sh ${PWD:-/srv}/evil.sh"), { command: "sh", cwd: "H" }],
  [{ ...of("sh evil.sh"), cwd: "${PWD}" }, { command: "sh", cwd: "H/${PWD}" }],
  [{ ...of("sh evil.sh"), cwd: "${env:INIT_CWD}" }, { command: "sh", cwd: "H/${env:INIT_CWD}" }],
  [{ ...of("sh evil.sh"), cwd: "." }, { command: "sh", cwd: "H" }],
  [{ command: "${PWD}/bin/evil" }, { command: "H/${PWD}/bin/evil", cwd: "H" }],
  [{ ...of("npx -y tsx evil.sh"), cwd: "" }, { ...of("npx -y tsx evil.sh"), cwd: "H" }],
];

Deno.test({
  name: "programs and folders of a client without a project are none of the project",
  ignore,
  async fn(t) {
    for (const [file, ...argv] of [...WAYS, ...HOME_WAYS]) {
      for (const [entry, expected] of ROWS) {
        await t.step(`${argv.join(" ")}: ${JSON.stringify(entry)}`, async () => {
          await using place = await openPlace({ ...HOSTILE, [file]: textOf(entry) });
          await Deno.chmod(join(place.project, "bin/evil"), 0o755);
          await place.caught(argv);
          const { home, project: cwd } = place;
          const env = { HOME: home, TOOLSCRIPT_TRUST: "all" };
          const [server] = (await loadConfig({ env, home, cwd })).servers;
          assert.ok(server?.kind === "stdio");
          const own = (text = "") => text.replace(/^H/, home);
          assert.equal(server.command, own(expected.command));
          assert.equal(server.cwd, own(expected.cwd));
          await place.caught(["list"]);
          assert.equal(await place.ran(), false);
        });
      }
    }
  },
});

Deno.test({
  name: "a moved package or container has a folder where its words may be paths",
  ignore,
  async fn(t) {
    const rows: Readonly<Record<string, boolean>> = {
      "npx -y @scope/server": false,
      "npx -y @scope/server /srv/data --port=80 -v": false,
      "npx -y mcp-remote https://example.com/sse": false,
      "npx -y @scope/server ${env:HOME}/data --root=${userHome}/x": false,
      "npx -y @scope/server ${HOME}/data": true,
      "npx -y @scope/server ${DATA}": true,
      "npx -y @scope/server .": true,
      "npx -y @scope/server data/in": true,
      "npx -y @scope/server notes.db": true,
      "uvx --from ./pkg server": true,
      "/usr/bin/docker run -i --rm -e TOKEN --name a mcp/memory:1 serve ./x": false,
      "/usr/bin/docker exec -i name server": false,
      "/usr/bin/docker run -i -v ./data:/data image": true,
      "/usr/bin/docker run -i --env-file env image": true,
      "/usr/bin/docker compose -f dev.yaml run server": true,
      "/usr/bin/podman run --rootfs rootfs /bin/server": true,
      "/usr/bin/podman run -i dir:rootfs/x": true,
      "docker run -i image": true,
    };
    for (const [line, isApart] of Object.entries(rows)) {
      await t.step(line, async () => {
        await using place = await openPlace({ [DESKTOP]: textOf(of(line)) });
        await place.caught(["init", "--claude-desktop"]);
        assert.equal((await moved(place)).cwd, isApart ? "${HOME}" : undefined);
      });
    }
    await t.step("where its programs lie", async () => {
      const entry = { ...of("npx -y pkg"), env: { PATH: "bin:/usr/bin" } };
      await using place = await openPlace({ [DESKTOP]: textOf(entry) });
      await place.caught(["init", "--claude-desktop"]);
      assert.equal((await moved(place)).cwd, "${HOME}");
    });
  },
});

Deno.test({
  name: "a package that a project names as well starts where the user's own does",
  ignore,
  async fn(t) {
    const entry = of("npx -y tsx bin/evil");
    for (const cwd of [undefined, "", "."]) {
      await t.step(`with ${cwd === undefined ? "no cwd" : JSON.stringify(cwd)}`, async () => {
        const text = textOf({ ...entry, ...cwd !== undefined && { cwd } });
        const files = { [DESKTOP]: textOf(entry), ".mcp.json": text };
        await using place = await openPlace({ ...HOSTILE, ...files });
        const { stderr } = await place.caught(["connect", "--move"]);
        if (cwd === ".") assert.match(stderr, /Not trusted: /);
        else assert.equal((await moved(place)).cwd, "${HOME}");
      });
    }
    await t.step("a program by its path stays another", async () => {
      const text = textOf({ command: "./bin/evil" });
      await using place = await openPlace({ ...HOSTILE, [DESKTOP]: text, ".mcp.json": text });
      const { stderr } = await place.caught(["connect", "--move"]);
      assert.match(stderr, /Not trusted: /);
      await place.caught(["list"]);
      assert.equal(await place.ran(), false);
    });
  },
});

Deno.test({
  name: "a server of the home folder with an empty folder starts in none of the project",
  ignore,
  async fn() {
    const home = "servers: { it: { command: sh, args: [evil.sh], cwd: '' } }\n";
    await using place = await openPlace({ ...HOSTILE, "~/.onetool/onetool.yaml": home });
    await place.caught(["list"]);
    assert.equal(await place.ran(), false);
  },
});
