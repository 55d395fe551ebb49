/** A program changes what a server loads that starts through other programs: scripts, tasks, package
 * managers, a folder of `PATH`. */

import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

testCases({
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
          "shared/util.js": "",
          "bin/deep.sh": 'cd "$HOME/x" && . ../bin/start.sh',
          "bin/start.sh": 'cd "$(dirname "$0")/../server"\nexec node .\n',
          "Makefile": "serve:\n\tcd server && node index.js\n",
          "justfile": "serve:\n  cd server && node index.js\n",
          "package.json": '{ "scripts": { "start": "cd server && node ." } }',
        },
        closed: [
          "server/index.js",
          "shared/util.js",
          "shared/new.ts",
          "shared/package.json",
          ...(/^(?:bin|make|npm|just)/.test(command) ? ["shared/notes.txt"] : []),
          ...(command === "npx" ? ["server/data.csv"] : []),
        ],
        open: [
          ...(/^(?:bin|make|npm|just)/.test(command) ? [] : ["shared/notes.txt"]),
          ...(command === "npx" ? [] : ["server/data.csv"]),
        ],
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
        closed: ["pysrv/main.py", "pysrv/deep/x.py", "gosrv/main.go", "pysrv/data.txt"],
        open: ["pysrv/data.csv"],
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
    closed: [
      "tools/notes.txt",
      "tools/my-mcp",
      "tools/mkdir",
      "lib/x.js",
      "lib/new.py",
      "run.sh",
      "deep/Makefile",
    ],
    open: ["deep/new.csv"],
  },
  "make in another folder": {
    server: { command: "make", args: ["-s", "serve"] },
    files: { "Makefile": "serve:\n\t$(MAKE) -C server run\n", "server/Makefile": "run:\n\tx" },
    closed: [
      "server/notes.txt",
      "server/Makefile",
      "server/GNUmakefile",
      "server/rules.mk",
      "deep/Makefile",
    ],
    open: ["notes.md"],
  },
  "a script of a workspace in another language": {
    server: { command: "npm", args: ["start", "-w", "server"] },
    files: {
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/server/package.json":
        '{ "name": "server", "scripts": { "start": "python3 m.py" } }',
      "packages/server/m.py": "",
    },
    closed: ["packages/server/notes.txt", "packages/server/m.py", "packages/server/new.py"],
    open: ["notes.md"],
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
    closed: [
      "pyproject.toml",
      "src/my/server.py",
      "src/my/new.py",
      "setup.cfg",
      "src/my/data.json",
    ],
    open: ["src/my/data.csv"],
  },
  "a package of the project, by its URL": {
    server: { command: "npx", args: ["-y", "file:./server"] },
    files: { "server/package.json": "{}", "server/who.js": "" },
    closed: ["server/notes.txt", "server/who.js", "server/package.json", "lib/x.js"],
    open: ["lib/notes.txt"],
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
    closed: ["new.txt", "tasks.py", "invoke.yaml", "deep/x.py", "bin/new", "project.json"],
    open: ["data.csv", "page.html", "notes.md", "style.css"],
  },
  ...Object.fromEntries(
    [
      [["bash", "run.sh"], {}],
      [["make", "-s", "serve"], {}],
      [["npm", "run", "--silent", "serve"], {}],
      [["task", "-s", "serve"], {}],
      [["python3", "server.py"], { PATH: "tools/bin:/usr/bin:/bin" }],
    ].map(([words, env]) => {
      const [command = "", ...args] = words as string[];
      return [`what ${[command, ...args].join(" ")} starts through other programs`, {
        server: { command, args, env },
        files: {
          "run.sh":
            'export PATH="$PWD/tools/bin:$PATH"; mkdir -p c; cd deploy && exec task serve\n',
          "Makefile": "serve:\n\t@cd deploy && docker compose up\n",
          "package.json": '{ "scripts": { "serve": "cd deploy; pip install -r reqs/a.txt" } }',
          "server.py": "",
          "tools/bin/helper": "#!/bin/sh\n",
        },
        closed: [
          "tools/bin/mkdir",
          "deploy/bin/node",
          "env/bin/git",
          "Taskfile.yml",
          "deploy/Taskfile.dist.yaml",
          "deploy/compose.yaml",
          "project.json",
          "deploy/requirements.txt",
          "deploy/requirements-dev.txt",
          "CMakeLists.cmake",
          "deploy/notes.txt",
          "Vagrantfile",
          "deploy/BUILD",
          "roles/r/tasks/main.yml",
          "deploy/devbox.json",
        ],
        open: ["data/rows.csv", "docs/page.html", "docs/a.md"],
      }];
    }),
  ),
  ...Object.fromEntries(
    [
      ["bash", "start.txt"],
      ["bash", "-eu", "start.txt"],
      ["bash", "-c", ". ./start.txt && exec node server.js"],
      ["bash", "-c", "bash start.txt"],
      ["node", "-r", "./start.txt", "server.js"],
      ["node", "--import=./start.txt", "server.js"],
      ["node", "--env-file=start.txt", "server.js"],
      ["python3", "start.txt"],
      ["python3", "-u", "start.txt"],
      ["uv", "run", "--with-requirements", "start.txt", "server.py"],
      ["uvx", "--with-requirements", "start.txt", "some-server"],
      ["sh", "-c", "pip install -q -r start.txt; exec python3 server.py"],
    ].map(([command = "", ...args]) => [
      `a file of any ending, ${[command, ...args].join(" ")}`,
      {
        server: { command, args, cwd: "." },
        files: { "start.txt": "-r reqs/more.txt\n", "reqs/more.txt": "", "server.py": "" },
        closed: ["start.txt", "reqs/more.txt"],
        open: [/^(?:bash|sh|uv)$/.test(command) ? "notes.md" : "notes.txt"],
      },
    ]),
  ),
  ...Object.fromEntries(
    [
      ["mcp-notes", "notes.txt"],
      ["uvx", "mcp-notes", "--file", "notes.txt"],
      ["bash", "-c", "exec mcp-notes --file notes.txt"],
    ].map(([command = "", ...args]) => [
      `not the data it works on, ${[command, ...args].join(" ")}`,
      {
        server: { command, args, cwd: "." },
        files: { "notes.txt": "" },
        closed: [".mcp.json"],
        open: ["notes.txt", "data.json"],
      },
    ]),
  ),
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
});

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
