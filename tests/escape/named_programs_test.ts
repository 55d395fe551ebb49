/** A program changes what a server runs in the project through a script elsewhere, which is named by
 * its path or without one: on `PATH`, behind shims, among npm's global packages. */

import { dirname, join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

type Env = Readonly<Record<string, string>>;

interface Named {
  /** Words of the command; `~` is the home folder, `^` the project. */
  readonly words: readonly string[];
  readonly env?: Env;
  /** Files of the home folder; programs among them may be executed. */
  readonly files?: Readonly<Record<string, string>>;
  /** Links of the home folder. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folders of `PATH` in the home folder (`bin`). */
  readonly path?: readonly string[];
  readonly closed?: readonly string[];
  readonly open?: readonly string[];
}

const JAVASCRIPT = ["dist/index.js", "dist/util.js", "dist/new.js"];
const MODULES = ["src/srv/util.py", "src/srv/new.py"];
const PYTHON = [...MODULES, "pyproject.toml"];
const OPEN = ["docs/notes.md", "data.csv"];
const ALL = ["dist/util.js", "dist/new.js", ...MODULES, ...OPEN, "tools/run.sh"];

const WRAPPER = { "bin/my-mcp": '#!/bin/sh\nexec node ^/dist/index.js "$@"\n' };
const EDITABLE = '{"url":"file://^","dir_info":{"editable":true}}';
const VENV = environment("venv");
const PYENV = {
  ...environment(".pyenv/versions/3.12.1"),
  ".pyenv/shims/srv": '#!/usr/bin/env bash\nexec "~/.pyenv/libexec/pyenv" exec srv "$@"\n',
  ".pyenv/shims/python3": '#!/usr/bin/env bash\nexec "~/.pyenv/libexec/pyenv" exec python3 "$@"\n',
};
const HEADER = [
  "# /// script",
  '# dependencies = ["my-server"]',
  "# [tool.uv.sources]",
  '# my-server = { path = "^", editable = true }',
  "# ///",
  "import my_server\n",
].join("\n");

/** An environment of Python that loads the project. */
function environment(folder: string): Env {
  return {
    [`${folder}/bin/srv`]: `#!~/${folder}/bin/python3\n`,
    [`${folder}/bin/python3`]: "#!/bin/false\n",
    [`${folder}/bin/activate`]: "PATH=x:$PATH\n",
    [`${folder}/lib/python3.12/site-packages/srv-1.dist-info/direct_url.json`]: EDITABLE,
  };
}

function testNamed(name: string, named: Named): void {
  const { words, env = {}, files = {}, links = {}, path = ["bin"], open = OPEN } = named;
  for (const place of ["home", "project"]) {
    Deno.test(`a script elsewhere, ${name}, of the ${place}'s configuration`, () =>
      withProject({
        files: { "package.json": "{}", "dist/util.js": "", "src/srv/util.py": "" },
        variables: (home) => ({
          PATH: [...path.map((one) => join(home, one)), "/usr/bin", "/bin"].join(":"),
        }),
        async prepare({ home, project }) {
          const fill = (text: string) => text.replaceAll("~/", `${home}/`).replaceAll("^", project);
          const [command, ...args] = words.map(fill);
          const values = Object.entries(env).map(([key, value]) => [key, fill(value)]);
          const server = { command, args, env: Object.fromEntries(values) } as JsonObject;
          const config = JSON.stringify({ servers: { mine: server } });
          const folder = place === "home" ? home : project;
          await write(join(folder, ".onetool/onetool.yaml"), config);
          await write(join(project, "dist/index.js"), "#!/usr/bin/env node\n");
          await write(join(project, "out/native"), "\x7fELF");
          for (const [file, text] of Object.entries(files)) {
            await write(join(home, file), fill(text));
          }
          for (const [link, target] of Object.entries(links)) {
            await Deno.mkdir(dirname(join(home, link)), { recursive: true });
            await Deno.symlink(fill(target), join(home, link));
          }
        },
      }, async ({ call, refused }) => {
        for (const path of named.closed ?? JAVASCRIPT) {
          await refused("file.write", { path, text: "x", overwrite: true });
        }
        for (const path of open) {
          await call("file.write", { path, text: "x", overwrite: true, dry_run: true });
        }
      }));
  }
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text, { mode: /^(?:#!|\x7f)/.test(text) ? 0o755 : 0o644 });
}

/** Tests the words with a program by its name, and by its path. */
function testBoth(name: string, { words, path = ["bin"], ...more }: Named): void {
  const program = join("~", path[0] ?? "", "my-mcp");
  const byPath = words.map((word) => word.replaceAll("my-mcp", program));
  testNamed(`${name}, by its name`, { words, path, ...more });
  testNamed(`${name}, by its path`, { words: byPath, path: ["none"], ...more });
}

testBoth("a wrapper", { words: ["my-mcp"], files: WRAPPER });
testBoth("a wrapper with arguments", { words: ["my-mcp", "--stdio"], files: WRAPPER });
testBoth("behind timeout", { words: ["timeout", "900", "my-mcp"], files: WRAPPER });
testBoth("behind env and nice", { words: ["env", "A=1", "nice", "my-mcp"], files: WRAPPER });
testBoth("in a text of a shell", { words: ["sh", "-c", "exec my-mcp"], files: WRAPPER });
testBoth("in a text of two commands", {
  words: ["bash", "-c", "cd /usr && my-mcp --stdio"],
  files: WRAPPER,
});
testBoth("behind a package", {
  words: ["npx", "-y", "supergateway", "--stdio", "my-mcp"],
  files: WRAPPER,
});
testBoth("as an option's value", {
  words: ["npx", "-y", "supergateway", "--stdio=my-mcp"],
  files: WRAPPER,
});
testBoth("of deno install", {
  words: ["my-mcp"],
  files: {
    "bin/my-mcp":
      "#!/bin/sh\nexec deno run --allow-all --no-config 'file://^/dist/index.js' \"$@\"\n",
  },
});
testBoth("of pnpm link", {
  words: ["my-mcp"],
  files: {
    "bin/my-mcp":
      '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/global/5/node_modules/my-mcp/dist/index.js"\n',
  },
  links: { "bin/global/5/node_modules/my-mcp": "^" },
});
testBoth("a link to a wrapper", {
  words: ["my-mcp"],
  files: { "tools/start": WRAPPER["bin/my-mcp"] },
  links: { "bin/my-mcp": "~/tools/start" },
});
testBoth("a link into the project", {
  words: ["timeout", "9", "my-mcp"],
  links: { "bin/my-mcp": "^/dist/index.js" },
});
testBoth("a link to a native program of the project", {
  words: ["timeout", "9", "my-mcp"],
  links: { "bin/my-mcp": "^/out/native" },
  closed: ["out/native"],
});
testBoth("a wrapper of an environment", {
  words: ["my-mcp"],
  files: { ...VENV, "bin/my-mcp": "#!/bin/sh\nexec ~/venv/bin/srv\n" },
  closed: PYTHON,
});
testBoth("a wrapper that activates an environment", {
  words: ["my-mcp"],
  files: { ...VENV, "bin/my-mcp": '#!/bin/bash\nsource "$HOME/venv/bin/activate"\nexec srv\n' },
  closed: PYTHON,
});

const TWO = { ...WRAPPER, "bin/other": "#!/bin/sh\n# comment\nexec my-mcp\n" };
testNamed("a wrapper that calls another by its name", { words: ["other"], files: TWO });
testNamed("the same by its path", { words: ["~/bin/other"], files: TWO });
testNamed("a name in a first line", {
  words: ["~/tools/tool"],
  files: { ...WRAPPER, "tools/tool": "#!/usr/bin/env -S timeout 9 my-mcp\n" },
});
testNamed("a wrapper that has the name of another program", {
  words: ["timeout", "9", "npx"],
  files: { "bin/npx": WRAPPER["bin/my-mcp"] },
});
testNamed("a PATH of the server's own", {
  words: ["my-mcp"],
  env: { PATH: "~/bin:/usr/bin" },
  files: WRAPPER,
  path: ["none"],
});
testNamed("a PATH among the words", {
  words: ["env", "PATH=~/bin:/usr/bin", "my-mcp"],
  files: WRAPPER,
  path: ["none"],
});
testNamed("a wrapper that names an interpreter of an environment on PATH", {
  words: ["my-mcp"],
  files: { ...VENV, "bin/my-mcp": "#!/bin/sh\nexec python3 -m srv\n" },
  path: ["bin", "venv/bin"],
  closed: PYTHON,
});

for (
  const words of [["srv"], ["~/.pyenv/shims/srv"], ["python3", "-m", "srv"], [
    "timeout",
    "9",
    "srv",
  ]]
) {
  testNamed(`a shim, ${words.join(" ")}`, {
    words,
    files: PYENV,
    path: [".pyenv/shims"],
    closed: PYTHON,
  });
}
testNamed("a shim of another manager", {
  words: ["srv"],
  files: {
    ...environment("mise/installs/python/3.12"),
    "bin/mise": "#!/bin/false\n",
  },
  links: { "mise/shims/srv": "~/bin/mise" },
  path: ["mise/shims"],
  closed: PYTHON,
});
for (
  const words of [["~/tools/srv.py"], ["python3", "~/tools/srv.py"], [
    "timeout",
    "9",
    "~/tools/srv.py",
  ]]
) {
  testNamed(`an interpreter by its name, ${words.join(" ")}`, {
    words,
    files: { ...VENV, "tools/srv.py": "#!/usr/bin/env python3\nimport srv\n" },
    path: ["venv/bin"],
    closed: PYTHON,
  });
}

const CONDA = { ...environment("miniconda3/envs/mcp"), "miniconda3/bin/conda": "#!/bin/sh\n" };
for (
  const words of [
    ["conda", "run", "-n", "mcp", "--no-capture-output", "srv"],
    ["conda", "run", "--name=mcp", "python", "-m", "srv"],
    ["micromamba", "run", "-n", "mcp", "srv"],
    ["~/miniconda3/bin/conda", "run", "-n", "mcp", "python3", "-m", "srv"],
    ["conda", "run", "-p", "~/miniconda3/envs/mcp", "srv"],
    ["bash", "-c", "conda activate mcp && exec srv"],
  ]
) {
  testNamed(words.join(" "), { words, files: CONDA, path: ["miniconda3/bin"], closed: PYTHON });
}
testNamed("an environment of conda in a folder of a variable", {
  words: ["conda", "run", "-n", "mcp", "srv"],
  env: { CONDA_ENVS_PATH: "~/other" },
  files: environment("other/mcp"),
  closed: PYTHON,
});
testNamed("an environment of conda in its list", {
  words: ["conda", "run", "-n", "mcp", "srv"],
  files: { ...environment("other/mcp"), ".conda/environments.txt": "~/other/mcp\n" },
  closed: PYTHON,
});

for (const words of [["uv", "run", "--script", "~/tools/srv.py"], ["~/tools/srv.py"]]) {
  testNamed(`what a script of uv installs, ${words.join(" ")}`, {
    words,
    files: { "tools/srv.py": `#!/usr/bin/env -S uv run --script\n${HEADER}` },
    closed: PYTHON,
  });
}
testNamed("what a script of uv installs, by its URL", {
  words: ["uv", "run", "~/tools/srv.py"],
  files: { "tools/srv.py": '# /// script\n# dependencies = ["srv @ file://^"]\n# ///\n' },
  closed: PYTHON,
});
testNamed("what uv installs, by an option", {
  words: ["uv", "run", "--no-project", "--with-editable", "^", "python3", "-m", "srv"],
  closed: PYTHON,
});

for (
  const words of [
    ["npx", "-y", "my-mcp"],
    ["npx", "-y", "my-mcp@1"],
    ["npm", "exec", "my-mcp"],
    ["npx", "-y", "@me/my-mcp"],
    ["npx", "-y", "@me/my-mcp@latest"],
    ["npx", "-y", "^"],
  ]
) {
  testNamed(`a linked package, ${words.join(" ")}`, {
    words,
    links: {
      "n/lib/node_modules/my-mcp": "^",
      "n/lib/node_modules/@me/my-mcp": "^",
      "n/bin/my-mcp": "../lib/node_modules/my-mcp/dist/index.js",
    },
    path: ["n/bin"],
  });
}
for (const words of [["other-mcp"], ["~/n/bin/other-mcp"], ["npx", "other-mcp"]]) {
  testNamed(`a global program with a linked package, ${words.join(" ")}`, {
    words,
    files: { "n/lib/node_modules/other-mcp/x.js": "#!/usr/bin/env node\nrequire('my-mcp')\n" },
    links: {
      "n/bin/other-mcp": "../lib/node_modules/other-mcp/x.js",
      "n/lib/node_modules/other-mcp/node_modules/my-mcp": "^",
    },
    path: ["n/bin"],
  });
}

/** Programs that most have on `PATH`, as scripts. */
const USUAL = {
  "bin/uvx":
    '#!/usr/bin/env bash\nprogram="${0##*/}"\nexec "~/.pyenv/libexec/pyenv" exec "$program" "$@"\n',
  "bin/timeout": '#!/bin/sh\nexec /usr/bin/timeout "$@"\n',
  "n/lib/node_modules/npm/bin/npx-cli.js": "#!/usr/bin/env node\nrequire('../lib/cli.js')\n",
  ".pyenv/libexec/pyenv":
    '#!/usr/bin/env bash\nset -e\nexec "${PYENV_ROOT}/run" # build test LICENSE\n',
  ".git/HEAD": "ref: refs/heads/main\n",
};
for (
  const words of [
    ["npx", "-y", "@modelcontextprotocol/server-x"],
    ["npx", "-y", "@modelcontextprotocol/server-filesystem", "docs"],
    ["uvx", "mcp-server-y"],
    ["uvx", "--python", "3.12", "mcp-server-y"],
    ["timeout", "900", "uvx", "mcp-server-y"],
    ["docker", "run", "-i", "some-image"],
    ["node", "/elsewhere/server.js"],
    ["sh", "-c", "exec npx -y some-server"],
  ]
) {
  testNamed(`nothing of the project, ${words.join(" ")}`, {
    words,
    files: USUAL,
    links: { "bin/npx": "../n/lib/node_modules/npm/bin/npx-cli.js" },
    path: ["bin", "n/bin"],
    closed: [".mcp.json"],
    open: words[0] === "node" ? [...MODULES, ...OPEN] : ALL,
  });
}
