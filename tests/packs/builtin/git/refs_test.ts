/** The `git` pack where a name of a commit, or `HEAD`, leads to what is no ref. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitFirst, ignore, type Stage, withStage } from "./stage.ts";

/** Names by which git reads a file `m` of its hooks as a ref. */
const HIDDEN: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "hooks/m": () => Promise.resolve(),
  "hooks/m~0": () => Promise.resolve(),
  "main..hooks/m": () => Promise.resolve(),
  "zz": ({ put }) => put(".git/refs/heads/zz", "ref: hooks/m\n"),
  "zz^{commit}": async ({ git, put }) => {
    await git("branch", "zz");
    await put(".git/refs/zz", "ref: hooks/m\n");
  },
  "main@{u}": async ({ git }) => {
    await git("config", "branch.main.remote", "o");
    await git("config", "branch.main.merge", "refs/heads/m");
    await git("config", "remote.o.url", "x");
    await git("config", "remote.o.fetch", "+refs/heads/*:hooks/*");
  },
};

/** Where the branch with the name is another one. */
const LISTED: Readonly<Record<string, readonly string[]>> = { "zz^{commit}": ["main", "head"] };

for (const [revision, make] of Object.entries(HIDDEN)) {
  Deno.test({
    name: `git takes no file of its folder for a commit that is no ref: ${revision}`,
    ignore,
    fn: () =>
      withStage(async (stage) => {
        await commitFirst(stage);
        const { git, home, project, refused, call } = stage;
        await Deno.writeTextFile(join(home, "id"), `${await git("rev-parse", "main")}\n`);
        await Deno.symlink(join(home, "id"), join(project, ".git/hooks/m"));
        await make(stage);
        const [name = ""] = revision.split(/\.\.|\^/).slice(-1);
        assert.ok(await git("rev-parse", revision.includes("^") ? revision : name), "at stake");
        for (const tool of ["log", "show"]) {
          if (tool === "show" && revision.includes("..")) continue;
          await refused(
            tool,
            { revision },
            /no commit .* among branches, tags and other refs: name/,
          );
        }
        await refused("file", { file: "a.txt", revision: name }, /no commit|Cannot/);
        const { branches } = await call("branches") as { branches: { name: string }[] };
        assert.deepEqual(
          branches.map(({ name }) => name.slice(0, 4)),
          LISTED[revision] ?? ["main"],
        );
      }),
  });
}

/** Ways of `HEAD` or a ref through what is no ref, to a repository elsewhere. */
const LED: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "HEAD through a branch": ({ put }) => put(".git/refs/heads/main", "ref: hooks/m\n"),
  "HEAD": ({ put }) => put(".git/HEAD", "ref: hooks/m\n"),
  "HEAD with other blanks": ({ put }) => put(".git/HEAD", "ref:\thooks/m"),
  "HEAD with a turn": ({ put }) => put(".git/HEAD", "ref: refs/../hooks/m\n"),
  "a link in the place of a folder": async ({ project, home }) => {
    await Deno.symlink(join(home, "id"), join(project, ".git/lfs"));
  },
};

for (const [way, make] of Object.entries(LED)) {
  Deno.test({
    name: `git tells nothing of a repository elsewhere: ${way}`,
    ignore,
    fn: () =>
      withStage(async (stage) => {
        await commitFirst(stage);
        const { git, home, project, refused } = stage;
        await Deno.writeTextFile(join(home, "id"), `${await git("rev-parse", "main")}\n`);
        await Deno.symlink(join(home, "id"), join(project, ".git/hooks/m"));
        await make(stage);
        for (const tool of ["status", "branches"]) {
          await refused(
            tool,
            {},
            /leads to .*, which is no ref|outside the allowed folders|Cannot/,
          );
        }
      }),
  });
}

Deno.test({
  name: "git takes branches and tags with the names of its folders, in whole or not",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      const { git, call, put } = stage;
      await git("branch", "hooks/fix");
      await git("tag", "modules/v1");
      await git("tag", "main");
      await put("a.txt", "two\n");
      await git("commit", "-qam", "Second");
      await git("checkout", "-q", "hooks/fix");
      await git("checkout", "-q", "heads/main");
      const id = await git("rev-parse", "HEAD");
      const revisions = [
        "hooks/fix",
        "modules/v1",
        "main",
        "refs/heads/hooks/fix",
        "HEAD",
        "@",
        "HEAD~1",
        "@{-1}",
        "HEAD@{0}",
        "hooks/fix@{0}",
        id,
        id.slice(0, 10),
        "modules/v1^{commit}",
      ];
      for (const revision of revisions) {
        const { hash } = await call("show", { revision });
        assert.equal(hash, await git("rev-parse", `${revision}^{commit}`), revision);
      }
    }),
});
