/** A program changes what git starts where the repository names it by bytes that are no UTF-8, or by a
 * text that is read in another way than git reads it. */

import assert from "node:assert/strict";
import { type ProjectOptions, withProject } from "../support/project.ts";

const MARK = "\ufeff";
const HOOKS = "[core]\n\thooksPath = tools/hooks\n";

/** Repositories whose settings lie in an open folder, whose name git reads as it stands there. */
const EXACT: Readonly<Record<string, ProjectOptions & { readonly path?: string }>> = {
  "a byte order mark in commondir": {
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/commondir": `${MARK}../shared\n`,
      [`.git/${MARK}../shared/config`]: HOOKS,
    },
  },
  "a blank before a name in commondir": {
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/commondir": " ../shared\n",
      ".git/ /keep": "",
      ".git/ ../shared/config": HOOKS,
    },
  },
  "the end of a line in commondir": {
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/commondir": "../a\nb\n",
      "a\nb/config": HOOKS,
    },
  },
  "the end of a line in .git": {
    files: { ".git": "gitdir: a\nb\r\n", "a\nb/config": HOOKS },
  },
  "a byte order mark in .git": {
    files: { ".git": `gitdir: ${MARK}a\n`, [`${MARK}a/config`]: HOOKS },
  },
  "commondir of a bare repository": {
    files: {
      "deploy.git/HEAD": "ref: refs/heads/main\n",
      "deploy.git/objects/x": "",
      "deploy.git/refs/x": "",
      "deploy.git/commondir": "../shared\n",
      "shared/config": "[core]\n\thooksPath = ../tools/hooks\n",
    },
  },
  "a byte order mark before settings": { files: { ".git/config": `${MARK}${HOOKS}` } },
  "a byte order mark before a script": {
    files: { ".git/config": `[filter "x"]\n\tclean = ${MARK}tools/hooks/pre-commit %f\n` },
    path: `${MARK}tools/hooks/pre-commit`,
  },
  "another blank in a script": {
    files: { ".git/config": '[alias]\n\tx = "!\u00a0tools/\u3000hooks/pre-commit %f"\n' },
    path: "\u00a0tools/\u3000hooks/pre-commit",
  },
  "a byte order mark before an included file": {
    files: {
      ".git/config": `[include]\n\tpath = ${MARK}own\n`,
      [`.git/${MARK}own`]: HOOKS,
      ".git/own": "",
    },
  },
};

for (const [name, options] of Object.entries(EXACT)) {
  for (const hasGit of [true, false]) {
    Deno.test(`hooks are closed by ${name}${hasGit ? "" : ", without git"}`, () =>
      withProject({ ...options, hasGit }, async ({ call, refused }) => {
        const { path = "tools/hooks/pre-commit" } = options;
        await refused("file.write", { path, text: "x" });
        await call("file.write", { path: "docs/a.md", text: "x" });
      }));
  }
}

/** Scripts in the project: `$N` is a name that is no UTF-8, and a link to the folder `cfg`. */
const UNCLEAR: Readonly<Record<string, readonly [script: string, why: RegExp]>> = {
  "commondir": [
    'printf "../%s" "$N" > .git/commondir',
    /commondir" leads to a name that is no UTF-8/,
  ],
  "commondir, through a link": ["printf ../l > .git/commondir", /l" cannot be read/],
  "the end of a text of C in commondir": [
    "printf '../cfg\\000/x' > .git/commondir",
    /commondir" leads to a name/,
  ],
  "commondir with many ends of lines": [
    "{ printf ../cfg; head -c 70000 /dev/zero | tr '\\0' '\\n'; } > .git/commondir",
    /commondir" leads to a name/,
  ],
  ".git": ['rm -r .git; printf "gitdir: %s" "$N" > .git', /\.git" leads to a name/],
  "a worktree": [
    'mkdir -p .git/worktrees/w; printf "$N" > .git/worktrees/w/gitdir',
    /gitdir" leads/,
  ],
  "the name of a worktree": ['mkdir -p ".git/worktrees/$N"', /worktrees\/.* cannot be listed/],
  "the name of a submodule": ['mkdir -p ".git/modules/$N"', /modules\/.* cannot be listed/],
  "a folder of hooks": [
    'printf "[core]\\n\\thooksPath = %s\\n" "$N" > .git/config',
    /config" holds a value of "?core.* that is no UTF-8/,
  ],
  "a filter": [
    'printf "[filter \\"%s\\"]\\n\\tclean = ./%s/x\\n" "$N" "$N" > .git/config',
    /config" holds a value of "?filter.* that is no UTF-8/,
  ],
  "an included file": [
    'printf "[include]\\n\\tpath = ../%s/x\\n" "$N" > .git/config',
    /config" holds a value of "?include.* that is no UTF-8/,
  ],
};

for (const [name, [script, why]] of Object.entries(UNCLEAR)) {
  for (const hasGit of [true, false]) {
    Deno.test(`all files are closed by a name that is no UTF-8 in ${name}, git ${hasGit}`, () =>
      withProject({
        hasGit,
        files: { ".git/HEAD": "ref: refs/heads/main\n", "cfg/config": "", "docs/.keep": "" },
        prepare: ({ project }) => shell(project, script),
      }, async ({ refused }) => {
        const { message } = await refused("file.write", { path: "docs/a.md", text: "x" });
        assert.match(message, why);
      }));
  }
}

Deno.test("names of people and branches that are no UTF-8 close nothing", () =>
  withProject({
    files: { ".git/HEAD": "ref: refs/heads/main\n", "docs/.keep": "" },
    prepare: ({ project }) =>
      shell(
        project,
        `printf '[user]\\n\\tname = %s\\n[core]\\n\\thooksPath = tools/hooks\\n' "$N" > .git/config
        printf '[branch "%s"]\\n\\tmerge = refs/heads/%s\\n' "$N" "$N" >> .git/config
        mkdir -p .git/refs/heads; echo > ".git/refs/heads/$N"`,
      ),
  }, async ({ call, refused }) => {
    await call("file.write", { path: "docs/a.md", text: "x" });
    await refused("file.write", { path: "tools/hooks/pre-commit", text: "x" });
  }));

async function shell(project: string, script: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", `N=$(printf 'b\\377'); ln -s cfg "$N"; ln -s "$N" l; ${script}`],
    cwd: project,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}
