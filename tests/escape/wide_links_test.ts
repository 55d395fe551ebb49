/** A closed link, or a folder of hooks, leads to a whole folder that programs may use. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type ProjectOptions, withProject } from "../support/project.ts";

/** Makes links by name, with their texts. */
function linking(links: Readonly<Record<string, string>>): ProjectOptions["prepare"] {
  return async ({ project }) => {
    for (const [name, text] of Object.entries(links)) {
      const path = join(project, name);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.symlink(text, path);
    }
  };
}

interface Row extends ProjectOptions {
  readonly name: string;
  readonly links: Readonly<Record<string, string>>;
  /** Name of the link that the refusal gives. */
  readonly says: string;
}

const REPOSITORY = { ".git/HEAD": "", ".git/config": "[core]\n" };
const ROWS: readonly Row[] = [
  { name: "in the project", links: { ".claude": "." }, says: "/.claude" },
  { name: "without an end", links: { ".husky": "./" }, says: "/.husky" },
  { name: "deep", links: { "pkg/a/.vscode": "../.." }, says: "/pkg/a/.vscode" },
  { name: "with a turn", links: { "x/a.md": "a", ".cursor": "x/.." }, says: "/.cursor" },
  { name: "to what holds it", links: { ".claude": ".." }, says: "/.claude" },
  { name: "to the disk", links: { ".claude": "/" }, says: "/.claude" },
  { name: "through an open link", links: { ".claude": "here", here: "." }, says: "/.claude" },
  { name: "in a closed folder", links: { ".claude/hooks": "../" }, says: "/.claude/hooks" },
  {
    name: "in a folder that a closed link leads to",
    links: { ".claude": "agent", "agent/hooks": ".." },
    says: "/agent/hooks",
  },
  {
    name: "closed in node_modules",
    links: { "node_modules/p/.vscode": "../../.." },
    says: "/node_modules/p/.vscode",
  },
  { name: "in git's folder", links: { ".git/hooks": ".." }, says: "/.git/hooks" },
  { name: "in Toolscript's", links: { ".onetool/tools": ".." }, says: "/.onetool/tools" },
  {
    name: "of the repository around",
    place: "repo/app",
    files: { "../.git/HEAD": "" },
    links: { "../.claude": "app" },
    says: "/repo/.claude",
  },
  {
    name: "in a closed folder of the repository around",
    place: "repo/packages/app",
    files: { "../../.git/HEAD": "" },
    links: { "../../.claude/skills/one": "../../packages" },
    says: "/repo/.claude/skills/one",
  },
  {
    name: "in the repository of a worktree",
    files: {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
    },
    links: { "../main/.git/hooks": "../../project" },
    says: "/main/.git/hooks",
  },
];

for (const { name, links, says, files, ...options } of ROWS) {
  Deno.test(`a closed link to the whole project closes every file: ${name}`, () =>
    withProject({
      config: { packs: { file: { writable: ["open"] } } },
      files: { ...(links[".git/hooks"] ? REPOSITORY : {}), "docs/a.md": "", ...files },
      prepare: linking(links),
      ...options,
    }, async ({ call, refused }) => {
      for (const path of ["settings.json", "hooks/check.sh", "docs/b.md"]) {
        const { message } = await refused("file.write", { path, text: "x" });
        assert.match(message, /a closed link, ".*", leads to all of ".*"/);
        assert.match(message, new RegExp(`${says.replaceAll(".", "\\.")}", leads`));
        assert.match(message, /or open it with packs\.file\.writable/);
      }
      await call("file.write", { path: "open/a.md", text: "x" });
    }));
}

Deno.test("a closed link to another allowed folder closes that one, and what links in it lead to", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "../other"] } } },
    files: { "../other/a.md": "", "docs/a.md": "" },
    prepare: linking({ ".claude": "../other", "../other/settings.json": "../project/s.json" }),
  }, async ({ call, refused }) => {
    const { message } = await refused("file.write", { path: "../other/b.md", text: "x" });
    assert.match(message, /a closed link, ".*\/project\/\.claude", leads to all of ".*\/other"/);
    await refused("file.write", { path: "s.json", text: "x" });
    await call("file.write", { path: "docs/b.md", text: "x" });
  }));

