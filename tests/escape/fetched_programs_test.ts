/** A program changes what a server loads that a fetched program starts: `npx cross-env A=1 node .`. */

import { testCases } from "./server_cases.ts";

const FILES = {
  "dist/package.json": "{}",
  "dist/index.js": "",
  "app/__main__.py": "",
  "srv/main.py": "",
  "srv/Makefile": "serve:\n\tsh tools/run\n",
  "srv/tools/run": "",
  "start.txt": "",
  "notes.md": "",
};

/** What programs behind a fetched one load, without a folder of the server's own. */
const APART: Readonly<Record<string, string>> = {
  "npx -y cross-env A=1 node ./dist": "dist/index.js dist/lib.js lib/x.js",
  "npx -y cross-env A=1 node ./built": "built/index.js built/deep/lib.js",
  "npx -y cross-env A=1 python3 ./app": "app/__main__.py app/lib.py",
  "npx -y cross-env A=1 bash ./start.txt": "start.txt",
  "npx -y cross-env A=1 make -C ./srv serve": "srv/Makefile srv/tools/run srv/tools/x.txt",
  "npx -y cross-env A=1 make -C . serve": "Makefile tools/run srv/tools/run srv/x.txt",
  "npx -y mcpmon ./dist": "dist/index.js dist/lib.js",
  "npx -y mcpmon -- node ./dist": "dist/index.js dist/lib.js",
  "npx -y mcpmon --port 1 npm --prefix ./srv start": "srv/package.json srv/tools/run",
  "npx -y nodemon ./dist": "dist/index.js dist/package.json dist/lib.js",
  "npx -y tool --stdio make▁-C▁./srv▁serve": "srv/Makefile srv/tools/run",
  "npx -y tool --stdio cd▁./srv▁&&▁make▁serve": "srv/Makefile srv/tools/run",
  "npx -y tool --stdio=cd▁./srv▁&&▁make▁serve": "srv/Makefile srv/tools/run",
  'npx -y tool --command ["node","./dist"]': "dist/index.js dist/lib.js",
  "npx -y tool --command=node ./dist": "dist/index.js dist/lib.js",
  "npx -y tool --stdio npx▁-y▁cross-env▁A=1▁node▁./dist": "dist/index.js dist/lib.js",
  "npx -y tool -p make -C ./srv serve": "srv/Makefile srv/tools/run",
  "npx --verbose cross-env A=1 /usr/bin/node ./dist": "dist/index.js dist/lib.js",
  "npx -y cross-env A=1 npx -y dotenv-cli node ./dist": "dist/index.js dist/lib.js",
  "npx -y cross-env A=1 docker compose -f ./srv/c.yaml up": "srv/c.yaml",
  "npx -y cross-env A=1 uvx uvicorn --app-dir ./srv main:app": "srv/main.py srv/lib.py",
  "npx -y -p cross-env -c cross-env▁A=1▁node▁./dist": "dist/index.js dist/lib.js",
  "yarn dlx mcpmon node ./dist": "dist/index.js dist/lib.js",
  "pipx run mcp-proxy python ./app": "app/__main__.py app/lib.py",
  "uvx mcp-proxy -- uv run --project ./srv python -m main": "srv/main.py srv/pyproject.toml",
  "uvx mcp-proxy --port 1 -- uv --directory=./srv run main": "srv/main.py srv/pyproject.toml",
  "uvx --from uvicorn[standard] uvicorn --app-dir ./srv main:app": "srv/main.py srv/lib.py",
  "uvx gunicorn --chdir=./srv main:app": "srv/main.py srv/lib.py",
  "uvx some-asgi --app-dir ./srv main:app": "srv/main.py srv/lib.py",
  "sh -c uvx▁--no-index▁--find-links▁dist▁some-server": "dist/x.whl dist/index.html",
  "npx --cache=./cache -y some-server": "cache/_npx/a/node_modules/b/index.js",
};

