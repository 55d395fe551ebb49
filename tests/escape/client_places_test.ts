/** A program changes what clients start by files in further places: profiles, servers of editors on
 * another machine, plugins. */

import { type Case, checkCase, hook } from "./client_cases.ts";

const RUBY = { mcpServers: { a: { command: "ruby", args: ["<project>/s/x.rb"] } } };
const SERVERS = { servers: RUBY.mcpServers };
const YAML = "- name: a\n    command: ruby\n    args: [<project>/s/x.rb]\n";

const CLINE = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";

const HOMES: Readonly<Record<string, unknown>> = {
  ".config/Code/User/profiles/-7a1/mcp.json": SERVERS,
  "Library/Application Support/Cursor/User/profiles/x/settings.json": { mcp: SERVERS },
  "AppData/Roaming/Code/User/profiles/b/mcp.json": SERVERS,
  ".config/Windsurf/User/settings.json": { mcp: SERVERS },
  ".vscode-server/data/User/mcp.json": SERVERS,
  ".vscode-server/data/Machine/mcp.json": SERVERS,
  [`.vscode-server/data/User/${CLINE}`]: RUBY,
  [`.cursor-server/data/Machine/${CLINE}`]: RUBY,
  ".continue/config.yaml": `mcpServers:\n  ${YAML}`,
  ".continue/mcpServers/a.yaml": `mcpServers:\n  ${YAML}`,
  ".continue/config.json": {
    experimental: { modelContextProtocolServers: [{ transport: RUBY.mcpServers.a }] },
  },
  ".config/goose/config.yaml":
    "extensions:\n  a:\n    type: stdio\n    cmd: ruby\n    args: [<project>/s/x.rb]\n",
  ".config/amp/settings.json": { "amp.mcpServers": RUBY.mcpServers },
  ".aws/amazonq/cli-agents/a.json": RUBY,
  ".claude/agents/a.md": `---\nname: a\nmcpServers:\n  - a:\n      command: ruby\n` +
    "      args: [<project>/s/x.rb]\n---\nDo.\n",
};

for (const [path, value] of Object.entries(HOMES)) {
  Deno.test(`no program changes what clients start: ~/${path}`, () =>
    checkCase({
      files: { [`~/${path}`]: value },
      closed: ["s/x.rb", "s/lib.rb"],
      open: ["notes.md", "data/a.csv"],
    }));
}

const CASES: Readonly<Record<string, Case>> = {
  "Aider": {
    files: {
      ".aider.conf.yml": "lint-cmd:\n  - 'python: ./tools/lint.sh --fix'\n  - 'js: npx eslint'\n" +
        "test-cmd: bash tools/test.txt\nauto-test: true\nread: [CONVENTIONS.md]\n",
    },
    closed: ["tools/lint.sh", "tools/test.txt", "src/eslint.config.js"],
    open: ["tools/a.sh", "src/a.ts"],
  },
  "Aider, for a person": {
    files: { "~/.aider.conf.yml": "test-cmd: ./tools/test.sh\n" },
    closed: ["tools/test.sh"],
    open: ["tools/a.sh"],
  },
  "Amp": {
    files: {
      ".amp/settings.json": {
        "amp.mcpServers": { a: { command: "node", args: ["${workspaceFolder}/srv/a.js"] } },
      },
    },
    closed: ["srv/a.js", "srv/lib.js"],
    open: ["notes.md"],
  },
  "plugins": {
    files: {
      "plugins/a/.claude-plugin/plugin.json": { name: "a" },
      "plugins/a/hooks/hooks.json": {
        hooks: hook('"${CLAUDE_PLUGIN_ROOT}"/scripts/fmt.sh'),
      },
      "plugins/a/.mcp.json": {
        mcpServers: { a: { command: "ruby", args: ["${CLAUDE_PLUGIN_ROOT}/srv/a.rb"] } },
      },
      "plugins/b/.claude-plugin/plugin.json": {
        hooks: hook("bash ${CLAUDE_PLUGIN_ROOT}/b.sh"),
      },
      "plugins/c/gemini-extension.json": {
        mcpServers: { a: { command: "node", args: ["${extensionPath}${/}dist${/}c.js"] } },
      },
      "other/hooks/hooks.json": { hooks: hook("bash other/o.sh") },
    },
    closed: [
      "plugins/a/hooks/hooks.json",
      "plugins/a/scripts/fmt.sh",
      "plugins/a/srv/a.rb",
      "plugins/b/b.sh",
      "plugins/c/dist/c.js",
      "plugins/c/gemini-extension.json",
      "plugins/b/hooks/hooks.json",
      "plugins/b/.claude-plugin/plugin.json",
    ],
    open: ["plugins/a/README.md", "plugins/a/scripts/b.sh", "other/hooks/hooks.json", "other/o.sh"],
  },
  "further forms of commands": {
    files: {
      ".vscode/tasks.json": {
        tasks: [{
          command: { value: "./t/one.sh", quoting: "strong" },
          args: [{ value: "t/two.sh", quoting: "weak" }],
          runOptions: { runOn: "folderOpen" },
        }],
      },
      ".zed/settings.json": { lsp: { x: { binary: { path: "t/lsp", arguments: ["t/lsp.py"] } } } },
      ".github/hooks/a.json": {
        hooks: { stop: [{ type: "command", linux: "./t/lin.sh", osx: "bash t/osx.sh" }] },
      },
      ".windsurf/hooks.json": {
        hooks: { stop: [{ command: "bash x/w.sh", working_directory: "t" }] },
      },
      ".kiro/hooks/a.kiro.hook": { then: { type: "runCommand", command: "sh t/kiro.sh" } },
      ".cursor/worktrees.json": { "setup-worktree": ["npm ci", "bash t/tree.sh"] },
      ".devcontainer/devcontainer.json": { dockerComposeFile: "../compose.dev.yml" },
      "compose.dev.yml": "",
      "p/.claude-plugin/plugin.json": "{}",
      "p/.lsp.json": { go: { command: "${CLAUDE_PLUGIN_ROOT}/lsp.sh" } },
    },
    closed: [
      "t/one.sh",
      "t/two.sh",
      "t/lsp",
      "t/lsp.py",
      "t/lin.sh",
      "t/osx.sh",
      "t/x/w.sh",
      "t/kiro.sh",
      "t/tree.sh",
      "compose.dev.yml",
      "p/lsp.sh",
    ],
    open: ["t/b.sh", "x/w.sh", "compose.b.yml"],
  },
  "variables of all hooks": {
    files: {
      ".claude/settings.json": { env: { TOOLS: "tools/ci" }, hooks: hook("bash $TOOLS/x.sh") },
    },
    closed: ["tools/ci/x.sh"],
    open: ["tools/x.sh", "tools/ci/b.sh"],
  },
};

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`no program changes what clients start in further places: ${name}`, () =>
    checkCase(one, name === "plugins" || name.startsWith("further")));
}
