/** A program changes what runners behind hooks, tasks and servers of clients look up by a name: members of
 * a workspace, modules of Python, what the kind of a task stands for. */

import { type Case, checkCase, hook, onOpen } from "./client_cases.ts";

const MEMBERS = ["packages/web/package.json", "apps/a/b/package.json", "package.json"];
const IN_MEMBERS = ["packages/web/a.ts", "packages/web/tsconfig.json"];

/** Commands that run what members of a workspace name. */
const WORKSPACES = [
  "npm run lint -w web",
  "npm -w=web test",
  "npm run lint --workspaces --if-present",
  "npm run lint -ws",
  "npm_config_workspace=web npm run lint",
  "pnpm --filter web lint",
  "pnpm --filter=./packages/** run lint",
  "pnpm -F web lint",
  "pnpm -r lint",
  "cd sub && timeout 60 pnpm --silent --recursive run lint",
  "yarn workspace web lint",
  "yarn workspaces foreach -A run lint",
  "bun --filter '*' lint",
  "bun run --filter=web lint",
  "npx turbo run lint",
  "pnpm exec turbo lint --filter web",
  "npx nx run web:lint",
  "npx lerna run lint",
  "npx -w web web-lint",
  "npm exec --workspace web -- web-lint",
];

for (const command of WORKSPACES) {
  Deno.test(`no program changes members of a workspace behind a hook: ${command}`, () =>
    checkCase({
      files: { ".claude/settings.json": { hooks: hook(command) } },
      closed: MEMBERS,
      open: IN_MEMBERS,
    }));
}

const ONE: Readonly<Record<string, readonly string[]>> = {
  "npm run lint": ["packages/web/package.json"],
  "npm run lint -- -w web": ["packages/web/package.json"],
  "npm run lint && grep -r workspace src": ["packages/web/package.json"],
  "pnpm -w run lint": ["packages/web/package.json"],
  "npx prettier -w src/a.ts": ["packages/web/project.json"],
  "npx some-tool -w x --workspace .": ["packages/web/package.json"],
  "yarn lint": ["packages/web/package.json", "packages/web/project.json"],
  "node -r ./a.js b.js": ["packages/web/package.json"],
};

for (const [command, open] of Object.entries(ONE)) {
  Deno.test(`members of a workspace stay open behind a hook: ${command}`, () =>
    checkCase({ files: { ".claude/settings.json": { hooks: hook(command) } }, closed: [], open }));
}

