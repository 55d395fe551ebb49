/** Modules of a server that lie behind links among its modules. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
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

const FAR = {
  config: {
    servers: { py: { command: "python3", args: ["srv/server.py"] } },
    packs: { file: { allowed: [".", "../other"], writable: ["notes"] } },
  },
  files: {
    "srv/server.py": "import sys\n",
    "srv/lib/deep/deeper/x.md": "",
    "../other/common/helper.txt": "",
    "../other/common/helper.py": "",
  },
};

function link(project: string): void {
  Deno.symlinkSync(join(project, "../other/common"), join(project, "srv/lib/deep/deeper/common"));
}

Deno.test("no number of files and folders of a program hides a link among modules", () =>
  withProject({
    ...FAR,
    mostSearched: 400,
    prepare: ({ project }) => {
      link(project);
      for (const [folder, count] of [["srv/a", 500], [".onetool/trash", 500]] as const) {
        Deno.mkdirSync(join(project, folder), { recursive: true });
        for (let at = 0; at < count; at++) {
          const path = join(project, folder, `${at}`);
          if (folder === "srv/a") Deno.writeTextFileSync(`${path}.txt`, "");
          else Deno.mkdirSync(path);
        }
      }
      return Promise.resolve();
    },
  }, async ({ project, call, refused }) => {
    const path = join(project, "../other/common/helper.py");
    await refused("file.write", { path, text: "x", overwrite: true });
    await call("file.write", { path: join(project, "../other/common/b.txt"), text: "x" });
  }));

Deno.test("too many folders among modules close all that a link may lead to", () =>
  withProject({
    ...FAR,
    mostSearched: 400,
    prepare: ({ project }) => {
      link(project);
      Deno.mkdirSync(join(project, "srv/a"));
      for (let at = 0; at < 401; at++) Deno.mkdirSync(join(project, "srv/a", `${at}`));
      return Promise.resolve();
    },
  }, async ({ project, call, refused }) => {
    for (const name of ["common/helper.py", "common/helper.txt", "new.txt"]) {
      const path = join(project, "../other", name);
      const { message } = await refused("file.write", { path, text: "x", overwrite: true });
      if (name !== "common/helper.py") assert.match(message, /has over 400 folders/);
    }
    await call("file.write", { path: "notes/a.md", text: "x" });
  }));

/** Packages of a workspace, with a program each, as package managers link them. */
const WORKSPACE = {
  "package.json": '{"workspaces":["packages/*"]}',
  "packages/mytool/package.json": '{"name":"mytool","bin":{"mytool":"bin/mytool"}}',
  "packages/mytool/bin/mytool": "#!/usr/bin/env node\n",
  "packages/mytool/readme.md": "",
  "packages/other/cli/start.mcp": "#!/bin/sh\n",
};

/** A shim as pnpm writes it in place of a link. */
const SHIM = '#!/bin/sh\nexec node "$basedir/../mytool/bin/mytool" "$@"\n';

interface Workspace {
  readonly name: string;
  readonly server: JsonObject;
  readonly files?: Readonly<Record<string, string>>;
  readonly links: readonly (readonly [string, string])[];
  readonly closed: readonly string[];
}

for (
  const { name, server, files = {}, links, closed } of [
    {
      name: "npx",
      server: { command: "npx", args: ["mytool"], cwd: "." },
      links: [["mytool", "../packages/mytool"], [".bin/mytool", "../mytool/bin/mytool"]],
      closed: ["packages/mytool/bin/mytool"],
    },
    {
      name: "a script of JavaScript, by any ending",
      server: { command: "node", args: ["server.js"], cwd: "." },
      links: [["@a/o", "../../packages/other"], [".bin/o", "../@a/o/cli/start.mcp"]],
      closed: ["packages/other/cli/start.mcp"],
    },
    {
      name: "a link past the package",
      server: { command: "npx", args: ["--no", "o"], cwd: "srv" },
      files: { "srv/a.md": "" },
      links: [[".bin/o", "../../packages/other/cli/start.mcp"]],
      closed: ["packages/other/cli/start.mcp"],
    },
    {
      name: "npm exec and a shim",
      server: { command: "npm", args: ["exec", "--", "mytool"], cwd: "." },
      files: { "node_modules/.bin/mytool": SHIM },
      links: [["mytool", "../packages/mytool"]],
      closed: ["packages/mytool/bin/mytool", "packages/mytool/bin/helper"],
    },
  ] as readonly Workspace[]
) {
  Deno.test(`programs of a workspace are closed where a server finds them through ${name}`, () =>
    withProject({
      config: { servers: { mine: server } },
      files: { ...WORKSPACE, "node_modules/.bin/.keep": "", ...files },
      async prepare({ project }) {
        for (const [link, target] of links) {
          const path = join(project, "node_modules", link);
          await Deno.mkdir(join(path, ".."), { recursive: true });
          await Deno.symlink(target, path);
        }
        if ("node_modules/.bin/mytool" in files) {
          await Deno.chmod(join(project, "node_modules/.bin/mytool"), 0o755);
        }
      },
    }, async ({ call, refused }) => {
      for (const path of closed) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      await call("file.write", { path: "packages/mytool/readme.md", text: "x", overwrite: true });
    }));
}
