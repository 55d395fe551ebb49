/** A program changes what clients, and Toolscript, start from other folders than the project's own. */

import { match } from "node:assert/strict";
import { join } from "node:path";
import { type ProjectOptions, withProject } from "../support/project.ts";
import { type Case, checkCase, HOME, hook } from "./client_cases.ts";

const NODE = { mcpServers: { a: { command: "node", args: ["srv/index.js"] } } };
const PYTHON = "servers: { a: { command: python3, args: [tools/main.py] } }\n";

/** A person opens a client, or Toolscript, in a folder below the project. */
const NESTED: Readonly<Record<string, Case>> = {
  "of a package": {
    files: {
      "packages/a/.cursor/mcp.json": NODE,
      "packages/b/.claude/settings.json": {
        hooks: hook('"$CLAUDE_PROJECT_DIR"/hooks/start.sh --all'),
      },
      "packages/b/hooks/start.sh": "echo",
    },
    closed: ["packages/a/srv/index.js", "packages/a/lib/x.js", "packages/b/hooks/start.sh"],
    open: ["packages/a/notes.md", "packages/b/hooks/notes.md", "packages/b/main.py"],
  },
  "far down, and where there is a repository": {
    files: {
      "a/b/c/d/e/.vscode/mcp.json": { servers: { a: { command: "${workspaceFolder}/bin/run" } } },
      "vendored/.git/HEAD": "ref: refs/heads/main\n",
      "vendored/opencode.json": { mcp: { a: { command: ["ruby", "r/main.rb"] } } },
      "vendored/.github/hooks/start.json": { hooks: hook("bash .ci/start.txt") },
    },
    closed: ["a/b/c/d/e/bin/run", "vendored/r/main.rb", "vendored/.ci/start.txt"],
    open: ["a/b/c/d/e/main.ts", "vendored/main.ts"],
  },
  "of a package, by a runner that looks above": {
    files: { "packages/a/.claude/settings.json": { hooks: hook("just lint") } },
    closed: ["packages/a/justfile", "packages/justfile", "justfile"],
    open: ["packages/a/main.py", "packages/b/justfile"],
  },
  "of Toolscript": {
    files: {
      "packages/a/.mcp.json": NODE,
      "packages/b/.onetool/onetool.yaml": PYTHON,
      "packages/c/.onetool/config/onetool.yaml": "servers: { a: { command: ./run/c } }\n",
      "packages/d/.onetool/onetool.yaml": "include: [servers.yaml]\n",
    },
    closed: [
      "packages/a/srv/index.js",
      "packages/b/tools/main.py",
      "packages/c/run/c",
      "packages/d/servers.yaml",
    ],
    open: ["packages/b/notes.md", "packages/c/main.rb"],
  },
};

for (const [name, one] of Object.entries(NESTED)) {
  Deno.test(`no program changes what clients start in a folder below: ${name}`, () =>
    checkCase(one, true));
}

Deno.test("no program changes what clients start in a folder above", async (t) => {
  const above: Readonly<Record<string, readonly [path: string, value: unknown]>> = {
    "another client": [".cursor/mcp.json", {
      mcpServers: { a: { command: "node", args: ["${workspaceFolder}/inner/srv/index.js"] } },
    }],
    "a hook": [".claude/settings.json", { hooks: hook("cd inner && bash srv/index.js") }],
    "Toolscript": [".onetool/onetool.yaml", {
      servers: { a: { command: "deno", args: ["run", "inner/srv/index.js"] } },
    }],
    "a program by its path": [".mcp.json", {
      mcpServers: { a: { command: "./inner/srv/index.js" } },
    }],
  };
  for (const [name, [path, value]] of Object.entries(above)) {
    await t.step(name, () =>
      withProject({
        isApart: true,
        place: "outer/inner",
        files: { "~/.onetool/onetool.yaml": HOME },
        async prepare({ project }) {
          const file = join(project, "..", path);
          await Deno.mkdir(join(file, ".."), { recursive: true });
          await Deno.writeTextFile(file, JSON.stringify(value));
        },
      }, async ({ call, refused }) => {
        await refused("file.write", { path: "srv/index.js", text: "x" });
        await call("file.write", { path: "srv/notes.md", text: "x" });
        await call("file.write", { path: "main.py", text: "x" });
      }));
  }
});

Deno.test("what a package in node_modules brings for clients closes nothing", () =>
  withProject({
    isApart: true,
    files: {
      "~/.onetool/onetool.yaml": HOME,
      "node_modules/some/.cursor/mcp.json": JSON.stringify(NODE),
      "node_modules/some/.vscode/mcp.json": JSON.stringify({ servers: NODE.mcpServers }),
    },
  }, async ({ call }) => {
    await call("file.write", { path: "srv/index.js", text: "x" });
  }));

/** A project with a file in each of more folders than there may be with files of clients. */
function inManyFolders(path: string, text: string): ProjectOptions {
  const names = Array.from({ length: 501 }, (_, at) => [`packages/p${at}/${path}`, text]);
  return {
    isApart: true,
    files: { "~/.onetool/onetool.yaml": HOME, ...Object.fromEntries(names) },
  };
}

Deno.test("folders with names of clients, without their files, close nothing", () =>
  withProject(inManyFolders(".github/ci.yml", "on: push"), async ({ call }) => {
    await call("file.write", { path: "src/a.ts", text: "x" });
  }));

Deno.test("files of clients in too many folders close every file", () =>
  withProject(inManyFolders(".cursor/mcp.json", "{}"), async ({ refused }) => {
    const { message } = await refused("file.write", { path: "src/a.ts", text: "x" });
    match(message, /over 500 folders have files of clients/);
  }));
