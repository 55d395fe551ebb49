/** A program changes what the code among an interpreter's words starts, where it puts the path
 * together. */

import { testCases } from "./server_cases.ts";

const FILES = { "bin/mcp": "#!/bin/sh\n", "srv/server.py": "", "a.md": "" };

/** All but data is closed. */
const JOINED: readonly (readonly string[])[] = [
  ["python3", "-c", 'import os; os.execv(os.getcwd() + "/bin/mcp", ["mcp"])'],
  ["python3", "-u", "-c", 'import os; p = os.path.join("bin", "mcp"); os.execv(p, [p])'],
  ["python3", "-c", "import os; d = 'bin'; os.execv(f'{d}/mcp', ['mcp'])"],
  ["python3", "-c", 'import os; os.execv("./bin" "/mcp", ["mcp"])'],
  ["python3", "-c", 'import os; os.execv("bin/%s" % "mcp", ["mcp"])'],
  ["python3", "-c", 'import os; os.execv("bin\\x2fmcp", ["mcp"])'],
  ["python3", '-cimport os; os.execv(os.getcwd() + "/bin/mcp", ["mcp"])'],
  ["python3", "-c", "exec(open('start.txt').read())"],
  ["python3", "-c", "import pathlib, os; os.execv(pathlib.Path('bin') / 'mcp', ['mcp'])"],
  ["env", "-i", "node", "-e", 'require("child_process").spawn(process.cwd() + "/bin/mcp")'],
  ["node", "--eval", "require('child_process').spawn(`$${process.cwd()}/bin/mcp`)"],
  ["node", "--eval=require('child_process').spawn('bin'.concat('/mcp'))"],
  ["node", "-pe", 'require("child_process").spawn(["bin", "mcp"].join("/"))'],
  ["deno", "eval", 'new Deno.Command(Deno.cwd() + "/bin/mcp").spawn()'],
  ["python3", "-W", "ignore", "-c", 'import os; os.execv(os.getcwd() + "/bin/mcp", ["mcp"])'],
  ["deno", "eval", "--ext", "ts", 'new Deno.Command(Deno.cwd() + "/bin/mcp").spawn()'],
  ["bun", "-e", 'Bun.spawn([process.cwd() + "/bin/mcp"])'],
  ["perl", "-we", 'use Cwd; exec(getcwd . "/bin/mcp")'],
  ["perl", "-e", 'exec "$ENV{PWD}/bin/mcp"'],
  ["ruby", "-e", 'exec "#{Dir.pwd}/bin/mcp"'],
  ["php", "-r", 'passthru(getcwd() . "/bin/mcp");'],
  ["npx", "-y", "cross-env", "A=1", "node", "-e", 'require(process.cwd() + "/bin/mcp")'],
];

/** What stands in one piece is told apart. */
const PLAIN: readonly (readonly string[])[] = [
  ["python3", "-c", "from srv.server import main; main()"],
  ["python3", "-c", "import uvicorn; uvicorn.run('srv.server:app', host=\"0.0.0.0\", port=80)"],
  ["node", "-e", 'import("./dist/index.js").then((m) => m.start({ name: "x" }))'],
  ["node", "-r", "./lib/x.js", "-e", 'require("./server")'],
  ["deno", "run", "-c", "deno.json", "-A", "src/x.ts"],
  ["python3", "srv/server.py", "-c", "postgres://a:b@h/d?x=1 + 2"],
  ["python3", "-m", "srv", "-c", "a + b"],
  ["node", "dist/index.js", "-e", "a + b"],
  ["ruby", "-r", "./lib/x.rb", "-e", "Server.new.start"],
];

testCases({
  ...Object.fromEntries(JOINED.map(([command = "", ...args]) => [
    `code that puts a path together, ${[command, ...args].join(" ")}`,
    {
      server: { command, args, cwd: "." },
      files: FILES,
      closed: ["bin/mcp", "start.txt"],
      open: ["notes.md"],
    },
  ])),
  ...Object.fromEntries(PLAIN.map(([command = "", ...args]) => [
    `code that names paths in one piece, ${[command, ...args].join(" ")}`,
    {
      server: { command, args, cwd: "." },
      files: FILES,
      closed: [".mcp.json"],
      open: ["bin/other", "other.txt", "notes.md"],
    },
  ])),
  ...Object.fromEntries(
    ([
      ["python3", "-c", "import runpy; runpy.run_path('start.txt')"],
      ["python3", "-c", "__import__('runpy').run_path('start.md')"],
      ["python3", "-c", "import runpy; p = 'start.md'; runpy.run_path(p, run_name='__main__')"],
      ["python3", "-c", "exec(open('start.md').read())"],
      ["lua", "-e", "dofile('start.txt')"],
      ["lua", "-e", "loadfile('start.txt')()"],
      ["ruby", "-e", "load './start.txt'"],
      ["perl", "-e", "do './start.txt'"],
      ["php", "-r", "require 'start.md';"],
      ["node", "-e", 'require("./start.md")'],
      ["node", "--eval=require('./start.md')"],
      ["env", "A=1", "julia", "-e", 'include("start.txt")'],
    ] as const).map((
      [command, ...args],
    ) => [`code that loads data, ${[command, ...args].join(" ")}`, {
      server: { command, args, cwd: "." },
      files: { "start.txt": "", "start.md": "", "a.csv": "" },
      closed: [args.join(" ").includes("start.md") ? "start.md" : "start.txt"],
      open: ["notes.md"],
    }]),
  ),
  "code that only reads data": {
    server: {
      command: "python3",
      args: ["-c", "from srv import main; main('start.txt', loads=True)"],
      cwd: ".",
    },
    files: { "start.txt": "" },
    closed: [".mcp.json"],
    open: ["start.md", "notes.txt"],
  },
});
