/** Servers of a file that a person named for all projects, in the project of a stranger. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { startsApart } from "../../packs/package_runner.ts";
import { openProject } from "../config/project.ts";

const MODULE = { command: "python3", args: ["-m", "server"] };
const PROGRAM = { command: "./server" };
const text = (server: unknown) => JSON.stringify({ servers: { it: server } });

async function serverOf(
  files: Readonly<Record<string, string>>,
  { named, link }: { readonly named: string; readonly link?: string },
) {
  await using it = await openProject({ "x.txt": "", ...files });
  const pathOf = (path: string) =>
    path.startsWith("~/") ? join(it.home, path.slice(2)) : join(it.project, path);
  if (link !== undefined) {
    await Deno.mkdir(dirname(pathOf(link)), { recursive: true });
    await Deno.symlink(pathOf(named), pathOf(link));
  }
  const file = pathOf(link ?? named);
  const servers = [];
  for (const options of [{ explicit: file }, { env: { TOOLSCRIPT_CONFIG: file } }]) {
    const [server] = (await it.load(options)).servers;
    assert.ok(server?.kind === "stdio");
    servers.push(server);
  }
  const [explicit, ofVariable] = servers;
  assert.ok(explicit);
  assert.deepEqual(explicit, ofVariable);
  return { server: explicit, project: it.project };
}

Deno.test("servers of a named file outside of the project count as the home folder's", async (t) => {
  const rows: readonly (readonly [string, Parameters<typeof serverOf>[1], string?])[] = [
    ["in the home folder", { named: "~/my.yaml" }],
    ["in .onetool", { named: "~/.onetool/other.yaml" }],
    ["beside the project", { named: "../elsewhere/my.yaml" }],
    ["in a folder whose name begins like the project's", { named: "../project-of/my.yaml" }],
    ["a link of the project", { named: "~/my.yaml", link: "my.yaml" }],
    ["a link into the project", { named: "my.yaml", link: "~/my.yaml" }],
  ];
  for (const [name, options] of rows) {
    await t.step(name, async () => {
      const { server } = await serverOf({ [options.named]: text(MODULE) }, options);
      assert.deepEqual([server.isHomes, startsApart(server)], [true, true]);
    });
  }
  await t.step("a file that it includes", async () => {
    const files = { "~/my.yaml": "include: [own/more.yaml]", "~/own/more.yaml": text(MODULE) };
    const { server } = await serverOf(files, { named: "~/my.yaml" });
    assert.equal(startsApart(server), true);
  });
  await t.step("a program by a relative path", async () => {
    const { server } = await serverOf({ "~/my.yaml": text(PROGRAM) }, { named: "~/my.yaml" });
    assert.equal(server.command, "./server");
  });
});

Deno.test("servers of a named file of the project start in the project", async () => {
  for (const named of ["my.yaml", "deep/er/my.yaml"]) {
    const { server, project } = await serverOf({ [named]: text(PROGRAM) }, { named });
    assert.equal(server.command, join(project, "server"));
    assert.equal(startsApart(server), false);
  }
});
