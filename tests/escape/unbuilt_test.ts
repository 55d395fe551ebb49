/** A program makes what a server, or a command of git, starts from a place where nothing is yet. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

/** Commands of servers that are not built, with what they would load then. */
const UNBUILT: Readonly<Record<string, readonly [closed: string, open?: string]>> = {
  // A folder in the place of a file.
  "node dist/server.js": ["dist/server.js dist/server.js/index.js dist/server.js/deep/x.txt"],
  "node dist/server": ["dist/server dist/server/index.js dist/server/package.json dist/server/a"],
  "node dist": ["dist/index.js dist/index.node dist/package.json dist/any dist/lib/index.js"],
  "node --no-warnings dist": ["dist/index.js dist/main.data"],
  "node --require ./dist/hook.js /abs/x.js": [
    "dist/hook.js/index.js dist/lib.js dist/hook.js/a.txt",
  ],
  "node --env-file=dist/conf.txt /abs/x.js": ["dist/conf.txt dist/conf.txt/a.txt"],
  "./target/server": ["target/server/x target/lib.so target/lib.sh target/server.py"],
  "./out/run.sh": ["out/run.sh/a lib/x.sh lib/x.py"],
  "./out/run.py": ["out/run.py/a out/lib.py out/deep/x.py"],
  "/bin/x --hooks=out/a.rules": ["out/a.rules/x.txt"],
  // Modules beside a script.
  "node dist/app.js": [
    "dist/lib.js dist/deep/x.mjs src/x.ts dist/package.json dist/node_modules/a",
  ],
  "env A=1 node dist/app": ["dist/lib.js"],
  "env A=1 node dist": ["dist/index.json dist/lib.js dist/any"],
  "npx -y tsx src/server": ["src/server/index.ts src/lib.ts"],
  "npx -y tsx server": ["server/index.tsx server/a lib.ts", "data.csv"],
  "python3 -u build/app.py": ["build/app.py/__main__.py build/lib.py build/yaml/__init__.py"],
  "python3 build/app": ["build/app/__main__.py build/lib.py", "data/a.json"],
  "perl dist/server.pl": ["dist/server.pl/a dist/Lib.pm"],
  "java -cp build/classes Main": ["build/classes/Main.class build/classes/deep/a.txt"],
  "java -jar build/app.jar": ["build/app.jar build/lib.jar"],
  "dotnet out/app.dll": ["out/app.dll out/other.dll out/app.dll/x"],
  // Shells.
  "sh -c cd▁server▁&&▁exec▁node▁app.js": ["server/app.js server/package.json server/a.csv"],
  "sh -c exec▁node▁dist/server": ["dist/server/index.js dist/lib.js"],
  "sh -c exec▁node▁dist": ["dist/index.node dist/lib.js dist/a"],
  "bash start": ["start start/a.txt lib.sh"],
  "python3 run": ["run run/__main__.py run/a.csv"],
  "bun run dev": ["dev/index.ts"],
  "uv run python build/app": ["build/app/a.csv build/lib.py"],
  "sh -c .▁gen/env▁&&▁exec▁x": ["gen/env/a gen/lib.sh"],
  "sh -c timeout▁5▁node▁dist": ["dist/index.js dist/a"],
  "node --import=./dist/hook.mjs /abs/x.js": ["dist/hook.mjs/index.js dist/lib.mjs"],
  "node ./dist/../out/app.js": ["out/app.js/index.js out/lib.js"],
  "node --title name dist": ["dist/index.js dist/a"],
  "deno run -A dist/main.ts": ["dist/main.ts/a dist/other.ts dist/deno.json"],
  "ruby dist": ["dist/a dist/x.rb"],
  "bash start.txt": ["start.txt"],
  "make -C server run": ["server/Makefile server/a.csv"],
  "mytool --directory server": ["server/pyproject.toml server/a.csv"],
};
/** Commands of servers that start nothing of the project. */
const FOREIGN: readonly string[] = [
  "npx -y @scope/mcp-node ./data/in",
  "npx -y node-mcp --root data",
  "docker run -i -v ./data/in:/data node:20 serve",
  "docker run -i -v ./data/in:/data node serve",
  "mytool --out data/in",
  "sh -c exec▁mytool▁--out▁data/in",
  "uvx mcp-python ./data/in",
];

function serverOf(line: string): JsonObject {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("▁", " "));
  return { command, args, cwd: "." };
}

testCases({
  ...Object.fromEntries(
    Object.entries(UNBUILT).map(([line, [closed, open = "notes.md"]]) => [
      `not built yet, ${line}`,
      {
        server: serverOf(line),
        files: { "a.md": "" },
        closed: closed.split(" "),
        open: open.split(" "),
      },
    ]),
  ),
  ...Object.fromEntries(FOREIGN.map((line) => [
    `not built yet, but foreign, ${line}`,
    {
      server: serverOf(line),
      files: { "a.md": "" },
      closed: [".mcp.json"],
      open: ["src/x.js", "lib/x.py", "lib/run.sh", "docs/a"],
    },
  ])),
});

