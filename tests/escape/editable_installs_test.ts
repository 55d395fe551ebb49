/** A program changes what an environment elsewhere loads from the project: an editable install. */

import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

const PACKAGES = "lib/python3.11/site-packages";
const SCRIPT = "#!/usr/bin/python3\n";

type Texts = (project: string) => Readonly<Record<string, string>>;

function directUrl(value: JsonObject): Texts {
  return () => ({ "my_server-0.1.dist-info/direct_url.json": JSON.stringify(value) });
}

const INSTALLED: Texts = (project) =>
  directUrl({ url: pathToFileURL(project).href, dir_info: { editable: true } })(project);

interface Install {
  readonly server: JsonObject;
  /** Files of `site-packages`, by their names there (those of an editable install). */
  readonly texts?: Texts;
  /** Where `site-packages` is, below the environment. */
  readonly packages?: string;
  /** Links in the home folder, with what they lead to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folder of `PATH` in the home folder. */
  readonly path?: string;
  /** Programs in the home folder, beside those of the environment. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly closed?: readonly string[];
  readonly open?: readonly string[];
}

const CLOSED = ["src/my_server/util.py", "src/my_server/new.py", "pyproject.toml", "setup.cfg"];
const OPEN = ["src/my_server/a.md", "src/page.html", "src/x.js", "data/a.csv"];

function testInstall(name: string, install: Install): void {
  const { server, texts = INSTALLED, packages = PACKAGES, links = {}, path = "bin" } = install;
  const { programs = {}, closed = CLOSED, open = OPEN } = install;
  Deno.test(`an environment elsewhere, ${name}`, () =>
    withProject({
      config: { servers: { mine: { cwd: ".", ...server } } },
      files: { "src/my_server/util.py": "", "pyproject.toml": "" },
      variables: (home) => ({ PATH: `${join(home, path)}:/usr/bin:/bin` }),
      async prepare({ home, project }) {
        const bin = { "venv/bin/my-server": SCRIPT, "venv/bin/activate": "PATH=x:$PATH\n" };
        for (const [name, text] of Object.entries({ ...bin, ...programs })) {
          await write(join(home, name), text.replace("~", home));
        }
        for (const [name, text] of Object.entries(texts(project))) {
          await write(join(home, "venv", packages, name), text);
        }
        for (const [name, target] of Object.entries(links)) {
          await Deno.mkdir(dirname(join(home, name)), { recursive: true });
          await Deno.symlink(join(home, target), join(home, name));
        }
      },
    }, async ({ call, refused }) => {
      for (const path of closed) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      for (const path of open) await call("file.write", { path, text: "x", overwrite: true });
    }));
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
}

const BY_PATH = { command: "../home/venv/bin/my-server" };
const BY_NAME = { command: "my-server" };

testInstall("a program by its path", { server: BY_PATH });
testInstall("a program of PATH", { server: BY_NAME, path: "venv/bin" });
testInstall("a program of the server's own PATH", {
  server: { ...BY_NAME, env: { PATH: "../home/venv/bin" } },
});
testInstall("a link in PATH", {
  server: BY_NAME,
  links: { ".local/bin/my-server": "venv/bin/my-server" },
  path: ".local/bin",
});
testInstall("a link in a folder of any name", {
  server: { command: "../home/my-server" },
  links: { "my-server": "venv/bin/my-server" },
});
testInstall("a copy that names its interpreter", {
  server: BY_NAME,
  programs: { "tools/my-server": "#!~/venv/bin/python3.11\n", "venv/bin/python3.11": "x" },
  path: "tools",
});
testInstall("a copy that a shell starts", {
  server: { command: "../home/my-server" },
  programs: {
    "my-server": "#!/bin/sh\n'''exec' '~/venv/bin/python' \"$0\" \"$@\"\n",
    "venv/bin/python": "x",
  },
});
for (
  const text of [
    "source ~/venv/bin/activate && my-server",
    'source "$HOME/venv/bin/activate"; exec my-server',
    ". ../home/venv/bin/activate\nmy-server",
    "cd ../home && . venv/bin/activate && my-server",
    "exec ~/venv/bin/my-server --stdio",
  ]
) {
  testInstall(`a text of a shell, ${text}`, {
    server: { command: "bash", args: ["-c", text] },
    open: ["src/my_server/a.md", "data/a.csv"],
  });
}
testInstall("the interpreter", {
  server: { command: "../home/venv/bin/python", args: ["-m", "my_server"], cwd: "/usr" },
  programs: { "venv/bin/python": "x" },
});
testInstall("behind other programs", {
  server: { command: "timeout", args: ["9", "my-server"] },
  path: "venv/bin",
});
testInstall("behind a fetched program", {
  server: { command: "npx", args: ["-y", "supergateway", "--stdio", "my-server"] },
  path: "venv/bin",
});
testInstall("behind conda", {
  server: { command: "conda", args: ["run", "-p", "../home/venv", "my-server"] },
});
testInstall("packages of the user", {
  server: { command: "python3", args: ["-m", "my_server"], cwd: "/usr" },
  packages: `../.local/${PACKAGES}`,
  programs: { "bin/python3": "x" },
});
testInstall("packages of a distribution", {
  server: BY_PATH,
  packages: "lib/python3/dist-packages",
});
testInstall("packages of Windows", { server: BY_PATH, packages: "Lib/site-packages" });
testInstall("a line of a file .pth", {
  server: BY_PATH,
  texts: (project) => ({ "__editable__.x.pth": `# a\nimport os\n${project}/src\r\n` }),
});
testInstall("a line of a file .pth that leads from there", {
  server: BY_PATH,
  texts: () => ({ "easy-install.pth": "../../../../../project/src\n" }),
});
testInstall("a part of the project's repository", {
  server: BY_PATH,
  texts: (project) =>
    directUrl({ url: pathToFileURL(dirname(project)).href, dir_info: { editable: true } })(project),
});

for (
  const [name, texts] of Object.entries<Texts>({
    "nothing": () => ({}),
    "a plain install of the project": (project) =>
      directUrl({ url: pathToFileURL(project).href, dir_info: {} })(project),
    "an editable install of something else": (project) => ({
      ...directUrl({ url: "file:///opt/other", dir_info: { editable: true } })(project),
      "other.pth": "/opt/other\nimport sys; sys.path.insert(0, '/x')\n",
    }),
    "files that cannot be read": () => ({
      "a.dist-info/direct_url.json": "{",
      "b.dist-info/direct_url.json": '{"url": 1, "dir_info": {"editable": true}}',
      "c.dist-info/direct_url.json": '{"url": "file://other/x", "dir_info": {"editable": true}}',
      "d.pth": "\0\n",
    }),
  })
) {
  testInstall(`the project stays open: ${name}`, {
    server: BY_PATH,
    texts,
    closed: [".mcp.json"],
    open: [...OPEN, "src/my_server/util.py", "src/my_server/new.py"],
  });
}
testInstall("a program of another language", {
  server: { command: "node", args: ["../home/x.js"] },
  path: "venv/bin",
  programs: { "venv/bin/node": "#!/bin/sh\n", "x.js": "" },
  closed: [".mcp.json"],
  open: [...OPEN.filter((name) => name !== "src/x.js"), "src/my_server/util.py"],
});
