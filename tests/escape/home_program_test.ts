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
    ] as const
  ) {
    await t.step(`${name}=${value}`, () => {
      const own = { name: "it", command: "server", isDefaultCwd: true, isHomes: true };
      assert.equal(startsApart(stdioServer({ ...own, env: { [name]: value } })), true);
      const env = { NODE_OPTIONS: "--max-old-space-size=99", NODE_ENV: "a" };
      assert.equal(startsApart(stdioServer({ ...own, env })), false);
    });
  }
});
