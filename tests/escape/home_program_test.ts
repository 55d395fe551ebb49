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

Deno.test("variables of a home server's own that name folders of the project", async (t) => {
  for (
    const [name, value] of [
      ["PYTHONPATH", "src"],
      ["NODE_PATH", "/srv/lib:./lib"],
      ["NODE_OPTIONS", "--require ./tracer.js"],
      ["BASH_ENV", "env.sh"],
      ["LD_PRELOAD", "./a.so"],
      ["PERL_USE_UNSAFE_INC", "1"],
      ["PYTHONPYCACHEPREFIX", "cache"],
      ["PYTHONPLATLIBDIR", "lib"],
      ["NODE_COMPILE_CACHE", "./cache"],
      ["DENO_DIR", "cache"],
      ["OPENSSL_CONF", "openssl.cnf"],
      ["XDG_CONFIG_HOME", ".config"],
      ["HOME", "."],
      ["DOCKER_CONFIG", "docker"],
      ["PYTHONPATH", ":/srv/lib"],
    ] as const
  ) {
    await t.step(`${name}=${value}`, () => {
      const own = {
        name: "it",
        command: "node",
        args: ["/srv/server.js"],
        isDefaultCwd: true,
        isHomes: true,
      };
      assert.equal(startsApart(stdioServer({ ...own, env: { [name]: value } })), true);
      const env = {
        ...{ NODE_OPTIONS: "--max-old-space-size=99", NODE_ENV: "a", PYTHONUNBUFFERED: "1" },
        ...{ PYTHONPATH: "/srv/lib", PYTHONIOENCODING: "utf-8", TOKEN: "a/b", DATA_HOME: "data" },
        ...{ DOCKER_HOST: "unix:///run/docker.sock" },
      };
      assert.equal(startsApart(stdioServer({ ...own, env })), false);
    });
  }
});

Deno.test("programs of a version manager, or by a relative path, start apart", async (t) => {
  const own = { name: "it", args: ["/srv/server.py"], isDefaultCwd: true, isHomes: true };
  for (const folder of ["/srv/shims", "./bin", "bin", "..", "/usr/bin"]) {
    await t.step(folder, () => {
      const server = stdioServer({ ...own, command: `${folder}/python3` });
      assert.equal(startsApart(server), folder !== "/usr/bin");
    });
  }
});
