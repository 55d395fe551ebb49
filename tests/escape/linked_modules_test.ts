/** Modules of a server that lie behind links among its modules. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const config = {
  servers: {
    node: { command: "node", args: ["app/server.mjs"] },
    python: { command: "python3", args: ["main.py"], cwd: "srv" },
  },
};
const FILES = {
  "app/server.mjs": `import "./lib/one.mjs";\nimport "./two.mjs";\n`,
  "srv/main.py": "import pkg\n",
  "srv/sub/notes.md": "",
  "shared/one.mjs": "",
  "shared/notes.md": "",
  "shared/inner/notes.md": "",
  "generated/two.txt": "",
  "py/pkg/__init__.py": "",
  "far/x.md": "",
};
const LINKS = [
  ["app/lib", "../shared"],
  ["app/two.mjs", "../generated/two.txt"],
  ["srv/sub/pkg", "../../py/pkg"],
  ["shared/inner/more", "../../far"],
] as const;

Deno.test("targets of links among a server's modules are closed", () =>
  withProject({
    config,
    files: FILES,
    prepare: ({ project }) =>
      Promise.all(LINKS.map(([name, target]) => Deno.symlink(target, join(project, name)))),
  }, async ({ project, call, refused }) => {
    const closed = ["shared/one.mjs", "shared/new.mjs", "shared/inner/deep/new.js"];
    const others = ["generated/two.txt", "py/pkg/__init__.py", "py/pkg/new.py", "far/a.mjs"];
    for (const path of [...closed, ...others]) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    await refused("file.move", { from: "far/x.md", to: "shared/x.js" });
    await refused("file.delete", { path: "py/pkg", recursive: true });
    for (const path of ["shared/notes.md", "py/other.py", "generated/three.txt", "far/b.md"]) {
      await call("file.write", { path, text: "x" });
    }
    assert.equal(await Deno.readTextFile(join(project, "shared/one.mjs")), "");
  }));
