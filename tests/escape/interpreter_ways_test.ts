/** Ways by which a server leads to an interpreter in an allowed folder, of which all that it loads
 * from around it is closed. */

import { dirname, join } from "node:path";
import { dump } from "js-yaml";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

const PROGRAM = "#!/bin/false\n";
/** What an interpreter in `python/bin` loads from around it. */
const AROUND = [
  "bin/python3",
  "bin/python3._pth",
  "bin/pybuilddir.txt",
  "bin/Lib",
  "bin/Modules/Setup.local",
  "lib/python3.11/json/__init__.py",
  "lib/python3.11/new.csv",
  "lib64/x",
];
const OPEN = ["python/notes.md", "docs/notes.md", "notes.md", "lib/notes.md", "srv/notes.md"];

interface Way {
  readonly server: (home: string) => JsonObject;
  /** Makes the disk. */
  readonly prepare?: (home: string) => Promise<unknown>;
  readonly path?: (home: string) => string;
}

const python = (home: string) => `${home}/python/bin/python3`;
const server = (command: string, args: readonly string[], env: JsonObject = {}) => {
  return { command, args: [...args], env };
};

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text, { mode: 0o755 });
}

async function link(target: string, path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.symlink(target, path);
}

const WAYS: Readonly<Record<string, Way>> = {
  "the command": { server: (home) => server(python(home), ["-m", "srv"]) },
  "env": { server: (home) => server("env", ["FOO=1", python(home), `${home}/srv/s.py`]) },
  "env -S": { server: (home) => server("env", ["-S", `FOO=1 ${python(home)} -m srv`]) },
  "timeout": { server: (home) => server("timeout", ["900", python(home), "-m", "srv"]) },
  "~ in a word": { server: () => server("nice", ["~/python/bin/python3", "-m", "srv"]) },
  "a folder elsewhere": {
    server: (home) => ({ ...server("env", ["../python/bin/python3", "s.py"]), cwd: `${home}/srv` }),
  },
  "uvx --python": { server: (home) => server("uvx", ["--python", python(home), "pkg"]) },
  "uvx --python=": { server: (home) => server("uvx", [`--python=${python(home)}`, "pkg"]) },
  "pipx run": { server: (home) => server("pipx", ["run", "--python", python(home), "pkg"]) },
  "uv run": {
    server: (home) => server("uv", ["run", "--python", python(home), "--with", "pkg", "pkg"]),
  },
  "UV_PYTHON": { server: (home) => server("uvx", ["pkg"], { UV_PYTHON: python(home) }) },
  "a variable of no known name": {
    server: (home) => server("/bin/true", ["pkg"], { RUN_WITH: python(home) }),
  },
  "a proxy": { server: (home) => server("mcp-proxy", ["--", python(home), "-m", "srv"]) },
  "a text": {
    server: (home) => server("npx", ["-y", "supergateway", "--stdio", `${python(home)} -m srv`]),
  },
  "a text of a shell": { server: (home) => server("bash", ["-c", `exec ${python(home)} -m srv`]) },
  "the first line of a script": {
    server: (home) => server(`${home}/srv/tool`, []),
    prepare: (home) => write(`${home}/srv/tool`, `#!${python(home)} -I\n`),
  },
  "the first line of a script with an ending, behind a program": {
    server: (home) => server("env", ["A=1", `${home}/srv/tool.py`]),
    prepare: (home) => write(`${home}/srv/tool.py`, `#!/usr/bin/env -S ${python(home)} -I\n`),
  },
  "the first lines of a script on PATH": {
    server: () => server("env", ["A=1", "tool"]),
    prepare: (home) =>
      write(`${home}/../bin/tool`, `#!/bin/sh\n'''exec' "${python(home)}" "$0" "$@"\n' '''\n`),
    path: (home) => join(home, "../bin"),
  },
  "a link": {
    server: (home) => server("env", ["A=1", `${home}/srv/py/python3`, "-m", "srv"]),
    prepare: (home) => link(python(home), `${home}/srv/py/python3`),
  },
  "a link with another name": {
    server: (home) => server("env", ["A=1", `${home}/srv/py/start`, "-m", "srv"]),
    prepare: (home) => link(python(home), `${home}/srv/py/start`),
  },
  "a link on PATH": {
    server: () => server("env", ["A=1", "python3", "-m", "srv"]),
    prepare: (home) => link(python(home), `${home}/../bin/python3`),
    path: (home) => join(home, "../bin"),
  },
  "a link on PATH, in the first line of a script": {
    server: (home) => server(`${home}/srv/tool`, []),
    prepare: async (home) => {
      await link(python(home), `${home}/../bin/python3`);
      await write(`${home}/srv/tool`, "#!/usr/bin/env python3\n");
    },
    path: (home) => join(home, "../bin"),
  },
  "a virtual environment with links": {
    server: (home) => server(`${home}/srv/.venv/bin/python`, ["-m", "srv"]),
    prepare: (home) => link(python(home), `${home}/srv/.venv/bin/python`),
  },
  "a virtual environment with copies": {
    server: (home) => server("env", ["A=1", `${home}/srv/venv/bin/python`, "-m", "srv"]),
    prepare: async (home) => {
      await write(`${home}/srv/venv/bin/python`, PROGRAM);
      await write(`${home}/srv/venv/pyvenv.cfg`, `Home =  ${home}/python/bin\nversion = 3.11\n`);
    },
  },
  "a virtual environment that no word names": {
    server: () => server("/bin/true", []),
    prepare: (home) => write(`${home}/w/e/pyvenv.cfg`, `home = ${home}/python/bin\n`),
  },
  "a virtual environment in a folder that programs may not use": {
    server: (home) => server(`${home}/../e/bin/tool`, []),
    prepare: async (home) => {
      await write(`${home}/../e/bin/tool`, `#!${home}/../e/bin/python\n`);
      await write(`${home}/../e/bin/python`, PROGRAM);
      await write(`${home}/../e/pyvenv.cfg`, `home = /nowhere\nexecutable = ${python(home)}\n`);
    },
  },
};

for (const [name, way] of Object.entries(WAYS)) {
  Deno.test(`what lies around an interpreter is closed, by way of ${name}`, () =>
    withProject({
      files: { "~/python/bin/python3": PROGRAM, "~/srv/s.py": "" },
      trusted: false,
      variables: (home) => ({ PATH: way.path?.(home) ?? "/usr/bin" }),
      async prepare({ home }) {
        await way.prepare?.(home);
        const servers = { mine: way.server(home) };
        const config = dump({ servers, packs: { file: { allowed: ["~", "."] } } });
        await write(join(home, ".onetool/onetool.yaml"), config);
      },
    }, async ({ home, call, refused }) => {
      for (const path of AROUND) {
        await refused("file.write", { path: join(home, "python", path), text: "x" });
      }
      for (const path of OPEN) await call("file.write", { path: join(home, path), text: "x" });
    }));
}
