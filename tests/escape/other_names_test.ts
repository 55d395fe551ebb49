/** A program changes what a server loads that names it in another way: an interpreter by its second name,
 * a list of packages behind a variable, data that is run, a folder of modules. */

import { join } from "node:path";
import { withProject } from "../support/project.ts";
import { type Case, testCases } from "./server_cases.ts";

type Row = readonly [line: string, closed: string, files?: Readonly<Record<string, string>>];

/** A case of a command; `▁` stands for a blank in a word. */
function caseOf([line, closed, files = {}]: Row): readonly [string, Case] {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("▁", " "));
  const server = { command, args, cwd: "." };
  return [line, {
    server,
    files: { "a.md": "", ...files },
    closed: closed.split(" "),
    open: ["b.md"],
  }];
}

/** Interpreters by second names, with a script that is there, or is not yet. */
const SECOND_NAMES: readonly Row[] = [
  ...[
    ["nodejs", "lib/x.js"],
    ["node20", "lib/x.js"],
    ["NODE.EXE", "lib/x.js"],
    ["electron", "lib/x.js"],
    ["perl5.36.0", "lib/X.pm"],
    ["perl5.36-x86_64-linux-gnu", "lib/X.pm"],
    ["ruby3.1", "lib/a.rb"],
    ["lua5.4", "lib/a.lua"],
    ["luajit", "lib/a.lua"],
    ["luajit-2.1.0-beta3", "lib/a.lua"],
    ["php8.2", "app/A.php"],
    ["php-cgi8.2", "app/A.php"],
    ["python3.13t", "bin/lib.py"],
    ["pypy3.10", "bin/lib.py"],
    ["tcsh", "tools/run lib/x.js lib/a.txt"],
    ["mksh", "tools/run lib/x.js lib/a.txt"],
    ["pwsh-preview", "tools/run lib/x.psd1"],
    ["pwsh", "tools/run lib/x.psd1"],
  ].flatMap(([program, closed]): Row[] => [
    [`${program} bin/mcp`, `bin/mcp ${closed}`, { "bin/mcp": "" }],
    [`env A=1 ${program} bin/mcp`, `bin/mcp ${closed}`, { "bin/mcp": "" }],
    [`/usr/bin/${program} bin/late`, "bin/late bin/late/a.txt"],
  ]),
  ["bin/mcp", "lib/X.pm", { "bin/mcp": "#!/usr/bin/perl5.36.0 -w\n" }],
  ["bin/mcp", "lib/x.js", { "bin/mcp": "#!/usr/bin/env -S A=1 nodejs --no-warnings\n" }],
  ["bin/mcp", "lib/x.js", { "bin/mcp": "#!/usr/bin/env -Snodejs --no-warnings\n" }],
  ["csh start.csh", "start.csh tools/run lib/x.py lib/a.txt", { "start.csh": "" }],
  ["npx -y tsx@4.19.0 src/late", "src/late src/late/index.ts src/lib.ts"],
  ["uvx python@3.12 bin/late", "bin/late bin/late/__main__.py"],
  ["nodejs -e require('./lib/server').run()", "lib/util.js", { "lib/server.js": "" }],
  ["composer run mcp", "composer.json bin/server src/A.php reqs/a.txt", { "composer.json": "{}" }],
  ["php composer.phar run mcp", "bin/server src/A.php", { "composer.json": "{}" }],
  ["go1.22.1 run .", "main.go deep/x.go go.mod"],
  ["make-4.3 serve", "Makefile deep/rules.mk"],
];

/** Folders behind `-I`, with a file of data alone. */
const INCLUDED: readonly Row[] = [
  ["perl -Ilib /abs/x.pl", "lib/A.pm lib/Deep/A.pm"],
  ["perl5.36.0 -w -Ilib /abs/x.pl", "lib/A.pm lib/Deep/A.pm"],
  ["ruby -Ilib:more /abs/x.rb", "lib/a.rb more/a.rb"],
  ["ruby -I lib /abs/x.rb", "lib/a.rb"],
  ["sh -c exec▁perl▁-Ilib▁/abs/x.pl", "lib/A.pm"],
  ["env PERL5OPT=-Ilib perl /abs/x.pl", "lib/A.pm"],
].map(([line = "", closed = ""]) => [line, closed, { "lib/a.md": "", "more/a.md": "" }]);