testCases({
  "not built yet, Python in another folder": {
    server: { command: "python3", args: ["../build/app.py"], cwd: "run" },
    files: { "a.md": "" },
    closed: ["build/app.py/x", "build/lib.py", "build/yaml/__init__.py", "build/lib.so"],
    open: ["lib/x.py", "build/a.csv"],
  },
  "not built yet, a folder of modules": {
    server: { command: "python3", args: ["/abs/x.py"], cwd: "run", env: { PYTHONPATH: "../libs" } },
    files: { "a.md": "" },
    closed: ["libs/yaml.py", "libs/yaml/__init__.py", "libs/yaml/data.csv", "libs"],
    open: ["lib/x.py"],
  },
  "not built yet, what a shell reads first": {
    server: { command: "bash", args: ["-c", "echo"], env: { BASH_ENV: "gen/env" } },
    files: { "a.md": "" },
    closed: ["gen/env", "gen/env/a"],
    open: ["gen/a.md", "lib/x.py"],
  },
});

for (const line of ["node dist", "node dist/", "node -r ./dist /abs/x.js", "python3 dist"]) {
  Deno.test(`an empty folder of a server is closed: ${line}`, () =>
    withProject({
      config: { servers: { mine: serverOf(line) } },
      prepare: ({ project }) => Deno.mkdir(join(project, "dist")),
    }, async ({ call, refused }) => {
      const isPython = line.startsWith("python");
      const closed = isPython ? ["__main__.py", "lib.py"] : ["index.js", "package.json", "lib.js"];
      for (const name of closed) await refused("file.write", { path: `dist/${name}`, text: "x" });
      await call("file.write", { path: "dist/notes.md", text: "x" });
    }));
}

Deno.test("no file comes to lie above what a server starts: Python reads it as an archive", () =>
  withProject({
    config: {
      servers: {
        a: serverOf("python3 dist/app"),
        b: { command: "python3", args: ["/abs/x.py"], env: { PYTHONPATH: "libs/own/deep" } },
        c: serverOf("/bin/x out/deep/a.rules"),
      },
    },
    files: {
      "archive": "PK",
      ".git/config": '[filter "f"]\n\tclean = python3 tools/deep/clean\n',
    },
  }, async ({ call, refused }) => {
    for (
      const path of ["dist", "libs", "libs/own", "libs/own/deep", "out", "tools", "TOOLS/deep"]
    ) {
      await refused("file.write", { path, text: "PK" });
      await refused("file.append", { path, text: "PK" });
      await refused("file.copy", { from: "archive", to: path });
      await refused("file.move", { from: "archive", to: path });
    }
    await call("file.make_folder", { path: "tools/deep" });
    await call("file.write", { path: "out/notes.md", text: "x" });
    await call("file.copy", { from: "archive", to: "free" });
  }));

Deno.test("no folder brings what lies in it to closed places that are missing", () =>
  withProject({
    config: { servers: { a: serverOf("/bin/x dist/a.rules") } },
    files: {
      "one/a.rules": "x",
      "two/deep/a.rules": "x",
      "three/a.rules/index.js": "x",
      "four/pre-commit": "x",
      "five/hooks/pre-commit": "x",
      "six/clean.sh": "x",
      "seven/clean.sh/index.js": "x",
      "free/a.txt": "x",
      ".git/config": '[core]\n\thooksPath = build/hooks\n[filter "f"]\n\tclean = sh out/clean.sh\n',
    },
  }, async ({ call, refused }) => {
    const rows = { one: "dist", three: "dist", four: "build/hooks", five: "build", six: "out" };
    for (const [from, to] of Object.entries({ ...rows, seven: "out" })) {
      await refused("file.move", { from, to });
      const { files, left_out } = await call("file.copy", { from, to }).catch(() => ({
        files: 0,
        left_out: 1,
      }));
      assert.equal(files, 0, from);
      assert.notEqual(left_out, 0, from);
    }
    await refused("file.move", { from: "two/deep", to: "dist" });
    await call("file.move", { from: "two", to: "moved" });
    await call("file.move", { from: "free", to: "free2" });
  }));

Deno.test("a command of git finds no folder in the place of a script", () =>
  withProject({
    files: {
      ".git/config": '[filter "f"]\n\tclean = node ./out/clean.js\n[alias]\n\tx = !node tools/two' +
        "\n\ty = !python3 apps\n[init]\n\tdefaultBranch = main\n",
      "out/sub/a.md": "",
    },
  }, async ({ call, refused }) => {
    const closed = [
      "out/clean.js/index.js",
      "out/clean.js/package.json",
      "out/clean.js/deep/a.txt",
      "tools/two/index.js",
      "tools/two/package.json",
      "tools/two/index.node",
      "apps/__main__.py",
      "tools/two.js/index.js",
    ];
    for (const path of closed) await refused("file.write", { path, text: "x" });
    await refused("file.make_folder", { path: "out/clean.js" });
    await refused("file.move", { from: "out/sub", to: "out/clean.js" });
    for (const path of ["main/a.md", "tools/two/a.md", "apps/a.txt"]) {
      await call("file.write", { path, text: "x" });
    }
  }));

Deno.test("a folder that git's settings seem to name stays open", () =>
  withProject({
    files: {
      ".git/config": "[user]\n\temail = docs.v1\n[alias]\n\tx = !cat docs.v1 src\n",
      "docs.v1/a.md": "",
      "src/a.md": "",
    },
  }, async ({ call }) => {
    for (const path of ["docs.v1/b.md", "docs.v1/c/d.md", "src/b.md"]) {
      await call("file.write", { path, text: "x" });
    }
  }));
