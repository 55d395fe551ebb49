/** Links that are moved and copied to where a server loads its modules. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

const python: JsonObject = { command: "python3", args: ["main.py"], cwd: "srv" };
const config: JsonObject = {
  servers: { python, node: { command: "node", args: ["app/server.mjs"] } },
};
const FILES = {
  "srv/main.py": "import yaml\n",
  "app/server.mjs": "",
  "stage/notes.md": "",
  "tree/sub/notes.md": "",
  "evil/notes.md": "",
  "docs/a.md": "",
};

function link(project: string): Promise<void[]> {
  return Promise.all([
    Deno.symlink("../evil", join(project, "docs/link")),
    Deno.symlink("../../evil", join(project, "tree/sub/link")),
  ]);
}

Deno.test("no link is placed among a server's modules", () =>
  withProject(
    { config, files: FILES, prepare: ({ project }) => link(project).then(() => {}) },
    async ({
      project,
      call,
      refused,
    }) => {
      await call("file.write", { path: "evil/__init__.py", text: "x" });
      await refused("file.move", { from: "docs/link", to: "srv/yaml" });
      await refused("file.move", { from: "docs/link", to: "app/inner/deep" });
      await refused("file.move", { from: "tree", to: "srv/tree" });
      await refused("file.move", { from: "tree/sub", to: "app/sub" });
      await call("file.copy", { from: "docs", to: "srv/docs" });
      await call("file.copy", { from: "tree", to: "app/tree" });
      for (const path of ["srv/yaml", "srv/docs/link", "app/tree/sub/link", "srv/tree"]) {
        await assert.rejects(Deno.lstat(join(project, path)), Deno.errors.NotFound, path);
      }
    },
  ));

Deno.test("a link is moved and copied where no server loads modules", () =>
  withProject(
    {
      config: { servers: { python } },
      files: FILES,
      prepare: ({ project }) => link(project).then(() => {}),
    },
    async ({
      project,
      call,
    }) => {
      await call("file.copy", { from: "docs", to: "copied" });
      await call("file.move", { from: "docs/link", to: "stage/link" });
      for (const path of ["copied/link", "stage/link"]) {
        assert.equal(await Deno.readLink(join(project, path)), "../evil");
      }
    },
  ));
