/** Programs and variables of a home server that are relative: the open project could ship them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { startsApart } from "../../packs/package_runner.ts";
import { openGateway } from "../support/gateway.ts";
import { stdioServer } from "../support/servers.ts";

const PROGRAM = '#!/bin/sh\necho ran > "$OUT"\n';

Deno.test("a server of the home folder is no program of the project", async (t) => {
  for (const command of ["./server", "bin/server", "../project/server"]) {
    await t.step(command, async () => {
      const folder = await Deno.realPath(await Deno.makeTempDir());
      const [home, project] = [join(folder, "home"), join(folder, "project")];
      const out = join(folder, "out");
      await Deno.mkdir(join(home, ".onetool"), { recursive: true });
      await Deno.mkdir(join(project, "bin"), { recursive: true });
      for (const file of ["server", "bin/server"]) {
        await Deno.writeTextFile(join(project, file), PROGRAM, { mode: 0o755 });
      }
      const servers = { servers: { it: { command, env: { OUT: out } } } };
      await Deno.writeTextFile(join(home, ".onetool/onetool.yaml"), JSON.stringify(servers));
      try {
        await using gateway = await openGateway({}, { home, project });
        const answer = await gateway.post("/tools/it__x", {});
        assert.equal((await answer.json()).error.code, "unavailable");
        await assert.rejects(Deno.stat(out), Deno.errors.NotFound);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
});

/** Server whose only tool says where it runs and what settings it finds there. */
const SERVER = `
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
const tools = [{ name: "place", description: "Its place", inputSchema: { type: "object" } }];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const place = { cwd: process.cwd(), hasSettings: existsSync(".env") };
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "place", version: "1" },
    },
    "tools/list": { tools },
    "tools/call": { content: [{ type: "text", text: JSON.stringify(place) }] },
  };
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "unknown" } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}
`;

Deno.test("a script of the home folder finds no settings of the project", async (t) => {
  for (const cwd of [undefined, "."]) {
    await t.step(cwd === undefined ? "without cwd" : `with cwd: ${cwd}`, async () => {
      const folder = await Deno.realPath(await Deno.makeTempDir());
      const [home, project] = [join(folder, "home"), join(folder, "project")];
      await Deno.mkdir(join(home, ".onetool"), { recursive: true });
      await Deno.mkdir(project);
      await Deno.writeTextFile(join(home, "server.mjs"), SERVER);
      await Deno.writeTextFile(join(project, ".env"), "API_URL=http://127.0.0.1:1/\n");
      const it = { command: "node", args: [join(home, "server.mjs")], ...cwd && { cwd } };
      const text = JSON.stringify({ servers: { it } });
      await Deno.writeTextFile(join(home, ".onetool/onetool.yaml"), text);
      try {
        await using gateway = await openGateway({}, { home, project });
        await gateway.ready();
        const answer = await (await gateway.post("/tools/it__place", {})).json();
        const isThere = cwd === ".";
        assert.equal(answer.result?.hasSettings, isThere, JSON.stringify(answer));
        assert.equal(`${answer.result.cwd}/`.startsWith(`${project}/`), isThere);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
});

const OWN = { name: "it", isDefaultCwd: true, isHomes: true };

Deno.test("variables of a home container's client that name folders of the project", async (t) => {
  const own = { ...OWN, command: "docker", args: ["run", "-i", "image"] };
  const rows = [
    ["PATH", "bin:/usr/bin"],
    ["HOME", "."],
    ["LD_PRELOAD", "./a.so"],
    ["OPENSSL_CONF", "openssl.cnf"],
    ["XDG_CONFIG_HOME", ".config"],
    ["BASH_ENV", "env.sh"],
    ["DOCKER_CONFIG", "docker"],
    ["DOCKER_CERT_PATH", "certificates"],
    ["CONTAINERS_CONF", "containers.conf"],
    ["PODMAN_CONNECTIONS_CONF", "connections.json"],
    ["REGISTRY_AUTH_FILE", "auth.json"],
    ["SSL_CERT_FILE", "ca.pem"],
  ] as const;
  for (const [name, value] of rows) {
    await t.step(`${name}=${value}`, () => {
      assert.equal(startsApart(stdioServer({ ...own, env: { [name]: value } })), true);
    });
  }
  await t.step("others", () => {
    const env = {
      PATH: "/usr/bin",
      DOCKER_HOST: "unix:///run/docker.sock",
      DOCKER_TLS_VERIFY: "1",
      TOKEN: "a/b",
      DATA_HOME: "data",
      PYTHONPATH: "src",
    };
    assert.equal(startsApart(stdioServer({ ...own, env })), false);
  });
});

Deno.test("programs of a version manager, or by a relative path, start apart", async (t) => {
  const own = { ...OWN, args: ["run", "-i", "image"] };
  for (const folder of ["/srv/shims", "./bin", "bin", "..", "/usr/bin"]) {
    await t.step(folder, () => {
      const server = stdioServer({ ...own, command: `${folder}/docker` });
      assert.equal(startsApart(server), folder !== "/usr/bin");
    });
  }
});

Deno.test("scripts by their whole paths start apart, whatever their variables", async (t) => {
  const commands = [
    ["node", "/srv/server.mjs"],
    ["bash", "/srv/start.sh"],
    ["java", "-jar", "/srv/server.jar"],
    ["/usr/bin/python3", "/srv/server.py"],
  ] as const;
  const rows = [
    ["PYTHONPATH", "src"],
    ["NODE_PATH", "/srv/lib:./lib"],
    ["NODE_OPTIONS", "--max-old-space-size=99"],
    ["NODE_ENV", "a"],
    ["PYTHONPATH", "/srv/lib"],
  ] as const;
  for (const [command, ...args] of commands) {
    await t.step(command, () => {
      const server = { ...OWN, command, args };
      assert.equal(startsApart(stdioServer(server)), true);
      for (const [name, value] of rows) {
        assert.equal(startsApart(stdioServer({ ...server, env: { [name]: value } })), true);
      }
      assert.equal(startsApart(stdioServer({ ...server, isDefaultCwd: false })), false);
    });
  }
});
