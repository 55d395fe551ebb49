/** A program changes what links of the home folder lead to: settings of shells, editors and clients. */

import { dirname, join } from "node:path";
import { withProject } from "../support/project.ts";

interface Case {
  /** Links of the home folder, with their targets in the project. */
  readonly links: Readonly<Record<string, string>>;
  /** Files of the home folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly closed: readonly string[];
  /** Closed files that are not there. */
  readonly missing?: readonly string[];
  readonly open: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "settings of shells": {
    links: { ".bashrc": "bash/bashrc", ".zshrc": "zsh/rc", ".config/fish": "fish" },
    closed: ["bash/bashrc", "zsh/rc", "fish/config.fish"],
    open: ["bash/notes.md", "zsh/other", "src/a.ts"],
  },
  "settings that are missing": {
    links: { ".profile": "sh/profile" },
    missing: ["sh/profile"],
    closed: [],
    open: ["sh/other"],
  },
  "settings of clients": {
    links: {
      ".claude": "claude",
      ".codex/config.toml": "codex/config.toml",
      ".config/Code/User/mcp.json": "code/servers",
    },
    closed: ["claude/settings.json", "claude/skills/a/run", "codex/config.toml", "code/servers"],
    open: ["codex/notes.md", "code/other"],
  },
  "programs": {
    links: { ".local/bin/tool": "tool/start", "bin/other": "tool/other" },
    closed: ["tool/start", "tool/other"],
    open: ["tool/notes.md"],
  },
  "a client's server by its bare name": {
    links: { ".local/bin/my-mcp": "srv/server.js" },
    files: { "~/.cursor/mcp.json": '{ "mcpServers": { "a": { "command": "my-mcp" } } }' },
    closed: ["srv/server.js", "srv/lib.js"],
    open: ["main.rb", "notes.md"],
  },
  "a pack": {
    links: { ".onetool/tools/words": "words" },
    closed: ["words/words_tools.py", "words/lib.py"],
    open: ["other/words_tools.md"],
  },
  "other links": {
    links: { "work": "src", ".dotfiles": ".", "notes/today": "today" },
    closed: [],
    open: ["src/a.ts", "today", "b.ts"],
  },
};

for (const [name, { links, files, closed, missing = [], open }] of Object.entries(CASES)) {
  Deno.test(`no program changes what links of the home folder lead to: ${name}`, async () => {
    const prepare = async ({ home, project }: { home: string; project: string }) => {
      for (const [link, target] of Object.entries(links)) {
        await Deno.mkdir(dirname(join(home, link)), { recursive: true });
        await Deno.symlink(join(project, target), join(home, link));
      }
    };
    const texts = Object.fromEntries([...closed, ...open].map((path) => [path, ""]));
    const variables = (home: string) => ({ PATH: `${join(home, ".local/bin")}:/usr/bin:/bin` });
    await withProject(
      { files: { ...texts, ...files }, prepare, variables },
      async ({ call, refused }) => {
        for (const path of [...closed, ...missing]) {
          await refused("file.write", { path, text: "x", overwrite: true });
        }
        for (const path of open) await call("file.write", { path, text: "x", overwrite: true });
      },
    );
  });
}
