/** A program changes what git's settings name, in whatever form these say it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const HOOK = "app/tools/hooks/pre-commit";
const HOOKS: Readonly<Record<string, string>> = {
  "below the home folder": "[core]\n\thooksPath = ~/pa/app/tools/hooks\n",
  "by the name of the person": "[core]\n\thooksPath = ~me/pa/app/tools/hooks\n",
  "quoted in part": '[core]\n\thooksPath = app/"tools"/hooks\n',
  "with escapes": '[core]\n\thooksPath = "app/\\"x\\"/../tools/hooks" ; why\n',
  "with blanks and a comment": "[core]\n\thooksPath = app/my tools/../tools/hooks # why\n",
  "in two lines": "[core]\n\thooksPath = app/too\\\nls/hooks\n",
  "in capitals": "[CORE]HOOKSPATH=app/tools/hooks\n",
  "of many branches": "[core]\n\thooksPath = app/tools/hooks\n" +
    Array.from(
      { length: 12_000 },
      (_, at) => `[branch "feature/${"0".repeat(100)}${at}"]\n\tremote = o\n`,
    )
      .join(""),
  "included": "[include]\n\tpath = ~/pa/more\n",
  "included for other folders": '[includeIf "gitdir:/nowhere/"]\n\tpath = ../more\n',
};

for (
  const [name, text, hasGit] of Object.entries(HOOKS).flatMap(([name, text]) => [
    [name, text, true] as const,
    [`${name}, without git`, text, false] as const,
  ])
) {
  Deno.test(`hooks that git's settings name are closed: ${name}`, () =>
    withProject({
      place: "home/pa",
      hasGit,
      files: { ".git/config": text, more: "[core]\n\thooksPath = app/tools/hooks\n" },
    }, async ({ call, refused }) => {
      await refused("file.write", { path: HOOK, text: "x" });
      await call("file.write", { path: "app/tools/hooks.md", text: "x" });
    }));
}

Deno.test("scripts in commands of git's settings are closed, also before they are there", async (t) => {
  const values = {
    "~": "~/pa/app/tools/clean %f",
    "$HOME": "$HOME/pa/app/tools/clean %f",
    "${HOME}": '\\"${HOME}/pa/app/tools/clean\\" %f',
    "cd": "cd app && tools/clean",
    "cd there": "cd ./app/tools; ./clean %f",
    "an option": "sh -c 'x --with=app/tools/clean'",
    "a path that is made": "$(git rev-parse --show-toplevel)/app/tools/clean %f",
    "$PWD": '\\"$PWD\\"/app/tools/clean %f',
    "cd to one that is made": 'cd \\"$(git rev-parse --show-toplevel)/app/tools\\" && ./clean',
    "PATH": "PATH=app/tools:$PATH clean %f",
  };
  for (const [name, value] of Object.entries(values)) {
    await t.step(name, () =>
      withProject({
        place: "home/pa",
        files: {
          ".git/config": `[filter "x"]\n\tclean = "${value}"\n[branch "x"]\n\tmerge = docs\n`,
          "docs/a.md": "",
        },
      }, async ({ call, refused }) => {
        await refused("file.write", { path: "app/tools/clean", text: "x" });
        await call("file.write", { path: "app/tools/other", text: "x" });
        await call("file.write", { path: "docs/b.md", text: "x" });
      }));
  }
});

Deno.test("settings of the repository around, of nested ones and of the person count", async (t) => {
  const rows = {
    "around": { "../.git/config": "[core]\n\thooksPath = app/tools/hooks\n" },
    "nested": {
      "tools/.git/config": "[core]\n\thooksPath = hooks\n",
      ".git/config": "[core]\n",
    },
    "a submodule": {
      "tools/.git": "gitdir: ../.git/modules/tools\n",
      ".git/modules/tools/config": "[core]\n\tworktree = ../../../tools\n\thooksPath = hooks\n",
    },
    "the person's": {
      ".git/config": "[core]\n",
      "~/.gitconfig": "[include]\n\tpath = ~/../repo/app/settings\n",
      "settings": "[core]\n\thooksPath = tools/hooks\n",
    },
  };
  for (const [name, files] of Object.entries(rows)) {
    await t.step(
      name,
      () =>
        withProject({ place: "repo/app", files }, async ({ call, refused }) => {
          await refused("file.write", { path: "tools/hooks/pre-commit", text: "x" });
          await refused("file.make_folder", { path: "tools/hooks/x" });
          await call("file.write", { path: "tools/a.md", text: "x" });
        }),
    );
  }
});

Deno.test("settings that Toolscript's environment names count", async (t) => {
  const hooks = "[core]\n\thooksPath = tools/hooks\n";
  const rows: Record<string, [variables: Record<string, string>, files: Record<string, string>]> = {
    "XDG_CONFIG_HOME": [{ XDG_CONFIG_HOME: "HOME/xdg" }, { "~/xdg/git/config": hooks }],
    "GIT_CONFIG_GLOBAL": [{ GIT_CONFIG_GLOBAL: "HOME/my.settings" }, { "~/my.settings": hooks }],
    "GIT_CONFIG_SYSTEM": [{ GIT_CONFIG_SYSTEM: "HOME/system" }, { "~/system": hooks }],
    "a path from the folder of the repository": [{ GIT_CONFIG_GLOBAL: "conf/git" }, {
      "conf/git": hooks,
    }],
    "what another program reads": [{ GIT_CONFIG_GLOBAL: "/dev/null" }, { "~/.gitconfig": hooks }],
    "included": [{ GIT_CONFIG_GLOBAL: "HOME/one/git" }, {
      "~/one/git": "[include]\n\tpath = two\n",
      "~/one/two": hooks,
    }],
    "an empty one": [{ XDG_CONFIG_HOME: "" }, { "~/.config/git/config": hooks }],
    "a value": [{
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: "tools/hooks",
    }, {}],
  };
  for (const [name, [variables, files]] of Object.entries(rows)) {
    await t.step(name, () =>
      withProject({
        files: { ".git/config": "[core]\n", ...files },
        variables: (home) =>
          Object.fromEntries(
            Object.entries(variables).map(([name, value]) => [name, value.replace("HOME", home)]),
          ),
      }, async ({ call, refused }) => {
        await refused("file.write", { path: "tools/hooks/pre-commit", text: "x" });
        const own = Object.keys(files).filter((path) => !path.startsWith("~/"));
        for (const path of own) await refused("file.write", { path, text: "x", overwrite: true });
        await call("file.write", { path: "tools/a.md", text: "x" });
      }));
  }
});

Deno.test("settings that cannot be read close every file, and the refusal says why", async (t) => {
  const rows: readonly (readonly [RegExp, string])[] = [
    [/git may start it: ".*\/\.git\/config" has over 8 MB/, `[a]\n\tb = ${"x".repeat(8 << 20)}\n`],
    [/git may start it: git's settings name over 200000 files/, `[a]\n\tb = ${wordsOf(200_001)}\n`],
    [/git may start it: ".*" includes over 1000 files/, includes(1_001)],
  ];
  for (const [why, text] of rows) {
    await t.step(why.source, () =>
      withProject({
        config: { packs: { file: { writable: ["open"] } } },
        files: { ".git/config": text },
      }, async ({ call, refused }) => {
        const { message } = await refused("file.write", { path: "docs/a.md", text: "x" });
        assert.match(message, why);
        assert.match(message, /or open it with packs\.file\.writable/);
        await call("file.write", { path: "open/a.md", text: "x" });
      }));
  }
});

Deno.test("settings that git refuses close nothing, as it starts nothing", () =>
  withProject({
    files: {
      "deep/.git/HEAD": "ref: refs/heads/main\n",
      "deep/.git/objects/x": "",
      "deep/.git/refs/x": "",
      "deep/.git/config": "[core\n",
      ".git/config": "[core]\n\thooksPath = hooks\n",
    },
  }, async ({ project, call, refused }) => {
    const { code, stderr } = new Deno.Command("git", {
      args: ["status"],
      cwd: join(project, "deep"),
      env: { GIT_CEILING_DIRECTORIES: project },
    }).outputSync();
    assert.equal(code, 128);
    assert.match(new TextDecoder().decode(stderr), /^fatal: bad config line/);
    await call("file.write", { path: "deep/a.md", text: "x" });
    await refused("file.write", { path: "hooks/pre-commit", text: "x" });
  }));

Deno.test("settings that change count at the next look", () =>
  withProject({ files: { ".git/config": "[core]\n" } }, async ({ project, call, refused }) => {
    const pass = () => new Promise((resolve) => setTimeout(resolve, 2_100));
    await pass();
    await call("file.write", { path: "hooks/a.sh", text: "x" });
    await Deno.writeTextFile(join(project, ".git/config"), "[core]\n\thooksPath = hooks\n");
    await pass();
    await refused("file.edit", { path: "hooks/a.sh", old: "x", new: "y" });
  }));

function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, at) => at.toString(36)).join(" ");
}

function includes(count: number): string {
  return Array.from({ length: count }, (_, at) => `[include]\n\tpath = x${at}\n`).join("");
}

Deno.test("modules and names with blanks in commands of git's settings are closed", () =>
  withProject({
    files: {
      ".git/HEAD": "",
      ".git/config": "[alias]\n\tpy = !python3 -m tools.one\n\tjs = !node tools/two\n" +
        '\tesc = "!sh ./tools/my\\\\ three.sh"\n',
    },
  }, async ({ call, refused }) => {
    for (const path of ["tools/one.py", "tools/two.js", "tools/my three.sh"]) {
      await refused("file.write", { path, text: "x" });
    }
    await call("file.write", { path: "tools/four.js", text: "x" });
  }));

Deno.test("settings of a bare repository in the project count", () =>
  withProject({
    files: {
      "deploy.git/HEAD": "",
      "deploy.git/objects/.keep": "",
      "deploy.git/refs/.keep": "",
      "deploy.git/config": "[core]\n\thooksPath = ../ci\n",
    },
  }, async ({ call, refused }) => {
    await refused("file.write", { path: "ci/post-receive", text: "x" });
    await call("file.write", { path: "cd/post-receive", text: "x" });
  }));
