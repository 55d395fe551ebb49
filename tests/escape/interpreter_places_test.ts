/** A program changes what an interpreter loads from around it: settings of npm, archives of Python. */

import { join } from "node:path";
import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

const PROGRAM = "#!/bin/false\n";
const AROUND = [
  "etc/npmrc",
  "lib/python311.zip",
  "lib/python3.11/a.csv",
  "lib64/x",
  "share/x",
  "include/a",
];
const NAMES = "npmrc a/etc/npmrc a/lib/python3.zip a/python313t.zip a/pyvenv.cfg a/python3._pth " +
  "a/python3.11._PTH a/pybuilddir.txt a/Modules/Setup.local a/php.ini a/php-cli.ini " +
  "a/php-cgi-fcgi.ini a/.RData srv/.RData srv/.Rprofile";
const below = (folder: string) => AROUND.map((path) => `${folder}/${path}`);

testCases({
  "around an interpreter by its path": {
    server: { command: "./runtime/bin/python3", args: ["server.py"], cwd: "." },
    files: { "runtime/bin/python3": PROGRAM, "server.py": "" },
    closed: [...below("runtime"), "runtime/bin/python3._pth", "runtime/bin/Lib"],
    open: ["notes.md", "runtime/notes.md", "docs/etc/a.md"],
  },
  "around an interpreter in the server's PATH, behind its package runner": {
    server: { command: "npx", args: ["-y", "some-server"], cwd: "srv", env: { PATH: "../n/bin" } },
    files: { "n/bin/node": PROGRAM, "n/bin/npx": PROGRAM },
    closed: below("n"),
    open: ["notes.md"],
  },
  "around an interpreter in the project's own folder": {
    server: { command: "env", args: ["A=1", "../python3", "-m", "srv"], cwd: "srv" },
    files: { "python3": PROGRAM },
    closed: ["lib/python3.11/json/__init__.py", "lib64/a.csv", "python3._pth", "python3"],
    open: ["notes.md", "docs/a.md", "srv/notes.md"],
  },
  "around PowerShell": {
    server: { command: "env", args: ["A=1", "../ps/pwsh", "-File", "start.ps1"], cwd: "srv" },
    files: { "ps/pwsh": PROGRAM, "srv/start.ps1": "" },
    closed: ["ps/Modules/a/a.psm1", "ps/powershell.config.json", "ps/a.md"],
    open: ["notes.md", "srv/notes.md"],
  },
  "around an interpreter beside a program that is started": {
    server: { command: "env", args: ["A=1", "../n/bin/start"], cwd: "srv" },
    files: { "n/bin/start": "#!/bin/false\n", "n/bin/node": PROGRAM },
    closed: [...below("n"), "n/bin/a.md"],
    open: ["notes.md", "n/notes.md"],
  },
  "around no data, and no folder, with the name of an interpreter": {
    server: { command: "./tools/start", args: ["docs/python3.md", "docs/php"], cwd: "." },
    files: {
      "tools/start": "#!/bin/false\n",
      "tools/node/a.md": "",
      "tools/lua5.md": "",
      "docs/python3.md": "",
      "docs/php/a.md": "",
    },
    closed: ["tools/start"],
    open: ["docs/a.md", "lib/a.md", "share/a.md", "docs/lib/a.md"],
  },
  "beside an interpreter, by names": {
    server: { command: "/usr/bin/true", cwd: "srv" },
    files: {},
    closed: NAMES.split(" "),
    open: ["a/notes.md", "a/etc/notes.md", "a/npmrc.md", "a/pth", "a/php.md", "a/x.RData"],
  },
});

Deno.test("what an interpreter in PATH loads from around it is closed, though no server starts", () =>
  withProject({
    files: { "n/bin/node": PROGRAM, "tools/bin/say": PROGRAM },
    variables: (home) => ({
      PATH: ["n/bin", "tools/bin"].map((folder) => join(home, "../project", folder)).join(":"),
    }),
  }, async ({ call, refused }) => {
    for (const path of below("n")) await refused("file.write", { path, text: "x" });
    await call("file.write", { path: "tools/share/a.md", text: "x" });
  }));

Deno.test("a folder that programs may use stays open beside an interpreter", () =>
  withProject({
    config: { servers: { mine: { command: "../../bin/node", args: ["-v"] } } },
    place: "share/project",
    async prepare({ home }) {
      await Deno.mkdir(join(home, "../bin"));
      await Deno.writeTextFile(join(home, "../bin/node"), PROGRAM);
    },
  }, async ({ call }) => void await call("file.write", { path: "notes.md", text: "x" })));

Deno.test("of what lies around an interpreter, what holds the project stays open", () =>
  withProject({
    config: { packs: { file: { allowed: ["~", "."] } } },
    place: "home/n/share/project",
    variables: (home) => ({ PATH: join(home, "n/bin") }),
    files: { "~/n/bin/node": PROGRAM },
  }, async ({ home, call, refused }) => {
    await call("file.write", { path: "notes.md", text: "x" });
    await refused("file.write", { path: join(home, "n/lib/a.csv"), text: "x" });
  }));