const STARTER = { "bin/start.py": "run([pip, '-r', root / 'requirements/prod.txt'])" };
/** Lists in a folder that says what they are, where a script of any language installs from them. */
const NAMED_LISTS: readonly Row[] = [
  ["python3 bin/start.py", "requirements/prod.txt requirements/new.in", {
    ...STARTER,
    "requirements/prod.txt": "",
  }],
  ["node bin/start.js", "requirements/prod.txt constraints/a.txt", { "bin/start.js": "" }],
  ["./bin/mcp", "deploy/reqs/linux/prod.txt REQS/a.in", { "bin/mcp": "#!/usr/bin/ruby\n" }],
  ["perl bin/start.pl", "deps/a.txt deploy/base-requirements/x.in", { "bin/start.pl": "" }],
  ["python3 /abs/start.py", "py_requirements.d/a.txt", {}],
];

const PIP = "pip install -r";
const LIST = { "requirements/prod.txt": "" };

/** Lists of packages that a script, a task or a manager of projects finds by itself. */
const LISTS: readonly Row[] = [
  ["./run.sh", "requirements/prod.txt", {
    ...LIST,
    "run.sh": `#!/bin/sh\n${PIP} "$R/requirements/prod.txt"`,
  }],
  ["./run.sh", "requirements/prod.txt", {
    ...LIST,
    "run.sh": `#!/bin/sh\n${PIP} \${R:-.}/requirements/prod.txt`,
  }],
  ["./run.sh", "reqs/prod.txt reqs/new.in", { "run.sh": `#!/bin/sh\n${PIP} ./reqs/$ENV.txt` }],
  ["bash run.sh", "conf/env.txt", {
    "run.sh": '. "$(dirname "$0")/conf/env.txt"',
    "conf/env.txt": "",
  }],
  ["make serve", "requirements/prod.txt", {
    ...LIST,
    "Makefile": `serve:\n\t${PIP} $(CURDIR)/requirements/prod.txt`,
  }],
  ["npm start", "srv/reqs/b.txt", {
    "package.json": `{"scripts":{"start":"cd srv && ${PIP} reqs/b.txt"}}`,
  }],
  ["uv run server.py", "deps/main.txt", { "server.py": "", "deps/main.txt": "" }],
  [
    `sh -c ${PIP.replaceAll(" ", "▁")}▁"$R/requirements/prod.txt"▁&&▁exec▁x`,
    "requirements/prod.txt",
    LIST,
  ],
  ["python3 -m pip install -r $R/requirements/prod.txt", "requirements/prod.txt", LIST],
  ["pip3.12 install ./pkg", "requirements/prod.txt", LIST],
];

/** Data that an interpreter, or the system, runs. */
const RUN_DATA: readonly Row[] = [
  ...[
    "env A=1 bash start.txt",
    "timeout 9 bash start.txt",
    "timeout 9 bash -o pipefail start.txt",
    "sh -c bash▁<▁start.txt",
    "sh -c bash▁<start.txt",
    "sh -c cat▁start.txt▁|▁bash",
    'sh -c eval▁"$(cat▁start.txt)"',
    'sh -c bash▁"$ROOT/start.txt"',
    "sh -c timeout▁9▁.▁./start.txt",
    'sh -c exec▁"$0"▁"$@" nodejs start.txt',
    "nice -n 5 python3 start.txt",
    "nice -n 5 nodejs start.txt",
    "uv run python start.txt",
    "sh -c cd▁.▁&&▁exec▁bash▁start.txt",
    "gawk -f start.txt",
    "npx -y tsx start.txt",
    "npx -y -p tsx tsx start.txt",
    "java @start.txt",
    "env A=1 java @start.txt",
  ].map((line): Row => [line, "start.txt", { "start.txt": "" }]),
  ["sh -c cd▁srv▁&&▁exec▁bash▁start.txt", "srv/start.txt", { "srv/start.txt": "" }],
  ["timeout 9 ./start.txt", "start.txt", { "start.txt": "#!/bin/sh\n" }],
  ["doas -u x ./start.txt", "start.txt", { "start.txt": "#!/bin/sh\n" }],
  ["sh -c exec▁./start.txt", "start.txt", { "start.txt": "#!/bin/sh\n" }],
];