const KINDS: Readonly<Record<string, Case>> = {
  "project.json of Nx": {
    files: onOpen({ type: "shell", command: "npx", args: ["nx", "serve", "web"] }),
    closed: ["apps/web/project.json", "apps/web/package.json"],
    open: ["apps/web/a.ts"],
  },
  "members behind a server": {
    files: {
      ".mcp.json": { mcpServers: { a: { command: "npx", args: ["-w", "web", "web-mcp"] } } },
      ".cursor/mcp.json": { mcpServers: { b: { command: "npx", args: ["-y", "x", "-w", "."] } } },
    },
    closed: MEMBERS,
    open: IN_MEMBERS,
  },
  "members, by a hook of the home folder": {
    files: { "~/.claude/settings.json": { hooks: hook("pnpm -r lint") } },
    closed: MEMBERS,
    open: IN_MEMBERS,
  },
  "members of another project": {
    files: {
      "~/.cursor/mcp.json": {
        mcpServers: { a: { command: "pnpm", args: ["-C", "/opt/m", "--filter", "web", "mcp"] } },
      },
    },
    closed: [],
    open: ["packages/web/package.json", "package.json"],
  },
  "a workspace of Deno": {
    files: { ".claude/settings.json": { hooks: hook("deno task --recursive lint") } },
    closed: ["packages/web/deno.json", "packages/web/deno.jsonc"],
    open: IN_MEMBERS,
  },
  "modules of Python": {
    files: {
      ".claude/settings.json": {
        hooks: {
          ...hook("python3 -m tools.fmt"),
          Stop: hook("cd py && ../.venv/bin/python -B -m a.b.lint --fix").PostToolUse,
          SessionStart: hook("uv run python -Im checks").PostToolUse,
          SessionEnd: hook("PYTHONPATH=lib:src python3.12 -mdeep.one && coverage run -m two")
            .PostToolUse,
        },
      },
      "py/a/a.md": "",
      "tools/fmt.py": "",
    },
    closed: [
      "tools/fmt.py",
      "tools/__init__.py",
      "tools/fmt/__main__.py",
      "py/a/__init__.py",
      "py/a/b/__init__.py",
      "py/a/b/lint.py",
      "checks.py",
      "checks/__main__.py",
      "src/deep/one.py",
      "lib/deep/__init__.py",
      "two/__init__.py",
    ],
    open: ["tools/lib.py", "py/a/other.py", "py/lint.py", "src/a.py", "src/deep/two.py"],
  },
  "a module of Python in a task": {
    files: onOpen({ type: "process", command: "python3", args: ["-m", "tools.watch"] }),
    closed: ["tools/watch.py", "tools/watch/__init__.py"],
    open: ["tools/lib.py", "watch.py"],
  },
  "words that are no module": {
    files: {
      ".claude/settings.json": { hooks: hook("git commit -m tools.fmt; python3 -c 'x' a.b") },
    },
    closed: [],
    open: ["tools/fmt.py", "tools/__init__.py", "b.py"],
  },
  "a folder of scripts": {
    files: {
      ".claude/settings.json": { hooks: hook("run-parts --regex '\\.sh$' hooks/stop; ls src") },
      "hooks/stop/1.sh": "",
    },
    closed: ["hooks/stop/1.sh", "hooks/stop/9.sh", "hooks/stop/new"],
    open: ["hooks/a.sh", "src/a.ts"],
  },
  "folders that are programs": {
    files: {
      ".claude/settings.json": {
        hooks: {
          ...hook("node ./tools/one --fix"),
          Stop: hook("cd web && python3 tools").PostToolUse,
          SessionStart:
            hook("go run ./cmd/lint -v && go run . && node . && bun run two").PostToolUse,
        },
      },
      "tools/one/index.js": "",
      "web/tools/__main__.py": "",
      "cmd/lint/main.go": "",
      "one/a.md": "",
    },
    closed: [
      "tools/one/index.js",
      "tools/one/package.json",
      "web/tools/__main__.py",
      "cmd/lint/main.go",
      "cmd/lint/b.go",
    ],
    open: ["tools/one/a.js", "cmd/a.go", "main.go", "index.js", "one/index.js", "web/tools/a.py"],
  },
  "a task of npm": {
    files: onOpen({ type: "npm", script: "watch" }),
    closed: ["package.json"],
    open: ["web/package.json", "src/a.ts"],
  },
  "a task of npm in a folder": {
    files: onOpen({ type: "npm", script: "install", path: "web/" }),
    closed: ["web/package.json"],
    open: ["api/package.json", "web/a.ts"],
  },
  "tasks of other runners": {
    files: {
      ".vscode/tasks.json": {
        tasks: [
          { type: "gulp", task: "watch" },
          { type: "grunt", task: "watch" },
          { type: "jake", task: "x", file: "tools/Jakefile" },
          { type: "typescript", tsconfig: "web/tsconfig.json" },
          { type: "cargo", command: "test" },
          { type: "deno", command: "run", args: ["-A", "scripts/dev.ts"] },
        ].map((one) => ({ ...one, runOptions: { runOn: "folderOpen" } })),
      },
      "tools/Jakefile": "",
    },
    closed: [
      "gulpfile.js",
      "Gruntfile.coffee",
      "Jakefile",
      "jakefile.js",
      "tools/Jakefile",
      "node_modules/.bin/tsc",
      "build.rs",
      "scripts/dev.ts",
    ],
    open: ["src/a.ts", "scripts/a.ts", "Makefile"],
  },
  "a task that does not start by itself": {
    files: { ".vscode/tasks.json": { tasks: [{ type: "npm", script: "watch" }] } },
    closed: [],
    open: ["package.json"],
  },
  "options of all tasks": {
    files: {
      ".vscode/tasks.json": {
        options: { cwd: "${workspaceFolder}/web" },
        tasks: [
          { command: "./watch.sh", runOptions: { runOn: "folderOpen" } },
          { command: "./b.sh", options: { cwd: "b" }, runOptions: { runOn: "folderOpen" } },
        ],
      },
    },
    closed: ["web/watch.sh", "b/b.sh"],
    open: ["web/b.sh", "src/watch.sh"],
  },
};

for (const [name, one] of Object.entries(KINDS)) {
  Deno.test(`no program changes what clients lead to: ${name}`, () => checkCase(one));
}
