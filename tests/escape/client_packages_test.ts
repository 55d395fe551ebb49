/** A program changes what a package runner takes in place of the package that it would fetch, and what
 * the servers that a person keeps in the home folder load. */

import { type Case, checkCase, hook } from "./client_cases.ts";

const SERVER = { command: "npx", args: ["-y", "mcp-remote", "https://example.com/mcp"] };
const LOCAL = ["package.json", "node_modules/.bin/mcp-remote", "node_modules/mcp-remote/cli.js"];

/** A server of the person's own, for whatever folder a client is opened in. */
function own(command: string, args: readonly string[] = [], more = {}) {
  return { "~/.cursor/mcp.json": { mcpServers: { a: { command, args, ...more } } } };
}

const CASES: Readonly<Record<string, Case>> = {
  "npx in a file of the project": {
    files: { ".mcp.json": { mcpServers: { a: SERVER } } },
    closed: [...LOCAL, "prisma.config.ts", "tsconfig.json"],
    open: ["src/a.ts", "packages/a/package.json", "packages/a/vite.config.ts", "package.md"],
  },
  "npx in a folder below": {
    files: { "packages/a/.cursor/mcp.json": { mcpServers: { a: SERVER } } },
    closed: ["packages/a/package.json", "packages/package.json", ...LOCAL],
    open: ["packages/a/a.ts", "packages/b/package.json"],
  },
  "other runners": {
    files: {
      ".mcp.json": { mcpServers: { a: { command: "bunx", args: ["mcp-x@latest"] } } },
      "p/.vscode/mcp.json": { servers: { a: { command: "pnpm", args: ["dlx", "mcp-x"] } } },
      "r/.mcp.json": { mcpServers: { a: { command: "pipx", args: ["run", "mcp-x", "b.db"] } } },
      "q/.mcp.json": { mcpServers: { a: { command: "npm", args: ["exec", "--yes", "mcp-x"] } } },
    },
    closed: [
      "package.json",
      "bunfig.toml",
      "node_modules/.bin/mcp-x",
      "p/pnpm-workspace.yaml",
      "p/package.yaml",
      "q/node_modules/.bin/mcp-x",
      "r/mcp-x",
    ],
    open: ["a.ts", "p/a.ts", "r/a.py", "r/b.db"],
  },
  "a package of the project, in a hook": {
    files: {
      ".claude/settings.json": {
        hooks: hook("jq -r .tool_input.file_path | xargs npx prettier --write"),
      },
      "node_modules/prettier/package.json": "{}",
    },
    closed: ["package.json", "node_modules/prettier/bin/prettier.cjs"],
    open: ["src/a.ts", "src/deno.json"],
  },
  "npx in a file of the home folder": {
    files: { "~/.claude.json": { mcpServers: { a: SERVER } } },
    closed: [...LOCAL, "packages/a/package.json", "packages/a/node_modules/.bin/mcp-remote"],
    open: ["src/a.ts", "tsconfig.json", "pyproject.toml", "packages.json", "vite.config.ts"],
  },
  "a server of the project, by its place": {
    files: {
      "~/.claude.json": {
        projects: {
          "<project>": {
            mcpServers: {
              a: { command: "node", args: ["srv/index.js"] },
              b: { command: "node", args: ["dist/b/start"] },
            },
          },
          "<project>/sub": { mcpServers: { a: { command: "python3", args: ["main.py"] } } },
          "/elsewhere": { mcpServers: { a: { command: "npm", args: ["run", "mcp"] } } },
        },
      },
      "srv/index.js": "import './lib.js';",
    },
    closed: [
      "srv/index.js",
      "srv/lib.js",
      "dist/b/start.js",
      "package.json",
      "sub/main.py",
      "sub/lib.py",
    ],
    open: ["notes.md", "main.rb", "lib.py"],
  },
  "a script behind a package that is fetched": {
    files: own("npx", ["-y", "tsx", "<project>/srv/s.ts"]),
    closed: ["srv/s.ts", "srv/lib.ts"],
    open: ["notes.md", "main.rb"],
  },
  "a script in a folder of its own": {
    files: { ...own("node", ["s.js"], { cwd: "<project>/srv" }), "srv/s.js": "" },
    closed: ["srv/s.js", "srv/lib.js"],
    open: ["lib.rb", "notes.md"],
  },
  "a script behind a text of a shell": {
    files: { ...own("bash", ["-c", "cd <project>/srv && node s.js"]), "srv/s.js": "" },
    closed: ["srv/s.js"],
    open: ["notes.md"],
  },
  "a script that is not built yet": {
    files: own("node", ["<project>/dist/index.js"]),
    closed: ["dist/index.js", "dist/lib.js"],
    open: ["notes.md", "main.rb"],
  },
  "a script that is not built yet, in whatever project": {
    files: own("deno", ["run", "-A", "dist/index.js"]),
    closed: ["dist/index.js", "dist/lib.js"],
    open: ["notes.md", "main.rb"],
  },
  "a task of the project": {
    files: own("npm", ["--prefix", "<project>", "run", "mcp"]),
    closed: ["package.json", "srv/s.js"],
    open: ["notes.md"],
  },
  "a program of the project's environment": {
    files: own("uv", ["--directory=<project>", "run", "mysrv"]),
    closed: ["pyproject.toml", "mysrv/__main__.py"],
    open: ["notes.md"],
  },
  "a module where the client is opened": {
    files: own("python3", ["-m", "mcp_server_time"]),
    closed: ["mcp_server_time.py", "json.py", "anyio/__init__.py"],
    open: ["a.ts", "notes.md"],
  },
  "a hook for every project": {
    files: { "~/.claude/settings.json": { hooks: hook("npm run lint") } },
    closed: ["package.json"],
    open: ["src/a.ts", "src/package.json"],
  },
  "servers that look for nothing in the project": {
    files: {
      ...own("/opt/bin/mcp-files", ["<project>", "<project>/docs"]),
      "~/.codex/config.toml": `[mcp_servers.a]\ncommand = "python3"\nargs = ["/opt/a.py"]\n` +
        `[mcp_servers.b]\ncommand = "uv"\nargs = ["--directory", "/opt/b", "run", "b"]\n` +
        `[mcp_servers.c]\ncommand = "uvx"\nargs = ["mcp-server-git", "--repository", "<project>"]\n`,
      "~/.gemini/settings.json": {
        mcpServers: {
          d: { command: "docker", args: ["run", "-i", "--rm", "mcp/time"] },
          e: { command: "node", args: ["/opt/e/index.js"] },
        },
      },
      "docs/a.md": "",
    },
    closed: [],
    open: [
      "package.json",
      "src/a.ts",
      "a.py",
      "a.js",
      "docs/a.js",
      "pyproject.toml",
      "Makefile.am",
    ],
  },
};

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`no program changes what a person's client starts: ${name}`, () => checkCase(one));
}
