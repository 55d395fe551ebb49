/** Settings of worktrees and submodules that lie beside the project name files of it. */

import { join } from "node:path";
import { type ProjectOptions, withProject } from "../support/project.ts";

const HOOKS = "[core]\n\thooksPath = ";
const ROWS: Readonly<Record<string, ProjectOptions>> = {
  "of a worktree, by a whole path": {
    files: {
      ".git/worktrees/wt/config.worktree": `${HOOKS}~/../project/tools/hooks\n`,
      ".git/worktrees/wt/gitdir": "/missing/wt/.git\n",
    },
  },
  "of a worktree without a place": {
    files: { ".git/worktrees/wt/config.worktree": `${HOOKS}~/../project/tools/hooks\n` },
  },
  "of a worktree, from its place": {
    files: { ".git/worktrees/wt/config.worktree": `${HOOKS}../project/tools/hooks\n` },
    prepare: ({ project }) => placed(project, join(project, "../wt/.git")),
  },
  "of a worktree, from a place that is relative": {
    files: {
      ".git/worktrees/wt/config.worktree": `${HOOKS}../../project/tools/hooks\n`,
      ".git/worktrees/wt/gitdir": "../../../../a/wt/.git\n",
    },
  },
  "of the repository, from the place of a worktree": {
    files: {
      ".git/config": `${HOOKS}../a/project/tools/hooks\n`,
      ".git/worktrees/wt/gitdir": "../../../../../wt/.git\n",
    },
    place: "a/project",
  },
  "of the main work tree, in a worktree": {
    files: {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
      "../main/.git/config.worktree": `${HOOKS}../project/tools/hooks\n`,
    },
  },
  "of another worktree, in a worktree": {
    files: {
      ".git": "gitdir: ../main/.git/worktrees/one\n",
      "../main/.git/worktrees/one/commondir": "../..\n",
      "../main/.git/worktrees/two/gitdir": "../../../../two/.git\n",
      "../main/.git/worktrees/two/config.worktree": `${HOOKS}../project/tools/hooks\n`,
    },
  },
  "of a submodule beside the project": {
    place: "repo/app",
    files: {
      "../.git/config": "[core]\n",
      "../.git/modules/libs/sub/config": `${HOOKS}../../app/tools/hooks\n` +
        "\tworktree = ../../../../libs/sub\n",
    },
  },
  "of a submodule of a submodule": {
    place: "repo/app",
    files: {
      "../.git/config": "[core]\n",
      ...repository("../.git/modules/libs"),
      "../.git/modules/libs/modules/sub/config": `${HOOKS}../../app/tools/hooks\n` +
        "\tworktree = ../../../../../libs/sub\n",
    },
  },
  "of a submodule in a worktree": {
    files: {
      ".git/worktrees/wt/gitdir": "../../../../wt/.git\n",
      ".git/worktrees/wt/modules/sub/config": `${HOOKS}~/../project/tools/hooks\n`,
    },
  },
  "of a worktree of a submodule": {
    files: {
      ...repository(".git/modules/sub"),
      ".git/modules/sub/worktrees/wt/gitdir": "../../../../../../wt/.git\n",
      ".git/modules/sub/worktrees/wt/config.worktree": `${HOOKS}../project/tools/hooks\n`,
    },
  },
  "of a worktree, in a folder that a link leads to": {
    files: {
      ".git/worktrees/wt/config.worktree": `${HOOKS}hooks\n`,
      ".git/worktrees/wt/gitdir": "../../../../wt/.git\n",
    },
    prepare: async ({ project }) => {
      await Deno.mkdir(join(project, "../wt"));
      await Deno.symlink("../project/tools/hooks", join(project, "../wt/hooks"));
    },
  },
  "of modules behind a link": {
    files: { "../store/sub/config": `${HOOKS}~/../project/tools/hooks\n` },
    prepare: async ({ project }) => {
      await Deno.mkdir(join(project, ".git"));
      await Deno.symlink("../../store", join(project, ".git/modules"));
    },
  },
  "of the submodule, by its work tree": {
    files: {
      "sub/.git": "gitdir: ../.git/modules/sub\n",
      ".git/modules/sub/config": `${HOOKS}../tools/hooks\n\tworktree = ../../../sub\n`,
    },
  },
};

function repository(folder: string): Record<string, string> {
  return Object.fromEntries(
    ["HEAD", "objects/.keep", "refs/.keep"].map((name) => [`${folder}/${name}`, ""]),
  );
}

async function placed(project: string, text: string): Promise<void> {
  await Deno.writeTextFile(join(project, ".git/worktrees/wt/gitdir"), `${text}\n`);
}

for (const [name, options] of Object.entries(ROWS)) {
  Deno.test(`folders that git's settings name are closed: ${name}`, () =>
    withProject(options, async ({ call, refused }) => {
      await refused("file.write", { path: "tools/hooks/pre-commit", text: "x" });
      await call("file.write", { path: "tools/other/pre-commit", text: "x" });
    }));
}
