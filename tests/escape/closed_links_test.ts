/** A program changes what links with closed names lead to, wherever these links lie. */

import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { type ProjectStage, withProject } from "../support/project.ts";

/** Makes links by the paths of what they lead to, both from the project. */
function linked(links: Readonly<Record<string, string>>) {
  return async ({ project }: Pick<ProjectStage, "project">) => {
    for (const [target, name] of Object.entries(links)) {
      const path = join(project, name);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.symlink(relative(dirname(path), join(project, target)), path);
    }
  };
}

async function closes(
  links: Readonly<Record<string, string>>,
  { call, refused }: Pick<ProjectStage, "call" | "refused">,
): Promise<void> {
  for (const path of Object.keys(links)) {
    const { message } = await refused("file.write", { path, text: "x" });
    assert.match(message, /a link with a closed name leads there.*packs\.file\.writable/);
  }
  await call("file.write", { path: "scripts/other.sh", text: "x" });
}

Deno.test("targets of closed links in nested folders are closed", () => {
  const links = {
    "scripts/agent.sh": "packages/a/.claude/hooks/check.sh",
    "scripts/hook.sh": "packages/a/.husky/pre-commit",
    "scripts/env.sh": "packages/a/.envrc",
    "docs/agents.md": "packages/a/b/c/d/e/f/CLAUDE.md",
    "scripts/deep.sh": ".claude/a/b/c/d/e/f/check.sh",
    "scripts/vendored.sh": "node_modules/p/.vscode/tasks.json",
    "scripts/nested.js": "nested/.foorc.js",
  };
  return withProject({
    files: { "nested/package.json": "{}", "packages/a/package.json": "{}" },
    prepare: linked(links),
  }, (stage) => closes(links, stage));
});

Deno.test("targets of links in any folder of a closed folder are closed", () => {
  const names = ["node_modules", "objects", "venv", ".venv", ".cache", ".next", "target", "plain"];
  const links = Object.fromEntries(names.flatMap((name) => [
    [`shared/${name}/index.js`, `.claude/hooks/${name}/shared`],
    [`scripts/${name}.sh`, `.git/${name}/deep/er/x.sh`],
  ]));
  return withProject({ prepare: linked(links) }, (stage) => closes(links, stage));
});

Deno.test("targets of closed links in a folder behind a closed link are closed", () =>
  withProject({
    prepare: async ({ project, home }) => {
      await Deno.mkdir(join(home, "agent/hooks"), { recursive: true });
      await Deno.symlink(join(home, "agent"), join(project, ".claude"));
      await Deno.symlink(join(project, "scripts/a.sh"), join(home, "agent/hooks/a.sh"));
      await Deno.symlink(join(project, "alias"), join(home, "agent/hooks/b.sh"));
      await Deno.symlink("scripts/b.sh", join(project, "alias"));
    },
  }, (stage) => closes({ "scripts/a.sh": "", "scripts/b.sh": "" }, stage)));

Deno.test("links in a folder of the project that a closed link leads to are closed", () =>
  withProject({
    files: {
      ".git/HEAD": "",
      ".git/config": "[core]\n\thooksPath = tools/shared\n",
      "tools/open/a.md": "",
    },
    prepare: async ({ project }) => {
      await linked({
        "scripts/a.sh": "tools/claude/hooks/h.sh",
        "scripts/b.sh": "tools/hooks/pre-commit",
        "scripts/c.sh": "tools/shared/pre-push",
        "scripts/d.sh": "tools/open/any",
      })({ project });
      await Deno.symlink("tools/claude", join(project, ".claude"));
      await Deno.symlink("../tools/hooks", join(project, ".git/hooks"));
    },
  }, async ({ call, refused }) => {
    for (const name of ["a", "b", "c"]) {
      await refused("file.write", { path: `scripts/${name}.sh`, text: "x" });
    }
    await call("file.write", { path: "scripts/d.sh", text: "x" });
  }));

Deno.test("targets of closed links in the repositories around the project are closed", () => {
  const links = {
    "scripts/hook.sh": "../../.git/hooks/pre-commit",
    "scripts/agent.sh": "../../.claude/hooks/x/h.sh",
    "scripts/agents.md": "../CLAUDE.md",
    "scripts/any.sh": "../../.some-agent",
  };
  return withProject({
    place: "repo/packages/app",
    files: { "../../.git/HEAD": "", ".git/HEAD": "", "../../open/a.md": "" },
    prepare: linked(links),
  }, (stage) => closes(links, stage));
});

Deno.test("a project in a closed folder of its repository stays open", () =>
  withProject({
    place: "repo/.claude/worktrees/one",
    files: { "../../../.git/HEAD": "", "docs/a.md": "" },
    prepare: linked({ "docs/a.md": "notes.md", "scripts/a.sh": "../two/CLAUDE.md" }),
  }, async ({ call, refused }) => {
    await call("file.write", { path: "docs/a.md", text: "x", overwrite: true });
    await refused("file.write", { path: "scripts/a.sh", text: "x" });
  }));

Deno.test("targets of links in the git folder of a worktree are closed", () => {
  const links = {
    "scripts/hook.sh": "../main/.git/hooks/pre-commit",
    "scripts/own.sh": "../main/.git/worktrees/one/hooks/pre-commit",
  };
  return withProject({
    files: {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
    },
    prepare: linked(links),
  }, (stage) => closes(links, stage));
});

Deno.test("packages that are linked into node_modules of a start folder close their modules alone", () =>
  withProject({
    config: { servers: { s: { command: "python3", args: ["-m", "http.server"] } } },
    prepare: linked({ "packages/a": "node_modules/a", "packages/b": "node_modules/@x/b" }),
  }, async ({ call, refused }) => {
    for (const name of ["a", "b"]) {
      await refused("file.write", { path: `packages/${name}/index.js`, text: "x" });
      await call("file.write", { path: `packages/${name}/README.md`, text: "x" });
    }
  }));

Deno.test("targets of links in any folder among modules are closed", () => {
  const names = ["venv", ".venv", "node_modules", "__pycache__", ".git", "plain"];
  const links = Object.fromEntries(
    names.map((name) => [`libs/of-${name}/foo`, `srv/${name}/lib/foo`]),
  );
  return withProject({
    config: { servers: { s: { command: "./srv/run" } } },
    prepare: async (stage) => {
      await linked(links)(stage);
      await Deno.writeTextFile(join(stage.project, "srv/run"), "", { mode: 0o755 });
    },
  }, async ({ call, refused }) => {
    for (const name of names) {
      await refused("file.write", { path: `libs/of-${name}/foo/data`, text: "x" });
      await call("file.write", { path: `libs/of-${name}/bar`, text: "x" });
    }
  });
});

Deno.test("a link that appears or goes counts at the next look", () =>
  withProject({ files: { "a/b/c.txt": "" } }, async ({ project, call, refused }) => {
    const pass = () => new Promise((resolve) => setTimeout(resolve, 2_100));
    await pass();
    await call("file.write", { path: "scripts/a.sh", text: "x" });
    await linked({ "scripts/a.sh": "a/b/.envrc" })({ project });
    await pass();
    await refused("file.edit", { path: "scripts/a.sh", old: "x", new: "y" });
    await Deno.remove(join(project, "a/b/.envrc"));
    await pass();
    await call("file.edit", { path: "scripts/a.sh", old: "x", new: "y" });
  }));
