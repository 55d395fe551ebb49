/** A program changes what may be executed, where a server starts that may name it in any words. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

const SCRIPT = "#!/usr/bin/env node\n";
const FILES = { "tools/run": SCRIPT, "tools/build.js": SCRIPT, "docs/a": "", "lib/b.js": "" };
const CASE = {
  files: FILES,
  closed: ["tools/run", "tools/build.js"],
  open: ["docs/a2", "lib/c.js", "tools/new"],
};

testCases({
  "a program behind a launcher": {
    server: { command: "some-launcher", args: ["serve", "--name", "run"], cwd: "." },
    ...CASE,
  },
  "a program behind a launcher below": {
    server: { command: "some-launcher", args: ["serve"], cwd: "docs" },
    ...CASE,
  },
});

Deno.test("no program moves, copies onto or deletes an executable, but where no server starts", async () => {
  const prepare = async ({ project }: { readonly project: string }) => {
    const native = new Uint8Array([0x7f, 0x45, 0x4c, 0x46]);
    await Deno.writeFile(join(project, "native"), native, { mode: 0o755 });
    await Deno.writeTextFile(join(project, "script"), SCRIPT, { mode: 0o755 });
  };
  const files = { "data.csv": "a\n", "notes.txt": "" };
  const server = { command: "some-launcher", args: ["serve"], cwd: "." };
  await withProject({ config: { servers: { mine: server } }, files, prepare }, async (context) => {
    const { refused } = context;
    for (const path of ["native", "script"]) {
      await refused("file.delete", { path });
      await refused("file.move", { from: path, to: "away" });
      await refused("file.copy", { from: "data.csv", to: path, overwrite: true });
    }
  });
  await withProject({ files, prepare }, async ({ call, project }) => {
    await call("file.write", { path: "script", text: "x", overwrite: true });
    assert.equal(await Deno.readTextFile(join(project, "script")), "x");
  });
});
