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
const below = (folder: string) => AROUND.map((path) => `${folder}/${path}`);

testCases({
  "around an interpreter by its path": {
    server: { command: "./runtime/bin/python3", args: ["server.py"], cwd: "." },
    files: { "runtime/bin/python3": PROGRAM, "server.py": "" },
    closed: below("runtime"),
    open: ["notes.md", "runtime/notes.md", "docs/etc/a.md"],
  },
  "around an interpreter in the server's PATH, behind its package runner": {
    server: { command: "npx", args: ["-y", "some-server"], cwd: "srv", env: { PATH: "../n/bin" } },
    files: { "n/bin/node": PROGRAM, "n/bin/npx": PROGRAM },
    closed: below("n"),
    open: ["notes.md"],
  },
  "beside an interpreter, by names": {
    server: { command: "/usr/bin/true", cwd: "srv" },
    files: {},
    closed: ["npmrc", "a/etc/npmrc", "a/lib/python3.zip", "a/python313t.zip", "a/pyvenv.cfg"],
    open: ["a/notes.md", "a/etc/notes.md", "a/npmrc.md"],
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
