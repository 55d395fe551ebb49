/** A program writes settings from which linters load code: servers and hooks run these on any file. */

import { type Case, checkCase, hook } from "./client_cases.ts";

const ESLINT = ["eslint.config.js", "sub/eslint.config.mts", "sub/.eslintrc.cjs", "src/.eslintrc"];
const PRETTIER = [
  "prettier.config.mjs",
  ".prettierrc.mjs",
  "src/deep/.prettierrc.ts",
  ".prettierrc",
];
const OPEN = [
  "src/a.ts",
  "sub/vite.config.ts",
  "sub/tsconfig.json",
  "sub/eslint.md",
  ".editorconfig",
];
const LINT = "jq -r '.tool_input.file_path' | xargs npx prettier --write";

function server(command: string, ...args: readonly string[]) {
  return { mcpServers: { a: { command, args } } };
}

/** A server of the home folder, which starts apart. */
function configured(words: string) {
  const [command = "", ...args] = words.split(" ");
  const servers = { home: { command, args } };
  return { "~/.onetool/onetool.yaml": JSON.stringify({ servers }) };
}

const CASES: Readonly<Record<string, Case>> = {
  "none is named": {
    files: { ".claude/settings.json": { hooks: hook("scripts/format.sh") } },
    closed: [],
    open: [...ESLINT, ...PRETTIER, ...OPEN, "sub/package.json", "stylelint.config.js"],
  },
  "ESLint's own server": {
    files: configured("npx -y @eslint/mcp@0.3.13"),
    closed: [...ESLINT, "sub/package.json"],
    open: [...OPEN, ...PRETTIER, "sub/.eslintrc-globals.json"],
  },
  "another server of it": {
    files: configured("uvx eslint-mcp"),
    closed: ESLINT,
    open: [...OPEN, ...PRETTIER],
  },
  "a package behind an option": {
    files: configured("npm exec --yes --package=@eslint/mcp -- mcp"),
    closed: ESLINT,
    open: [...OPEN, ...PRETTIER],
  },
  "a client's server, by Deno": {
    files: { ".cursor/mcp.json": server("deno", "run", "-A", "npm:@eslint/mcp@latest") },
    closed: ESLINT,
    open: ["src/notes.md", ".prettierrc"],
  },
  "a client's server, by its path": {
    files: { ".vscode/mcp.json": server("/opt/x/node_modules/@eslint/mcp/src/mcp-cli.js") },
    closed: ESLINT,
    open: ["src/.prettierrc"],
  },
  "a hook, behind a pipe": {
    files: { ".claude/settings.json": { hooks: hook(LINT) } },
    closed: [...PRETTIER, "src/.prettierrc.json", "sub/package.yaml"],
    open: [...OPEN, ...ESLINT],
  },
  "hooks by other names of programs": {
    files: {
      ".cursor/hooks.json": {
        hooks: { afterFileEdit: [{ command: "node_modules/.bin/eslint --fix" }] },
      },
      ".codex/hooks.json": { hooks: hook("prettierd src/x.ts") },
      ".claude/settings.json": {
        hooks: { ...hook("npx --yes stylelint@16 --fix"), Stop: hook("bunx cspell .").PostToolUse },
      },
    },
    closed: [...ESLINT, ...PRETTIER, "src/stylelint.config.cjs", "docs/cspell.json"],
    open: OPEN,
  },
  "one that runs several": {
    files: { ".claude/settings.json": { hooks: hook("cd web && npx lint-staged") } },
    closed: [...ESLINT, ...PRETTIER, "stylelint.config.mjs"],
    open: OPEN.slice(0, 2),
  },
  "a task, and a formatter": {
    files: {
      ".vscode/tasks.json": {
        tasks: [{
          command: "npx markdownlint-cli2 '**/*.md'",
          runOptions: { runOn: "folderOpen" },
        }],
      },
      ".zed/settings.json": { formatter: { external: { command: "eslint_d" } } },
    },
    closed: [...ESLINT, "docs/.markdownlint-cli2.yaml", "docs/.markdownlint.cjs"],
    open: [...OPEN, ...PRETTIER, "docs/.markdownlint.json"],
  },
  "a hook of the person's own": {
    files: { "~/.claude/settings.json": { hooks: hook(LINT) } },
    closed: PRETTIER,
    open: [...OPEN, ...ESLINT],
  },
};

Deno.test("no program changes settings of a linter that a home server of another folder names", () =>
  checkCase({
    files: { "~/.cursor/mcp.json": { mcpServers: { a: { command: "/opt/bin/eslint-mcp" } } } },
    closed: ["eslint.config.js", "src/.eslintrc.cjs"],
    open: ["src/a.ts", ".prettierrc"],
  }));

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`no program writes settings of linters that are code: ${name}`, () => checkCase(one));
}