Deno.test("a closed link that leads back from another allowed folder closes the project", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "../other"] } } },
    files: { "../other/a.md": "" },
    prepare: linking({ ".claude": "../other", "../other/hooks": "../project" }),
  }, async ({ refused }) => {
    const { message } = await refused("file.write", { path: "check.sh", text: "x" });
    assert.match(message, /a closed link, ".*\/other\/hooks", leads to all of ".*\/project"/);
  }));

Deno.test("links to the project that are open, or among packages, leave data open", () =>
  withProject({
    config: { servers: { s: { command: "node", args: ["server.js"] } } },
    files: { "server.js": "", "package.json": "{}" },
    prepare: linking({
      "docs/self": "..",
      "node_modules/self": "..",
      "node_modules/@x/self": "../..",
      "packages/a/node_modules/root": "../../..",
    }),
  }, async ({ call, refused }) => {
    await call("file.write", { path: "docs/a.md", text: "x" });
    await refused("file.write", { path: "lib/a.js", text: "x" });
  }));

Deno.test("data stays open where a script starts the server, and links among all files lead to the project", () =>
  withProject({
    config: { servers: { s: { command: "./start.sh" } } },
    files: { "start.sh": "exec node server.js\n", "packages/a/a.md": "" },
    prepare: linking({
      "src/self": "..",
      "node_modules/a": "../packages/a",
      "packages/a/node_modules/root": "../../..",
    }),
  }, async ({ call, refused }) => {
    await call("file.write", { path: "docs/a.md", text: "x" });
    await refused("file.write", { path: "lib/a.js", text: "x" });
  }));

Deno.test("hooks in a folder that holds the repository close their names there alone", async (t) => {
  const hooks = (path: string) => `[core]\n\thooksPath = ${path}\n`;
  const rows: Readonly<Record<string, ProjectOptions>> = {
    "the project": { files: { ".git/config": hooks(".") } },
    "the project, by its path": { files: { ".git/config": hooks("~/../project/") } },
    "of the person": { files: { ".git/config": "", "~/.gitconfig": hooks("./") } },
    "above a nested repository": { files: { "a/b/.git/config": hooks("../..") } },
    "the project, from the git folder": { files: { ".git/config": hooks("..") } },
  };
  for (const [name, options] of Object.entries(rows)) {
    await t.step(name, () =>
      withProject(options, async ({ call, refused }) => {
        for (const path of ["pre-commit", "post-checkout.exe", "update", "unknown-hook"]) {
          const { message } = await refused("file.write", { path, text: "x" });
          assert.match(message, /git's settings name it/);
        }
        await call("file.write", { path: "notes.md", text: "x" });
        await call("file.write", { path: "src/pre-commit", text: "x" });
        await call("file.make_folder", { path: "lib" });
        await call("file.delete", { path: "lib" });
      }));
  }
});

Deno.test("hooks in the folder above are closed where that is an allowed one", () =>
  withProject({
    config: { packs: { file: { allowed: [".", "../hooks"] } } },
    files: { "../hooks/app/.git/config": "[core]\n\thooksPath = ..\n" },
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "../hooks/pre-commit", text: "x" });
    await call("file.write", { path: "../hooks/a.sh", text: "x" });
    await call("file.write", { path: "pre-commit", text: "x" });
  }));

Deno.test("targets of links in a folder that holds hooks and other files are closed", () =>
  withProject({
    files: { ".git/config": "[core]\n\thooksPath = .\n", "scripts/check.sh": "" },
    prepare: linking({ "pre-commit": "scripts/check.sh", "notes.md": "docs/notes.md" }),
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "scripts/check.sh", text: "x", overwrite: true });
    await call("file.write", { path: "docs/notes.md", text: "x" });
  }));

Deno.test("hooks behind an open link to the project close their names, and the link", () =>
  withProject({
    files: { ".git/config": "[core]\n\thooksPath = hooks\n" },
    prepare: linking({ hooks: "." }),
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "pre-commit", text: "x" });
    await refused("file.delete", { path: "hooks" });
    await call("file.write", { path: "notes.md", text: "x" });
  }));
