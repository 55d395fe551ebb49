/** A program changes a virtual environment of Python, or one of conda, under any name. */

import { join } from "node:path";
import { withProject } from "../support/project.ts";
import { testCases } from "./server_cases.ts";

const VENV = { "env/pyvenv.cfg": "home = /usr/bin\n", "env/bin/activate": "" };
const PACKAGES = "env/lib/python3.11/site-packages";
const IN_VENV = [
  `${PACKAGES}/yaml/__init__.py`,
  `${PACKAGES}/a.csv`,
  "env/pyvenv.cfg",
  "env/new/x",
];

testCases({
  "an environment by its path": {
    server: { command: "./env/bin/python", args: ["-m", "server"], cwd: "srv" },
    files: { ...VENV, "env/bin/python": "#!/bin/false\n", "srv/server.py": "" },
    closed: [...IN_VENV, "srv/lib.py", "lib/installed.py"],
    open: ["notes.md", "srv/a.csv"],
  },
  "an environment that is not there yet": {
    server: { command: "./env/bin/python3.12", args: ["-m", "server"], cwd: "srv" },
    files: { "srv/server.py": "" },
    closed: [`${PACKAGES}/yaml/__init__.py`, "env/pyvenv.cfg"],
    open: ["notes.md"],
  },
  "an environment of conda, behind its own program": {
    server: { command: "conda", args: ["run", "-p", "../tools/py", "python"], cwd: "srv" },
    files: { "tools/py/conda-meta/history": "", "srv/server.py": "" },
    closed: ["tools/py/lib/python3.11/yaml.py", "tools/py/conda-meta/a.json", "tools/py/bin/x"],
    open: ["tools/a.md"],
  },
  "an environment that a script in Python starts": {
    server: { command: "python3", args: ["bin/start.py"], cwd: "." },
    files: { ...VENV, "bin/start.py": "subprocess.run([root / 'env/bin/python'])" },
    closed: [...IN_VENV, "env/bin/python"],
    open: ["notes.md"],
  },
  "an environment that a script names in its first line": {
    server: { command: "node", args: ["server.js"], cwd: "srv" },
    files: {
      ...VENV,
      "srv/server.js": "spawn('../tools/run')",
      "tools/run": "#!../env/bin/python\n",
    },
    closed: [...IN_VENV, "env/bin/python"],
    open: ["notes.md"],
  },
  "an environment in an environment's variable": {
    server: { command: "uv", args: ["run", "x"], cwd: "srv", env: { UV_PROJECT_ENVIRONMENT: "e" } },
    files: { "e/pyvenv.cfg": "", "srv/server.py": "" },
    closed: ["e/lib/a.py", "e/a.csv", "e/bin/python"],
    open: ["notes.md"],
  },
  "an environment that is the project": {
    server: { command: "./bin/python", args: ["-m", "server"], cwd: "srv" },
    files: { "pyvenv.cfg": "", "bin/python": "#!/bin/false\n", "srv/server.py": "" },
    closed: ["lib/python3.11/site-packages/a.csv", "pyvenv.cfg", "bin/pip", "Lib/a"],
    open: ["notes.md", "srv/a.csv"],
  },
});

Deno.test("links of an environment close what they lead to", () =>
  withProject({
    config: { servers: { mine: { command: "env/bin/python", args: ["-m", "x"], cwd: "srv" } } },
    files: { ...VENV, "srv/server.py": "", "shared/a.md": "", "store/b.md": "" },
    async prepare({ project }) {
      await Deno.symlink("../shared", join(project, "env/lib"));
      await Deno.symlink("store", join(project, "alias"));
    },
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "env/lib/b.md", text: "x" });
    await refused("file.write", { path: "shared/b.md", text: "x" });
    await refused("file.move", { from: "env", to: "other" });
    await refused("file.delete", { path: "env", recursive: true });
    await call("file.write", { path: "alias/c.md", text: "x" });
  }));