/** The same where the server starts in the project. */
const THERE: Readonly<Record<string, string>> = {
  "npx -y cross-env A=1 npm start": "app/main.py tools/x.txt package.json",
  "npx -y dotenv-cli -- make": "Makefile tools/run",
  "npx -y dotenv-cli -- node .": "package.json src/x.js",
  "npx -y dotenv-cli -- python -m srv": "srv/__main__.py srv/lib.py lib.py",
  "npx -y dotenv-cli -- uvicorn srv.main:app": "srv/main.py lib.py",
  "npx -y concurrently make▁serve": "Makefile tools/run",
  "npx -y nodemon": "src/x.js tools/run",
  "deno run -A npm:cross-env A=1 node ./dist": "dist/index.js dist/lib.js lib/x.js",
  "npx -y nx serve mcp": "project.json apps/mcp/project.json",
  "npx -y nest start": "src/main.ts",
  "npx -y cross-env A=1 go run .": "main.go",
  "npx -y tool --stdio make": "Makefile tools/run",
  "uvx invoke serve": "tasks.py lib/x.py",
  "uvx nox -s serve": "noxfile.py",
  "uvx --from poethepoet poe serve": "pyproject.toml poe_tasks.toml srv/lib.py",
  "uvx --find-links dist some-server": "dist/x.whl dist/x.tar.gz dist/a.csv",
  "uvx --find-links=dist some-server": "dist/x.whl",
  "uvx -fdist some-server": "dist/x.whl",
  "uvx --index dist --python 3.12 some-server": "dist/x.whl",
  "uv tool run --find-links dist some-server": "dist/x.whl",
  "uv --cache-dir dist tool run some-server": "dist/archive-v0/a/b.py",
  "pipx run --pip-args=--find-links▁dist some-server": "dist/x.whl",
  "npx --cache dist -y some-server": "dist/_npx/a/node_modules/b/index.js",
  "npx --cache=missing -y some-server": "missing/_npx/a/package.json",
  "pnpm dlx --store-dir dist some-server": "dist/v10/files/00/a",
  "deno run -A --vendor https://example.com/server.ts": "vendor/example.com/server.ts lib/x.ts",
  "deno run --config=deno.json https://example.com/server.ts": "deno.json lib/x.ts",
  "deno run --import-map maps/a.json jsr:@a/server": "maps/a.json lib/x.ts",
  "npx -y @eslint/mcp": "eslint.config.js prisma.config.ts config/default.js",
  "uvx some-server": "conftest.py jupyter_server_config.json",
};

/** Commands whose words are data. */
const DATA = [
  "npx -y @modelcontextprotocol/server-filesystem ./docs",
  "npx -y @modelcontextprotocol/server-filesystem ./docs ./python ./go .",
  "npx some-server --db ./notes.db --out out.json",
  "npx -y docs-mcp@1 python --language go",
  "npx -y docs-mcp --languages python,go,node --text how▁to▁use▁node",
  "npx -y tool -- docker run -v ./docs:/data node serve",
  "npx -y supergateway --stdio npx▁-y▁@modelcontextprotocol/server-filesystem▁./docs",
  "uvx --python python3.12 some-server --path ./docs",
  "uvx -p python3.12 some-server .",
  "uvx --with docs --from docs some-server --find-links docs",
  "deno run -A --quiet --config=/srv/deno.json https://example.com/server.ts ./docs",
  "npx -y mcp-remote https://example.com/sse --header A:b",
  "deno run -A --no-config --unstable-kv https://example.com/server.ts ./docs",
];

function casesOf(rows: Readonly<Record<string, string>>, more: { readonly cwd?: string }) {
  return Object.fromEntries(
    Object.entries(rows).map(([line, closed]) => [
      `behind a fetched program${more.cwd ? ", there" : ""}, ${line}`,
      {
        server: { ...serverOf(line), ...more },
        files: FILES,
        closed: closed.split(" "),
        open: ["docs/new.md", "notes.md"],
      },
    ]),
  );
}

function serverOf(line: string) {
  const [command = "", ...args] = line.split(" ").map((word) => word.replaceAll("▁", " "));
  return { command, args };
}

testCases({
  ...casesOf(APART, {}),
  ...casesOf(THERE, { cwd: "." }),
  ...Object.fromEntries(
    DATA.flatMap((line) =>
      [{}, { cwd: "." }].map((more) => [
        `data of a fetched program, ${line}, ${JSON.stringify(more)}`,
        {
          server: { ...serverOf(line), ...more },
          files: {
            "docs/a.js": "",
            "docs/b.py": "",
            "docs/run": "",
            "go/a.go": "",
            "python/a.py": "",
            "notes.db": "",
          },
          closed: [".mcp.json"],
          open: [
            "docs/a.js",
            "docs/b.py",
            "docs/run",
            "docs/new.go",
            "go/a.go",
            "python/a.py",
            "notes.db",
            "src/x.js",
            "lib/y.py",
          ],
        },
      ])
    ),
  ),
  "written by a fetched program": {
    server: { command: "npx", args: ["some-server", "--db", "./notes.db", "--out", "out/a.csv"] },
    files: { "notes.db": "" },
    closed: [".mcp.json"],
    open: ["notes.db", "out/a.csv"],
  },
});