testCases(
  Object.fromEntries(
    [...SECOND_NAMES, ...INCLUDED, ...NAMED_LISTS, ...LISTS, ...RUN_DATA].map((row, at) => {
      const [name, one] = caseOf(row);
      return [`by another name, ${name} (${at})`, one];
    }),
  ),
);

/** Packages of the project that a command fetches, with folders that hold data alone. */
for (
  const line of [
    "uvx --from ./pkg tool",
    "uvx --from=./pkg tool",
    "uvx --from ./pkg[cli] tool",
    "uvx --from PROJECT/pkg tool",
    "uvx --from file://PROJECT/pkg tool",
    "uvx --with ./other,./pkg tool",
    "uvx -w ./pkg tool",
    "uvx --with-editable ./pkg tool",
    "uvx --python 3.12 ./pkg",
    "uv tool run --from ./pkg tool",
    "pipx run --spec ./pkg tool",
    "npx -y ./pkg",
    "npx -y PROJECT/pkg",
    "npx -y --package ./pkg tool",
    "npx -y -p file:./pkg tool",
    "pnpm dlx --package=./pkg tool",
    "env A=1 uvx --from ./pkg tool",
    "sh -c exec▁uvx▁--from▁./pkg▁tool",
  ]
) {
  Deno.test(`the folder of a fetched package is closed without a manifest: ${line}`, () => {
    const server = caseOf([line, ""])[1].server;
    return withProject({
      config: { servers: { mine: server } },
      files: { "pkg/a.md": "", "data/a.md": "" },
      async prepare({ project }) {
        const path = join(project, ".onetool/onetool.yaml");
        const text = await Deno.readTextFile(path);
        await Deno.writeTextFile(path, text.replaceAll("PROJECT", project));
      },
    }, async ({ call, refused }) => {
      for (
        const path of ["pkg/b.py", "pkg/pyproject.toml", "pkg/package.json", "pkg/any", "pkg/a.md"]
      ) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      await refused("file.delete", { path: "pkg", recursive: true });
      await call("file.write", { path: "data/b.py", text: "x" });
    });
  });
}

Deno.test("a program deletes and moves no folder that a server's words name", async (t) => {
  const rows = [
    ["python3 /abs/x.py", { PYTHONPATH: "../vendor" }],
    ["python3 /abs/x.py", { PYTHONPATH: "/abs:../vendor" }],
    ["node /abs/x.js", { NODE_PATH: "../vendor" }],
    ["node /abs/x.js", { NODE_OPTIONS: "--require=../vendor" }],
    ["perl /abs/x.pl", { PERL5OPT: "-I../vendor" }],
    ["perl -I../vendor /abs/x.pl", {}],
    ["java -cp ../vendor Main", {}],
    ["uvicorn --app-dir ../vendor main:app", {}],
    ["x /abs", { PATH: "../vendor:/usr/bin" }],
  ] as const;
  for (const [line, env] of rows) {
    await t.step(`${line} ${JSON.stringify(env)}`, () => {
      const [command = "", ...args] = line.split(" ");
      return withProject({
        config: { servers: { mine: { command, args, env, cwd: "run" } } },
        files: { "run/a.md": "", "vendor/a.md": "", "other/a.md": "" },
      }, async ({ call, refused }) => {
        await refused("file.delete", { path: "vendor", recursive: true });
        await refused("file.move", { from: "vendor", to: "away" });
        await call("file.delete", { path: "other", recursive: true });
      });
    });
  }
});

Deno.test("the rules follow a folder that a program deleted or moved", async (t) => {
  const mine = { command: "npx", args: ["-y", "some-server", "a/b"], cwd: "." };
  const calls = {
    "file.delete": { path: "a/b", recursive: true },
    "file.move": { from: "a/b", to: "moved" },
  };
  for (const [tool, args] of Object.entries(calls)) {
    await t.step(tool, () =>
      withProject(
        { config: { servers: { mine } }, files: { "a/b/a.md": "" } },
        async ({ call, refused }) => {
          await call(tool, args);
          await refused("file.write", { path: "a/b", text: "x" });
        },
      ));
  }
});

testCases({
  "lists of packages beside the folder that it starts in": {
    server: { command: "python3", args: ["../bin/start.py"], cwd: "srv" },
    files: STARTER,
    closed: ["deploy/requirements/prod.txt", "deploy/requirements-dev.txt", "reqs/a.in"],
    open: ["requirements/readme.md", "deploy/notes.txt", "requests/a.txt", "deps/a.c"],
  },
});
