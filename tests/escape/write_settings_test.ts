/** A program changes what agents, editors, hooks and CI run. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const AT_ROOT = [
  ".zed/tasks.json",
  ".windsurf/a",
  ".opencode/a",
  ".idea/a.xml",
  ".devcontainer/a.json",
  ".roo/mcp.json",
  ".kiro/a",
  ".continue/a",
  ".amazonq/a",
  ".npmrc",
  ".envrc",
  ".husky/a",
  ".pre-commit-config.yaml",
  ".github/workflows/a.yml",
  ".cursorrules",
  ".mcp.json",
  "CLAUDE.md",
  "AGENTS.md",
  "GEMINI.md",
  "opencode.json",
  "claude.md",
  "Claude.MD",
  ".nobody-knows-it-yet",
  ".new/settings.json",
  ".env",
  ".gitignore/x/../../.bashrc",
  ".gitmodules",
  ".eslintcache",
  ".Git/config",
  ".git./hooks/post-checkout",
  "Jenkinsfile",
  "a.code-workspace",
  "lefthook.yml",
  "CLAUDE.local.md",
  "crush.json",
  "WARP.md",
];
const DEEP = [
  "a/.git/hooks/pre-commit",
  "a/b/.claude/settings.json",
  "a/.vscode/tasks.json",
  "a/.envrc",
  "a/.npmrc",
  "a/.husky/pre-commit",
  "a/b/CLAUDE.md",
  "a/.github/workflows/x.yml",
  "a/.githooks/pre-push",
  "a/.replit",
  "a/.gitpod.yml",
  "a/prek.toml",
  "a/codex.md",
  "a/Jenkinsfile.prod",
  "a/netlify.toml",
  "a/.ycm_extra_conf.py",
  "a/rust-analyzer.toml",
  "a/.cursor/mcp.json",
  "a/.devcontainer/devcontainer.json",
  "nested/.unknown",
  "a/hie.yaml",
  "buildServer.json",
  "a/.bsp/x.json",
  "a/.mvn/jvm.config",
  "a/.php-cs-fixer.php",
  "a/.ghci",
  "a/x.sublime-project",
  "IFLOW.md",
  "a/.qoder/x",
  "mcp_config.json",
  "java/.unknown",
  "mise/config.toml",
  "a/mise/conf.d/x.toml",
  "a/mise.dev.toml",
  "flake.nix",
  "a/shell.nix",
  "a/devenv.nix",
  "a/devenv.local.nix",
  "devbox.json",
  "a/lint-staged.config.mjs",
  "commitlint.config.js",
  "a/.commitlintrc.cjs",
  "a/.continuerules",
  "replit.md",
  "a/miserc.toml",
  "a/mise.lock",
  "a/.codebuddy/settings.json",
  "a/.superset/config.json",
  "a/.shadowenv.d/a.lisp",
  "a/.obsidian/plugins/x/main.js",
  "a/.sl/config",
  "a/.lsp/config.edn",
  "gptme.toml",
  "a/conductor.json",
];
const OPEN = [
  ".gitignore",
  ".gitattributes",
  ".editorconfig",
  ".env.example",
  ".prettierrc.json",
  ".eslintrc.cjs",
  "a/.gitkeep",
  "a/.hidden/notes.md",
  "docs/package.json",
  "Makefile",
  "src/index.ts",
  "package.json",
  "a/mise.md",
  "a/promise/b.toml",
  "a/module.nix",
];

Deno.test("files that start programs are closed, but for a short list", () =>
  withProject(
    { files: { "nested/package.json": "{}", "java/pom.xml": "" } },
    async ({ call, refused }) => {
      for (const path of [...AT_ROOT, ...DEEP]) {
        const { message } = await refused("file.write", { path, text: "x" });
        assert.match(message, /packs\.file\.writable/);
      }
      for (const path of OPEN) await call("file.write", { path, text: "x" });
    },
  ));

Deno.test("no copy, move or new folder creates a closed name", () =>
  withProject({
    files: {
      "stage/hooks/pre-commit": "evil",
      "stage/tasks.json": "evil",
      "tree/.git/config": "evil",
      "tree/sub/.vscode/tasks.json": "evil",
      "tree/a.md": "fine",
      "one": "evil",
    },
    prepare: ({ project }) => Deno.symlink("stage", join(project, "link")),
  }, async ({ project, call, refused }) => {
    await refused("file.move", { from: "stage", to: ".git" });
    await refused("file.move", { from: "link", to: ".husky" });
    await refused("file.copy", { from: "stage", to: "sub/.zed" });
    await refused("file.copy", { from: "one", to: "AGENTS.md" });
    await refused("file.make_folder", { path: ".vscode" });
    await refused("file.move", { from: "tree", to: "elsewhere" });
    await refused("file.delete", { path: "tree", recursive: true });
    await call("file.copy", { from: "tree", to: "copied" });
    for (const path of ["copied/.git", "copied/sub/.vscode"]) {
      await assert.rejects(Deno.lstat(join(project, path)), Deno.errors.NotFound);
    }
    assert.equal(await Deno.readTextFile(join(project, "copied/a.md")), "fine");
  }));

Deno.test("targets of closed links and of git's settings are closed as well", () =>
  withProject({
    files: {
      "docs/agents-guide.md": "",
      "dotfiles/claude/settings.json": "{}",
      "skills/a/SKILL.md": "",
      "my-hooks/pre-commit": "",
      ".cursor/rules.md": "",
      ".git/config": "[core]\n\thooksPath = my-hooks\n[core] hooksPath = one-line\n" +
        `[core]\n  HooksPath = "quoted"\n  hooksPath = remarked # why\n${"\n".repeat(200_000)}` +
        `  spaces = ${" ".repeat(200_000)}x\n`,
    },
    prepare: async ({ project }) => {
      await Deno.symlink("docs/agents-guide.md", join(project, "CLAUDE.md"));
      await Deno.symlink("dotfiles/claude", join(project, ".claude"));
      await Deno.symlink("../skills", join(project, ".cursor/skills"));
    },
  }, async ({ call, refused }) => {
    const closed = [
      "docs/agents-guide.md",
      "dotfiles/claude/settings.json",
      "skills/a/SKILL.md",
      "my-hooks/pre-commit",
      "my-hooks/post-checkout",
      "dotfiles/claude/new.json",
      "one-line/pre-commit",
      "quoted/pre-commit",
      "remarked/pre-commit",
    ];
    for (const path of closed) await refused("file.write", { path, text: "x" });
    await refused("file.move", { from: "dotfiles", to: "d" });
    await call("file.write", { path: "docs/other.md", text: "x" });
  }));

Deno.test("further allowed folders and named projects are roots too", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "../shared", "~"] } } },
    files: { "~/a.txt": "", "../shared/a.txt": "" },
  }, async ({ home, call, refused }) => {
    for (const path of ["../shared/.unknown", `${home}/.bashrc`, `${home}/.config/a/b`]) {
      await refused("file.write", { path, text: "x" });
    }
    await refused("file.write", { path: `${home}/.onetool/onetool.yaml`, text: "x" });
    await call("file.write", { path: "../shared/a.txt", text: "x" });
  }));

Deno.test("a project below a folder with a closed name is open", () =>
  withProject({
    config: { packs: { file: { allowed: ["../.claude/worktrees/one"] } } },
    files: { "../.claude/worktrees/one/a.md": "" },
  }, async ({ call, refused }) => {
    await call("file.write", { path: "../.claude/worktrees/one/a.md", text: "x" });
    await refused("file.write", { path: "../.claude/worktrees/one/.mcp.json", text: "x" });
  }));

Deno.test("a closed folder of many entries hides no link of another one", () => {
  const names = ["claude", "cursor", "gemini", "husky", "idea", "vscode", "windsurf", "zed"];
  return withProject({
    files: Object.fromEntries(names.map((name) => [`docs/${name}.json`, "{}"])),
    prepare: async ({ project }) => {
      const branches = join(project, ".git/refs/heads");
      await Deno.mkdir(branches, { recursive: true });
      for (let at = 0; at < 5_200; at++) Deno.writeTextFileSync(join(branches, `b${at}`), "");
      for (const name of names) {
        await Deno.mkdir(join(project, `.${name}`));
        await Deno.symlink(`../docs/${name}.json`, join(project, `.${name}/settings.json`));
      }
    },
  }, async ({ refused }) => {
    for (const name of names) {
      await refused("file.write", { path: `docs/${name}.json`, text: "x" });
    }
  });
});

Deno.test("what fills up beside them hides no link in a closed folder", () => {
  const links = [
    ".claude/skills/review/check.sh",
    ".github/actions/a/run.sh",
    ".vscode/x/y.sh",
    ".claude/plugins/a/skills/b/scripts/deep.sh",
    ".git/modules/lib/a/hooks/pre-commit",
    ".onetool/snippets/a/b.sh",
  ];
  const targets = links.map((_, at) => `scripts/${at}.sh`);
  return withProject({
    mostSearched: 400,
    files: Object.fromEntries(targets.map((name) => [name, "#!/bin/sh\n"])),
    prepare: async ({ project }) => {
      for (const place of [".onetool/trash", ".onetool/tmp", ".git/refs/heads"]) {
        for (let at = 0; at < 200; at++) {
          Deno.mkdirSync(join(project, place, `${at}`), { recursive: true });
        }
      }
      for (const [at, link] of links.entries()) {
        await Deno.mkdir(join(project, link, ".."), { recursive: true });
        await Deno.symlink(join(project, `scripts/${at}.sh`), join(project, link));
      }
    },
  }, async ({ call, refused }) => {
    for (const path of targets) {
      const { message } = await refused("file.write", { path, text: "x", overwrite: true });
      assert.match(message, /a link with a closed name leads there/);
    }
    await call("file.write", { path: "scripts/other.sh", text: "x" });
  });
});

Deno.test("a closed folder with too much to search closes all that a link may lead to", () =>
  withProject({
    config: { packs: { file: { writable: ["notes"] } } },
    mostSearched: 400,
    files: { "scripts/a.sh": "" },
    prepare: async ({ project }) => {
      const large = join(project, ".claude/large");
      await Deno.mkdir(large, { recursive: true });
      for (let at = 0; at < 401; at++) Deno.mkdirSync(join(large, `${at}`));
    },
  }, async ({ call, refused }) => {
    for (const path of ["scripts/a.sh", "docs/new.md"]) {
      const { message } = await refused("file.write", { path, text: "x", overwrite: true });
      assert.match(message, /project\/\.claude" may lead there, which has over 400 folders/);
      assert.match(message, /packs\.file\.writable/);
    }
    await call("file.write", { path: "notes/a.md", text: "x" });
    await call("file.read", { path: "scripts/a.sh" });
  }));

const SETTINGS = `[core]
\thooksPath = "my hooks"
[include]
\tpath = ../settings/git
[filter "x"]
\tclean = python3 scripts/clean.py %f
[alias] go = "!scripts/go.sh fast"
[branch "main"]
\tmerge = docs
`;
const NAMED = {
  "settings/git": "[core]\n\tfsmonitor = scripts/watch.sh ; all of it\n",
  "scripts/clean.py": "",
  "scripts/go.sh": "",
  "scripts/watch.sh": "",
  "scripts/other.sh": "",
  "docs/a.md": "",
};

Deno.test("what git's settings start is closed, in a worktree as well", async (t) => {
  const places: Readonly<Record<string, Record<string, string>>> = {
    "a repository": { ".git/config": SETTINGS },
    "a worktree": {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
      "../main/.git/config": SETTINGS.replace("../settings", "../../project/settings"),
    },
    "a worktree with settings of its own": {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
      "../main/.git/worktrees/one/config.worktree": SETTINGS.replace(
        "../settings",
        "../../../../project/settings",
      ),
    },
  };
  for (const [name, files] of Object.entries(places)) {
    await t.step(
      name,
      () =>
        withProject({ files: { ...files, ...NAMED } }, async ({ call, refused }) => {
          const closed = [
            "my hooks/pre-commit",
            "settings/git",
            "scripts/clean.py",
            "scripts/go.sh",
            "scripts/watch.sh",
          ];
          for (const path of closed) await refused("file.write", { path, text: "x" });
          for (const path of ["scripts/other.sh", "docs/a.md", "docs/b.md"]) {
            await call("file.write", { path, text: "x" });
          }
        }),
    );
  }
});
