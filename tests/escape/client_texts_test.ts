/** A program changes what texts of agents, skills and commands start, and files that few clients have. */

import { join } from "node:path";
import { withProject } from "../support/project.ts";
import { type Case, checkCase, HOME } from "./client_cases.ts";

const NODE = { mcpServers: { a: { command: "node", args: ["srv/a.js"] } } };

/** A text with a head; its hook runs a command. */
function withHook(command: string, more = ""): string {
  const hooks =
    `hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n`;
  return `---\nname: a\n${more}${hooks}          command: ${command}\n---\n\nRead src/told.ts.\n`;
}

const AGENT = `---
name: b
mcpServers:
  - docs
  - mine:
      command: node
      args: [srv/b.js]
---
Look at the project.
`;

function files(...paths: readonly string[]) {
  return Object.fromEntries(paths.map((path) => [path, ""]));
}

const CASES: Readonly<Record<string, Case>> = {
  "hooks of a skill": {
    files: {
      ".claude/skills/fmt/SKILL.md": withHook("python3 scripts/check.py --all"),
      ".claude/skills/fmt/REFERENCE.md": "Run `scripts/other.sh`.",
      ...files("scripts/check.py", "scripts/other.sh", "src/told.ts"),
    },
    closed: ["scripts/check.py"],
    open: ["src/told.ts", "scripts/other.sh", "scripts/b.py"],
  },
  "hooks of a skill, missing yet, with marks in its description": {
    files: {
      ".claude/skills/fmt/SKILL.md": withHook(
        "'\"$CLAUDE_PROJECT_DIR\"/scripts/new.sh'",
        "description: Formats code. Use it when: files change # often\r\n",
      ).replaceAll(/\r?\n/g, "\r\n"),
    },
    closed: ["scripts/new.sh"],
    open: ["src/told.ts", "scripts/b.sh"],
  },
  "agents in folders below": {
    files: {
      ".claude/agents/team/r.md": withHook("./scripts/team.py"),
      ".claude/agents/a/b/c/d.md": "Run scripts/deep.py first.",
      ...files("scripts/team.py", "scripts/deep.py"),
    },
    closed: ["scripts/team.py", "scripts/deep.py"],
    open: ["scripts/b.py"],
  },
  "servers of an agent": {
    files: { ".claude/agents/b.md": AGENT },
    closed: ["srv/b.js", "srv/lib.js"],
    open: ["docs/a.md", "src/a.json"],
  },
  "an agent of another client": {
    files: {
      ".github/agents/b.agent.md": AGENT.replace("mcpServers", "mcp-servers"),
    },
    closed: ["srv/b.js", "srv/lib.js"],
    open: ["docs/a.md"],
  },
  "commands that a client runs": {
    files: {
      ".claude/commands/c.md": "Context: !`./scripts/cmd.sh`\n\nRead src/told.ts.\n",
      ".claude/commands/git/d.md": "```!\nbash scripts/block.sh\n```\n",
      ".opencode/command/e.md": "!`python3 scripts/e.py` and `scripts/shown.sh`",
      ".gemini/commands/git/f.toml": 'prompt = "!{scripts/f.sh}"',
      ...files("scripts/cmd.sh", "scripts/block.sh", "scripts/e.py", "scripts/f.sh"),
      ...files("src/told.ts", "scripts/shown.sh"),
    },
    closed: ["scripts/cmd.sh", "scripts/block.sh", "scripts/e.py", "scripts/f.sh"],
    open: ["src/told.ts", "scripts/shown.sh"],
  },
  "linters in a skill": {
    files: { ".claude/skills/fmt/SKILL.md": withHook("npx prettier --write .") },
    closed: ["src/.prettierrc.mjs"],
    open: ["src/a.ts", "eslint.config.js"],
  },
  "a text that has no end, and one that is no YAML": {
    files: {
      ".claude/agents/a.md": "---\nhooks: scripts/a.py\n",
      ".claude/agents/b.md": "---\na: [\n---\nscripts/b.py\n",
      ".claude/skills/c/SKILL.md": "---\na: &a [*a, *a]\n---\n",
      ...files("scripts/a.py", "scripts/b.py"),
    },
    closed: ["scripts/a.py", "scripts/b.py"],
    open: ["scripts/c.py"],
  },
};

for (const path of [".github/mcp.json", ".vs/mcp.json", "mcp.json", ".cline/mcp.json"]) {
  Deno.test(`no program changes what clients start: ${path}`, async () => {
    await checkCase({ files: { [path]: NODE }, closed: ["srv/a.js", "srv/b.js"], open: ["a.md"] });
  });
}

for (
  const path of [
    "Library/Application Support/Claude/claude_desktop_config.json",
    "Library/Application Support/Code/User/mcp.json",
    "AppData/Roaming/Code/User/mcp.json",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ".config/opencode/opencode.jsonc",
    ".qwen/settings.json",
    ".kiro/settings/mcp.json",
  ]
) {
  Deno.test(`no program changes what clients start: ~/${path}`, async () => {
    const all = { [`~/${path}`]: NODE, "srv/a.js": "" };
    await checkCase({ files: all, closed: ["srv/a.js"], open: ["a.md", "b.rb"] });
  });
}

for (const [name, one] of Object.entries(CASES)) {
  Deno.test(`no program changes what texts of clients start: ${name}`, () => checkCase(one));
}

Deno.test("many skills and commands that tell of files close nothing", () => {
  const text = `Read ${Array.from({ length: 100 }, (_, at) => `src/m${at}.ts`).join(" ")}`;
  const all = Array.from({ length: 120 }, (_, at) => [
    [`.claude/skills/s${at}/SKILL.md`, text],
    [`.claude/commands/g${at}/c.md`, `${text}\n!\`git status\``],
  ]).flat();
  return checkCase({ files: Object.fromEntries(all), closed: [], open: ["src/m1.ts"] }, true);
});

Deno.test("no program changes what a skill behind a link starts", () =>
  withProject({
    files: {
      "~/.onetool/onetool.yaml": HOME,
      ".agents/skills/fmt/SKILL.md": withHook("python3 scripts/check.py"),
      ".claude/settings.json": "{}",
      "scripts/check.py": "",
    },
    async prepare({ project }) {
      await Deno.symlink("../.agents/skills", join(project, ".claude/skills"));
    },
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "scripts/check.py", text: "x", overwrite: true });
    await call("file.write", { path: "scripts/b.py", text: "x" });
  }));
