/** A program changes a module that a server loads: by a name before its own, in another folder, in
 * another language. */

import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

interface Case {
  readonly server: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a name that is looked up before the module's own": {
    server: { command: "node", args: ["srv/server.js"] },
    files: {
      "srv/server.js": 'require("./lib"); require("./addon"); require("./v1.data")',
      ...{ "srv/lib.js": "", "srv/v1.data.json": "{}" },
      ...{ "srv/addon.node": "", "srv/build/deep.node": "", "far/view.tsx": "" },
    },
    closed: [
      ...["srv/lib", "srv/v1.data", "srv/server", "srv/addon", "srv/build/deep", "far/view"],
    ],
    open: ["srv/other", "srv/notes.txt"],
  },
  "a name that is looked up before a module's folder": {
    server: { command: "node", args: ["srv/index.js"] },
    files: {
      "srv/index.js": 'require("./conf"); require("./pack"); require("./addon")',
      ...{ "srv/conf/index.js": "", "srv/pack/package.json": "{}", "srv/addon.node": "" },
      ...{ "srv/data/one.json": "{}", "srv/plain.js": "" },
    },
    closed: ["srv/conf.json", "srv/pack.json", "srv/addon.json", "srv/conf.node", "srv/plain"],
    open: ["srv/data.json", "srv/plain.json", "srv/other.json"],
  },
  ...Object.fromEntries(
    [
      ["node", "server"],
      ["node", "./server"],
      ["node", "--enable-source-maps", "server"],
      ["node", "server/index"],
      ["node", "-e", 'require("./server")'],
      ["env", "A=1", "node", "server"],
      ["tsx", "server"],
      ["npx", "./server"],
      ["bash", "-c", "exec node server"],
      ["sh", "-c", "cd server && node ."],
      ["bin/start.sh"],
      ["bin/deep.sh"],
      ["make", "-s", "serve"],
      ["npm", "start"],
      ["just", "serve"],
    ].map(([command = "", ...args]) => [
      `the rest of the package, ${[command, ...args].join(" ")}`,
      {
        server: { command, args },
        files: {
          "server/index.js": 'require("../shared/util.js")',
          ...{ "shared/util.js": "", "bin/deep.sh": 'cd "$HOME/x" && . ../bin/start.sh' },
          "bin/start.sh": 'cd "$(dirname "$0")/../server"\nexec node .\n',
          "Makefile": "serve:\n\tcd server && node index.js\n",
          "justfile": "serve:\n  cd server && node index.js\n",
          "package.json": '{ "scripts": { "start": "cd server && node ." } }',
        },
        closed: ["server/index.js", "shared/util.js", "shared/new.ts", "shared/package.json"],
        open: ["shared/notes.txt", "server/data.csv"],
      },
    ]),
  ),
  ...Object.fromEntries(
    [["npm", "start"], ["bin/start.sh"], ["make", "serve"]].map(([command = "", ...args]) => [
      `a folder that ${command} changes to, in other languages`,
      {
        server: { command, args },
        files: {
          "bin/start.sh": "#!/bin/sh\ncd pysrv && exec uv run main\ncd gosrv && go run .\n",
          "Makefile": "serve:\n\tcd pysrv; python3 main.py; cd ../gosrv; go run .\n",
          "package.json": '{ "scripts": { "start": "cd pysrv && python3 main.py; go run ./x" } }',
        },
        closed: ["pysrv/main.py", "pysrv/deep/x.py", "gosrv/main.go"],
        open: ["pysrv/data.txt"],
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      ["node", "/usr/bin/env", "./"],
      ["npx", "-y", "@scope/server", "."],
      ["docker", "run", "-i", "mcp/python"],
      ["npx", "-y", "docs-mcp@1", "python", "--language", "go"],
      ["uvx", "some-server", "--path", "."],
    ].map(([command = "", ...args]) => [
      `nothing of the project, ${[command, ...args].join(" ")}`,
      {
        server: { command, args, cwd: "." },
        files: {
          "Dockerfile": 'CMD ["node", "server.js"]',
          "package.json": '{ "scripts": { "start": "cd src && node ." } }',
          "src/x.js": "",
        },
        closed: [".onetool/onetool.yaml"],
        open: ["src/x.js", "src/y.py", "lib/z.ts", "lib/a.go"],
      },
    ]),
  ),
  "a program of the project's virtual environment": {
    server: { command: ".venv/bin/server" },
    files: { ".venv/bin/server": "#!/usr/bin/env python3\nimport server", "src/server/who.py": "" },
    closed: ["src/server/who.py", "src/server/new.py", ".venv/bin/server"],
    open: ["src/data.json", "web/page.js"],
  },
  "a folder of the server's own PATH": {
    server: { command: "sh", args: ["run.sh"], env: { PATH: "tools:/usr/bin:/bin" } },
    files: { "run.sh": "exec my-mcp", "tools/my-mcp": "#!/bin/sh\nexec node ../lib/x.js" },
    closed: ["tools/my-mcp", "lib/x.js", "lib/new.py", "run.sh", "deep/Makefile"],
    open: ["tools/notes.txt", "deep/new"],
  },
  "make in another folder": {
    server: { command: "make", args: ["-s", "serve"] },
    files: { "Makefile": "serve:\n\t$(MAKE) -C server run\n", "server/Makefile": "run:\n\tx" },
    closed: ["server/Makefile", "server/GNUmakefile", "server/rules.mk", "deep/Makefile"],
    open: ["server/notes.txt"],
  },
  "a script of a workspace in another language": {
    server: { command: "npm", args: ["start", "-w", "server"] },
    files: {
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/server/package.json":
        '{ "name": "server", "scripts": { "start": "python3 m.py" } }',
      "packages/server/m.py": "",
    },
    closed: ["packages/server/m.py", "packages/server/new.py"],
    open: ["packages/server/notes.txt"],
  },
  "a script that a fetched program runs, without its ending": {
    server: { command: "npx", args: ["-y", "tsx", "./src/server"] },
    files: { "src/server.ts": 'import "../lib/who.js"', "lib/who.js": "" },
    closed: ["src/server.ts", "lib/who.js", "src/server"],
    open: ["lib/notes.txt", "lib/x.py"],
  },
  "a package of the project in Python": {
    server: { command: "uvx", args: ["--from", ".", "my-server"] },
    files: { "pyproject.toml": "", "src/my/server.py": "" },
    closed: ["pyproject.toml", "src/my/server.py", "src/my/new.py", "setup.cfg"],
    open: ["src/my/data.json"],
  },
  "a package of the project, by its URL": {
    server: { command: "npx", args: ["-y", "file:./server"] },
    files: { "server/package.json": "{}", "server/who.js": "" },
    closed: ["server/who.js", "server/package.json", "lib/x.js"],
    open: ["server/notes.txt"],
  },
  "modules of the folder, for a fetched program": {
    server: { command: "uvx", args: ["uvicorn==0.3", "app:main"], cwd: "." },
    files: { "app.py": "" },
    closed: ["app.py", "lib/x.py"],
    open: ["src/x.go"],
  },
  "tasks in Python": {
    server: { command: "inv", args: ["mcp"] },
    files: { "tasks.py": "" },
    closed: ["tasks.py", "invoke.yaml", "deep/x.py"],
    open: ["data.csv", "page.html", "notes.md", "new", "style.css"],
  },
  "settings that say how a script runs": {
    server: { command: "npm", args: ["run", "mcp"] },
    files: {
      "package.json": '{ "scripts": { "mcp": "nodemon srv/index.js" } }',
      "srv/index.js": "",
      "srv/lib/common": "",
    },
    closed: ["nodemon.json", "srv/index.js", "srv/lib/common", "srv/x.conf"],
    open: ["data.csv"],
  },
  "a script of the repository outside of the project": {
    server: { command: "node", args: ["../tools/index.js"] },
    files: {
      "../.git/HEAD": "ref: refs/heads/main",
      "../tools/index.js": 'require("../project/lib/who.js")',
      "lib/who.js": "",
    },
    closed: ["lib/who.js", "lib/new.ts", "deep/package.json"],
    open: ["lib/x.py", "lib/x.json"],
  },
  "a script without an ending": {
    server: { command: "node", args: ["bin/server"] },
    files: { "bin/server": 'require("./impl.js")', "bin/impl.js": "", "bin/late.js": "" },
    closed: ["bin/server", "bin/impl.js", "bin/impl", "bin/deep/new.js"],
    open: ["bin/notes.txt"],
  },
  "a script without an ending behind another program": {
    server: { command: "env", args: ["A=1", "python3", "bin/server"] },
    files: { "bin/server": "import impl" },
    closed: ["bin/impl.py", "bin/impl/__init__.py"],
    open: ["bin/data.json"],
  },
  "imports from other folders": {
    server: { command: "node", args: ["bin/server.mjs"] },
    files: {
      "bin/server.mjs": 'import "../src/one.mjs"; require(/* x */ ".."); require("../lib")',
      "src/one.mjs": 'import "dep"',
      "lib/index.js": "",
      "node_modules/dep/index.js": "",
    },
    closed: [
      ...["src/one.mjs", "src/one", "src/deep/two.ts", "far/four.js", "index.js", "lib/evil.cjs"],
      ...["lib/package.json", "src/node_modules/dep/index.js", "packages/a/package.json"],
    ],
    open: ["src/notes.txt", "far/data.json", "page.html"],
  },
  "maps of imports and settings that Deno's configuration names": {
    server: { command: "deno", args: ["run", "-A", "deep/bin/server.ts"] },
    files: {
      "deep/bin/server.ts": 'import "dep"',
      "deno.json": '{ "importMap": "maps.json", "imports": { "@/": "./src/" } }',
      "deep/deno.json": '{ "importMap": "./late.json" }',
      "tsconfig.json": '{ "extends": "./base.json" }',
      "base.json": '{ "extends": "./basis" }',
      "basis": "{}",
    },
    closed: ["maps.json", "deep/late.json", "base.json", "basis", "src/x.ts", "ws/mod.ts"],
    open: ["other.json", "deep/other.json"],
  },
  "tasks of Deno that no server runs": {
    server: { command: "deno", args: ["run", "-A", "npm:some-server"] },
    files: { "deno.json": '{ "tasks": { "dev": "deno run main.ts" } }', "main.ts": "" },
    closed: ["deno.json"],
    open: ["src/x.ts", "other.ts"],
  },
  "a task of Deno": {
    server: { command: "deno", args: ["task", "serve"] },
    files: { "deno.json": '{ "tasks": { "serve": "deno run tools/serve.ts" } }' },
    closed: ["deno.json", "tools/serve.ts", "src/x.ts"],
    open: ["src/x.txt"],
  },
  "a package manager starts a script of a workspace": {
    server: { command: "npm", args: ["-s", "start", "-w", "a"] },
    files: {
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/a/package.json": "{}",
    },
    closed: ["packages/a/package.json", "packages/a/s.js", "package.json"],
    open: ["packages/a/notes.txt"],
  },
  "a Makefile includes others": {
    server: { command: "make", args: ["-s", "serve"] },
    files: { "Makefile": "include rules\n-include late.mk sub/more.mk\n", "rules": "" },
    closed: ["rules", "late.mk", "sub/more.mk", "Makefile"],
    open: ["notes.txt", "other"],
  },
  "Ruby requires by relative paths": {
    server: { command: "ruby", args: ["bin/server"] },
    files: { "bin/server": 'require_relative "../lib/a"', "lib/a.rb": "" },
    closed: ["lib/a.rb", "bin/server"],
    open: ["lib/a.txt", "src/x.ts"],
  },
  "Perl loads a compiled module first": {
    server: { command: "perl", args: ["srv/server.pl"] },
    files: { "srv/server.pl": "use Foo", "srv/Foo.pm": "" },
    closed: ["srv/Foo.pmc", "srv/Foo.pm", "srv/Deep/Bar.pm"],
    open: ["srv/notes.txt"],
  },
  "Go compiles its folder": {
    server: { command: "go", args: ["run", "."], cwd: "srv" },
    files: { "srv/main.go": "package main" },
    closed: [
      ...["srv/evil.go", "srv/go.mod", "srv/vendor/x/y.go", "srv/asm_amd64.s", "srv/go.work"],
      ...["internal/who/who.go", "go.mod"],
    ],
    open: ["srv/notes.txt", "go.txt", "other/main.py"],
  },
  "Go compiles packages beside the one that is named": {
    server: { command: "sh", args: ["-c", "exec go run ./cmd/server"] },
    files: { "cmd/server/main.go": "package main" },
    closed: ["cmd/server/evil.go", "internal/a.go", "go.work", "vendor/modules.go"],
    open: ["notes.txt"],
  },
  "Cargo, .NET, Maven and Gradle compile theirs": {
    server: {
      command: "sh",
      args: ["-c", "cargo run || dotnet run || mvn exec:java || ./gradlew run"],
    },
    files: {},
    closed: [
      ...["src/tools.rs", "build.rs", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
      ...["Program.cs", "app.csproj", "Directory.Build.props", "global.json", "pom.xml"],
      ...["src/main/java/A.java", "build.gradle", "build.gradle.kts", "gradle.properties"],
    ],
    open: ["notes.txt", "src/data.csv"],
  },
  "Rake loads its library": {
    server: { command: "rake", args: ["serve"] },
    files: { "Rakefile": "" },
    closed: ["Rakefile", "rakelib/x.rake", "lib/a.rb"],
    open: ["notes.txt"],
  },
  "uv, poetry and others run the project's own package": {
    server: { command: "uv", args: ["run", "my-server"] },
    files: { "src/pkg/server.py": "" },
    closed: ["src/pkg/server.py", "src/pkg/__init__.py", "pyproject.toml"],
    open: ["src/pkg/data.json"],
  },
  "Compose merges its overrides": {
    server: { command: "docker", args: ["compose", "run", "server"] },
    files: { "compose.yaml": "" },
    closed: ["compose.override.yaml", "compose.override.yml", "docker-compose.override.yml"],
    open: ["other.yaml"],
  },
};

Deno.test("no program changes what a pack may import", () =>
  withProject({
    config: { packs: { mine: { permissions: { read: ["lib"], run: ["id"] } } } },
    files: { "lib/who.ts": "" },
  }, async ({ call, refused }) => {
    for (const path of ["lib/who.ts", "lib/new.js", "deno.json"]) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    await call("file.write", { path: "lib/x.py", text: "x" });
  }));

for (const [name, { server, files, closed, open }] of Object.entries(CASES)) {
  Deno.test(`no program changes what a server loads: ${name}`, () =>
    withProject({
      config: { servers: { mine: server } },
      files,
      async prepare({ project }) {
        await Deno.mkdir(join(project, String(server.cwd ?? "")), { recursive: true });
        for (const [name, text] of Object.entries(files)) {
          if (text.startsWith("#!")) await Deno.chmod(join(project, name), 0o755);
        }
      },
    }, async ({ call, refused }) => {
      for (const path of closed) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      for (const path of open) await call("file.write", { path, text: "x" });
    }));
}
