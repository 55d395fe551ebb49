/** A program changes what the gateway runs as a server, or what decides how one starts. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { openGateway } from "../support/gateway.ts";
import { withProject } from "../support/project.ts";

const SERVER = `process.stdin.on("data", () => {});\n`;

function servers(...named: JsonObject[]): JsonObject {
  return { servers: Object.fromEntries(named.map((server, at) => [`s${at}`, server])) };
}

Deno.test("no program has a script of its own run in place of a server's", async () => {
  await using gateway = await openGateway({
    servers: { mine: { command: Deno.execPath(), args: ["run", "-A", "server.mjs"] } },
  });
  await Deno.writeTextFile(join(gateway.project, "server.mjs"), SERVER);
  const { ok, error } = await gateway.run(`import { tools } from "toolscript";
    const text = "Deno.writeTextFileSync('started', 'x')";
    await tools.file.write({ path: "server.mjs", text, overwrite: true });`);
  assert.deepEqual([ok, error?.code], [false, "blocked"]);
  assert.match(error?.message ?? "", /packs\.file\.writable: \["server\.mjs"\]/);
  assert.equal(await Deno.readTextFile(join(gateway.project, "server.mjs")), SERVER);
  const direct = await gateway.post("/tools/file__write", { path: "server.mjs", text: "x" });
  const body = await direct.json();
  assert.deepEqual([direct.status, body.error.details], [403, { reason: "protected" }]);
});

Deno.test("no program changes a server's script, however the server names it", () =>
  withProject({
    config: servers(
      { command: "node", args: ["server.mjs"] },
      { command: "./bin/start", args: [] },
      { command: "node", args: ["--import=./hooks/one.mjs", "-r", "./hooks/two.cjs", "x/app"] },
      { command: "sh", args: ["-c", "cd deep && exec python -m pkg.serve --conf=conf/a.toml"] },
      { command: "uv", args: ["run", "--directory", "deep", "late.py:app"] },
      { command: "deno", args: ["run", "FILE"] },
      { command: "node", args: ["-e", "1"], env: { NODE_OPTIONS: "--require ./pre/load.cjs" } },
      { command: "make", args: ["serve"] },
      { command: "python", args: ["main.py"], cwd: "sub", env: { PYTHONPATH: "../lib" } },
    ),
    files: {
      "server.mjs": SERVER,
      "bin/start": "#!/usr/bin/env node\n",
      "deep/pkg/serve.py": "",
      "deep/late.py": "",
      "sub/main.py": "",
      "lib/readme.md": "",
      "Makefile": "serve:\n\tnode tools/run.js\n",
      "tools/run.js": "",
      "notes.md": "a\n",
    },
    prepare: async ({ project }) => {
      const path = join(project, ".onetool/onetool.yaml");
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replace("FILE", `file://${project}/by/address.ts`));
    },
  }, async ({ project, call, refused }) => {
    const closed = [
      "server.mjs",
      "SERVER.MJS",
      "./x/../server.mjs",
      join(project, "server.mjs"),
      "helper.mjs",
      "lib/inner/more.js",
      "bin/start",
      "bin/other.js",
      "server.mjs. ",
      "hooks/one.mjs",
      "hooks/two.cjs",
      "x/app",
      "x/app.js",
      "x/app.ts",
      "deep/pkg/serve.py",
      "deep/pkg/__init__.py",
      "deep/conf/a.toml",
      "deep/late.py",
      "by/address.ts",
      "pre/load.cjs",
      "Makefile",
      "makefile",
      "tools/run.js",
      "lib/os.py",
      "sub/main.py",
      "sub/json.py",
      "sub/.env",
      "sub/sitecustomize.py",
      "sub/pyproject.toml",
      "package.json",
      "package-lock.json",
      "deno.json",
      "node_modules/a/index.js",
      "uv.toml",
      "docs/a.txt",
      "lib/evil.pth",
      "lib/x.dist-info/entry_points.txt",
      "pip.conf",
      ".venv/lib/a.py",
      "venv/bin/python",
      "sub/.venv/bin/python",
      "data/a.json",
      "pnpm-lock.yaml",
      "tsconfig.json",
      "x/package.json",
      "x/node_modules/b/index.js",
    ];
    for (const path of closed) await refused("file.write", { path, text: "x" });
    for (const path of ["notes.md", "docs/a.tsv", "data/a.csv", "src/a.css", "lib/readme.md"]) {
      await call("file.write", { path, text: "x" });
    }
  }));

Deno.test("a folder takes no script of a server with it, and brings none", () =>
  withProject({
    config: servers({ command: "node", args: ["app/server.mjs"] }, {
      command: "node",
      args: ["later/server.mjs"],
    }),
    files: {
      "app/server.mjs": SERVER,
      "app/views/a.md": "",
      "stage/server.mjs": "evil",
      "stage/a.md": "",
      "one.mjs": "evil",
    },
  }, async ({ call, refused, read }) => {
    await refused("file.move", { from: "app", to: "old" });
    await refused("file.delete", { path: "app", recursive: true });
    await refused("file.delete", { path: "app/server.mjs" });
    await refused("file.move", { from: "stage", to: "later" });
    await refused("file.move", { from: "one.mjs", to: "app/server.mjs", overwrite: true });
    await refused("file.copy", { from: "one.mjs", to: "app/server.mjs", overwrite: true });
    await refused("file.edit", { path: "app/server.mjs", old: "data", new: "x" });
    await refused("file.append", { path: "app/server.mjs", text: "x" });
    await refused("file.make_folder", { path: "app/node_modules/evil" });
    assert.equal((await call("file.copy", { from: "stage", to: "later" })).left_out, 1);
    await call("file.move", { from: "app/views", to: "views" });
    assert.equal(await read("app/server.mjs"), SERVER);
  }));

Deno.test("a server's script is known under every name that links give it", () =>
  withProject({
    config: servers({ command: "node", args: ["scripts/server.mjs"] }),
    files: { "impl/server.mjs": SERVER, "café/a.txt": "", "ready/server.mjs": "evil" },
    prepare: async ({ project }) => {
      await Deno.symlink("middle", join(project, "scripts"));
      await Deno.symlink("impl", join(project, "middle"));
      await Deno.symlink("impl/server.mjs", join(project, "alias.txt"));
      await Deno.link(join(project, "impl/server.mjs"), join(project, "hard.txt"));
    },
  }, async ({ refused, read }) => {
    for (const path of ["impl/server.mjs", "middle/server.mjs", "alias.txt", "hard.txt"]) {
      await refused("file.write", { path, text: "x" });
    }
    for (const path of ["scripts", "middle", "impl"]) {
      await refused("file.delete", { path, recursive: true });
      await refused("file.move", { from: path, to: "away" });
    }
    assert.equal(await read("impl/server.mjs"), SERVER);
  }));

Deno.test("names are compared whatever their Unicode form", () =>
  withProject({
    config: servers({ command: "node", args: ["caf\u00e9/server.mjs"] }),
    files: { "caf\u00e9/server.mjs": SERVER, "a.txt": "" },
  }, async ({ refused }) => {
    for (const folder of ["cafe\u0301", "CAFE\u0301", "caf\u00e9\u200d", "cafe\u0301 "]) {
      await refused("file.write", { path: `${folder}/server.mjs`, text: "x" });
    }
    await refused("file.write", { path: "\uff0egit/config", text: "x" });
    await refused("file.write", { path: ".g\u200cit/config", text: "x" });
  }));

Deno.test("a folder whose modules cannot be told apart is read-only", () =>
  withProject({
    config: servers({ command: "./srv/run", args: [] }),
    files: { "srv/run": "what this is nobody knows", "notes.md": "" },
  }, async ({ call, refused }) => {
    for (const path of ["srv/run", "srv/any.txt", "srv/deep/any.txt"]) {
      await refused("file.write", { path, text: "x" });
    }
    await call("file.write", { path: "notes.md", text: "x" });
  }));

Deno.test("packages of a workspace that a server loads are closed", () =>
  withProject({
    config: servers({ command: "node", args: ["app/server.mjs"] }),
    files: { "app/server.mjs": SERVER, "app/node_modules/a/i.js": "", "libs/own/i.js": "" },
    prepare: ({ project }) => Deno.symlink("../../libs/own", join(project, "app/node_modules/own")),
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "libs/own/i.js", text: "x" });
    await call("file.write", { path: "libs/own/notes.md", text: "x" });
  }));

Deno.test("packs.file.writable opens programs, but no configuration and no secrets", () =>
  withProject({
    config: {
      ...servers({ command: "node", args: ["server.mjs"] }),
      packs: { file: { writable: ["*.mjs", ".github", "AGENTS.md", "**/*.yaml", ".onetool/**"] } },
    },
    files: { "server.mjs": SERVER },
  }, async ({ project, call, refused }) => {
    for (const path of ["server.mjs", ".github/workflows/a.yml", "AGENTS.md"]) {
      await call("file.write", { path: join(project, path), text: "x" });
    }
    for (const path of ["CLAUDE.md", "sub/a.mjs", ".githubx/a", ".vscode/tasks.json"]) {
      await refused("file.write", { path, text: "x" });
    }
    const fixed = [".onetool/onetool.yaml", "sub/onetool.yaml", "secrets.yaml", ".onetool/a.txt"];
    for (const path of fixed) {
      const { message } = await refused("file.write", { path, text: "x" });
      assert.match(message, /packs\.file\.writable does not open it/);
    }
  }));

Deno.test("files that an untrusted project would start are closed", () =>
  withProject({
    trusted: false,
    config: {
      ...servers({ command: "node", args: ["server.mjs"], env: { KEY: "${secret:NONE}" } }),
      packs: { file: { writable: ["*.mjs"] } },
    },
    files: { "server.mjs": SERVER },
  }, async ({ refused }) => {
    for (const path of ["server.mjs", "helper.mjs", "package.json"]) {
      await refused("file.write", { path, text: "x" });
    }
  }));
