/** A program changes what the files of other clients in a project start. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";
import { type Case, checkCase, HOME, hook } from "./client_cases.ts";

const OWN = { command: "npx", args: ["-y", "toolscript@1.0.0", "mcp"] };
const task = (command: string, more: JsonObject = {}) => ({ type: "shell", command, ...more });
const ON_OPEN = { runOptions: { runOn: "folderOpen" } };

const CASES: Readonly<Record<string, Case>> = {
  ".mcp.json": {
    files: {
      ".mcp.json": {
        mcpServers: { toolscript: OWN, own: { command: "node", args: ["./mcp/server.js"] } },
      },
    },
    closed: ["mcp/server.js", "mcp/lib.js", "package.json"],
    open: ["docs/a.json", "scripts/a.sh"],
  },
  "a list of words, comments and a comma at the end": {
    files: {
      "opencode.json":
        `// mine\n{ "mcp": { "a": { "type": "local", "command": ["python3", "srv/main.py"], }, }, }`,
    },
    closed: ["srv/main.py", "srv/other.py"],
    open: ["src/a.ts"],
  },
  "TOML": {
    files: {
      ".codex/config.toml":
        `notify = ["bash", "notify.txt"]\n[mcp_servers.a]\ncommand = "./bin/server"\nargs = ["--quiet"]\n`,
    },
    closed: ["bin/server", "notify.txt"],
    open: ["src/a.ts", "notes.txt"],
  },
  "folders by the names of clients": {
    files: {
      ".vscode/mcp.json": {
        servers: { a: { command: "node", args: ["${workspaceFolder}/vs.js"] } },
      },
      ".cursor/mcp.json": { mcpServers: { a: { command: "python3 cur/main.py" } } },
      ".gemini/settings.json": {
        mcpServers: { a: { command: "ruby", args: ["g.rb"], cwd: "gem" } },
      },
      ".zed/settings.json": {
        context_servers: { a: { command: { path: "lua", args: ["z/z.lua"] } } },
      },
      ".roo/mcp.json": {
        mcpServers: {
          a: {
            command: "npx",
            args: ["x"],
            env: { NODE_OPTIONS: "--require ${workspaceFolder}/pre/load.md" },
          },
        },
      },
    },
    closed: ["vs.js", "cur/main.py", "gem/g.rb", "z/z.lua", "pre/load.md"],
    open: ["cur/a.csv", "z/a.md"],
  },
  "hooks of agents": {
    files: {
      ".claude/settings.json": {
        hooks: hook('"$CLAUDE_PROJECT_DIR"/scripts/format.sh'),
        statusLine: { type: "command", command: "bash tools/line.txt" },
        apiKeyHelper: "tools/key",
      },
      ".claude/settings.local.json": {
        hooks: hook("cd $(git rev-parse --show-toplevel) && ./new/check.py"),
      },
      ".cursor/hooks.json": { hooks: { afterFileEdit: [{ command: "node hooks/edit" }] } },
      "scripts/format.sh": "#!/bin/sh",
      "hooks/edit.js": "",
      "tools/key": "#!/bin/sh",
    },
    closed: ["scripts/format.sh", "new/check.py", "tools/line.txt", "tools/key", "hooks/edit.js"],
    open: ["src/a.ts", "scripts/other.sh", "package.json", "lint/a.ts"],
  },
  "hooks that work on the project": {
    files: {
      ".claude/settings.json": {
        hooks: {
          ...hook("jq -r '.tool_input.file_path // empty' | xargs npx prettier --write"),
          Stop: [{
            hooks: [{ type: "command", command: 'ruff check --fix "$CLAUDE_FILE_PATHS"' }],
          }],
          SessionStart: [{ hooks: [{ type: "command", command: "npm run lint && make build" }] }],
        },
      },
      "package.json": `{ "scripts": { "lint": "node src/a.ts" } }`,
      "Makefile": "",
    },
    closed: ["package.json", "Makefile"],
    open: ["src/a.ts", "lint.ts", "build/a.js", "check.py", "prettier.md"],
  },
  "tasks that start with the folder": {
    files: {
      ".vscode/tasks.json": {
        tasks: [task("./watch.sh", ON_OPEN), task("./deploy.sh"), {
          ...task("", ON_OPEN),
          linux: { command: "node", args: ["lin.js"] },
        }],
      },
    },
    closed: ["watch.sh", "lin.js"],
    open: ["deploy.sh", "src/a.ts"],
  },
  "a task that one of these needs": {
    files: {
      ".vscode/tasks.json": {
        tasks: [{ label: "a", dependsOn: ["b"], ...ON_OPEN }, task("./deploy.sh", { label: "b" })],
      },
    },
    closed: ["deploy.sh"],
    open: ["src/a.ts"],
  },
  "a workspace, under any name": {
    files: {
      "Shop.code-workspace": `{
        // Comments are usual.
        "folders": [{ "path": "." }],
        "tasks": { "version": "2.0.0", "tasks": [
          { "command": "./watch.sh", "runOptions": { "runOn": "folderOpen" } },
          { "command": "./deploy.sh" }
        ] },
        "settings": { "mcp": { "servers": { "a": { "command": "node", "args": ["a.js"] } } } },
      }`,
      "a.js": "",
    },
    closed: ["watch.sh", "a.js", "Shop.code-workspace"],
    open: ["deploy.sh", "notes.md"],
  },
  "what a container needs before it is made": {
    files: {
      ".devcontainer/devcontainer.json": {
        initializeCommand: { one: "bash scripts/one.sh", two: ["python3", "two.py"] },
        postCreateCommand: "npm install",
        customizations: { vscode: { extensions: ["a.b"] } },
      },
    },
    closed: ["scripts/one.sh", "two.py"],
    open: ["src/a.ts", "scripts/other.sh", "package.json"],
  },
  "one command of a container's file": {
    files: { ".devcontainer.json": { initializeCommand: "./setup.sh" } },
    closed: ["setup.sh"],
    open: ["src/a.ts"],
  },
  "Toolscript by a script of the project": {
    files: {
      ".mcp.json": {
        mcpServers: { toolscript: { command: "./bin/toolscript", args: ["mcp"] } },
      },
      ".cursor/mcp.json": {
        mcpServers: { a: { command: "node", args: ["npm/starter.cjs", "mcp"] } },
      },
      "npm/starter.cjs": "",
    },
    closed: ["bin/toolscript", "npm/starter.cjs", "npm/lib.cjs"],
    open: ["notes.md"],
  },
  "other settings that name files": {
    files: {
      ".mcp.json": {
        mcpServers: {
          a: { type: "http", url: "https://a.example", headersHelper: "./scripts/headers.sh" },
        },
      },
      ".vscode/mcp.json": {
        servers: {
          a: { command: "npx", args: ["x"], envFile: "${workspaceFolder}/conf/a.env" },
          b: { command: "npx", args: ["x"], envFile: "${workspaceFolder}/conf/my.vars" },
          c: { command: "npx", args: ["x"], envFile: "vars.txt" },
        },
      },
      ".zed/settings.json": {
        formatter: { external: { command: "python3", arguments: ["scripts/zed.py"] } },
        lsp: { x: { binary: { path: "scripts/lsp" } } },
      },
      ".gemini/settings.json": { mcp: { serverCommand: "node scripts/gem.js" } },
      ".github/hooks/mine.json": { hooks: { postToolUse: [{ bash: "./scripts/copilot.sh" }] } },
      ".claude/agents/a.md": "---\nhooks:\n  - command: scripts/agent.py\n---\nDo.\n",
      "opencode.json": { plugin: ["./scripts/plugin.ts"], instructions: ["README.md"] },
      ...Object.fromEntries(
        ["conf/a.env", "scripts/lsp", "scripts/agent.py", "scripts/plugin.ts", "README.md"]
          .map((path) => [path, ""]),
      ),
    },
    closed: [
      "scripts/headers.sh",
      "conf/a.env",
      "conf/my.vars",
      "vars.txt",
      "scripts/zed.py",
      "scripts/lsp",
      "scripts/gem.js",
      "scripts/copilot.sh",
      "scripts/agent.py",
      "scripts/plugin.ts",
    ],
    open: [
      "README.md",
      "scripts/other.py",
      "src/a.ts",
      "lib/package.json",
      "conf/other.vars",
      "a.txt",
    ],
  },
  "files of the person's own": {
    files: {
      "~/.claude.json": {
        history: ["look at src/told.ts"],
        projects: {
          "/any": {
            mcpServers: {
              a: { command: "node", args: ["scripts/local.js"] },
              b: { command: "npx", args: ["-y", "some-server", "src/data.db"] },
            },
          },
        },
      },
      "~/.codex/config.toml": `[mcp_servers.a]\ncommand = "python3"\nargs = ["scripts/codex.py"]\n`,
      "~/.claude/settings.json": { hooks: hook("$CLAUDE_PROJECT_DIR/scripts/hook.sh") },
      ...Object.fromEntries(
        ["scripts/local.js", "scripts/codex.py", "scripts/hook.sh", "src/told.ts", "src/data.db"]
          .map((path) => [path, ""]),
      ),
    },
    closed: ["scripts/local.js", "scripts/codex.py", "scripts/hook.sh", "scripts/lib.py"],
    open: ["src/told.ts", "src/data.db", "scripts/other.js"],
  },
  "packages that are fetched, and Toolscript itself": {
    files: {
      ".mcp.json": {
        mcpServers: {
          toolscript: OWN,
          clone: { command: "deno", args: ["run", "-A", "/opt/toolscript/main.ts", "mcp"] },
          files: { command: "npx", args: ["-y", "some-server", "docs", "./data"] },
          sql: { command: "uvx", args: ["sql-server", "--db", "a.db"], cwd: "." },
          text: { command: "npx -y some-server ./docs" },
        },
      },
      ".vscode/mcp.json": {
        servers: {
          a: { command: "npx", args: ["x"], cwd: "${workspaceFolder}", env: { COMMAND: "make" } },
        },
      },
      ".cursor/mcp.json": "{ not JSON",
      ".codex/config.toml": "= [",
      "docs/a.md": "",
      "data/a.md": "",
    },
    closed: [".mcp.json", "package.json", "node_modules/.bin/some-server"],
    open: ["src/a.ts", "src/package.json", "docs/a.js", "data/a.py", "mcp.ts"],
  },
};

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`no program changes what clients start: ${name}`, () => checkCase(one));
}

Deno.test("no program changes what clients start in an allowed folder", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "../other"] } } },
    async prepare({ project }) {
      const other = join(project, "../other/.cursor");
      await Deno.mkdir(other, { recursive: true });
      const entry = { mcpServers: { a: { command: "node", args: ["a/server.js"] } } };
      await Deno.writeTextFile(join(other, "mcp.json"), JSON.stringify(entry));
    },
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "../other/a/server.js", text: "x" });
    await call("file.write", { path: "../other/a/notes.md", text: "x" });
    await call("file.write", { path: "src/a.ts", text: "x" });
  }));

Deno.test("files of clients with too many programs close every file", () =>
  withProject({
    isApart: true,
    files: {
      ".mcp.json": JSON.stringify({
        mcpServers: Object.fromEntries(
          Array.from({ length: 201 }, (_, at) => [`s${at}`, { command: `x${at}` }]),
        ),
      }),
      "~/.onetool/onetool.yaml": HOME,
    },
  }, async ({ refused }) => {
    const { message } = await refused("file.write", { path: "src/a.ts", text: "x" });
    assert.match(message, /files of clients start over 200 programs/);
  }));
