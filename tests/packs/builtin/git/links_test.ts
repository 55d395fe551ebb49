/** The `git` pack in a repository from an archive, whose links lead to other files of the person. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { JsonObject } from "#base";
import { commitFirst, ignore, type Stage, withStage } from "./stage.ts";

const KEY = "3e4ec7eb39d9a014da35bf1fb4116ef028acc2ff";
const OUTSIDE = /^(?!.*3e4ec7e).*outside the allowed folders/;
const TOOLS = ["branches", "status", "log", "diff"];

/** Makes a repository with a commit, and files of the person outside of it. */
async function prepare(stage: Stage): Promise<void> {
  await commitFirst(stage);
  const { home } = stage;
  await Deno.writeTextFile(join(home, "key"), `${KEY}\n`);
  await Deno.mkdir(join(home, "theirs"));
  await Deno.writeTextFile(join(home, "theirs", "x"), `${KEY} and more\n`);
}

async function link({ home, project }: Stage, target: string, path: string): Promise<string> {
  const at = join(project, ".git", path);
  await Deno.mkdir(dirname(at), { recursive: true });
  await Deno.symlink(join(home, target), at);
  return at;
}

const LINKS: Readonly<Record<string, readonly [target: string, path: string]>> = {
  "a branch": ["key", "refs/heads/zz"],
  "a branch of a server": ["key", "refs/remotes/origin/zz"],
  "a branch with a name that is passed over elsewhere": ["key", "refs/heads/hooks/zz"],
  "a folder of branches": ["theirs", "refs/heads/sub"],
  "a folder of branches of a server": ["theirs", "refs/remotes"],
  "a tag that is in no list": ["key", "refs/tags/v1"],
  "a ref beside refs": ["key", "zz"],
  "a folder of refs beside refs": ["theirs", "zz"],
  "a ref of another work tree": ["key", "worktrees/w/HEAD"],
  "a log": ["key", "logs/refs/heads/zz"],
  "a table of refs": ["key", "reftable/tables.list"],
  "the settings of the work tree": ["theirs/x", "config.worktree"],
  "a commit that was fetched": ["key", "FETCH_HEAD"],
  "the shared part of the index": ["theirs/x", `sharedindex.${"1".repeat(40)}`],
};

for (const [name, [target, path]] of Object.entries(LINKS)) {
  Deno.test({
    name: `git reads no link that leads out of the allowed folders: ${name}`,
    ignore,
    fn: () =>
      withStage(async (stage) => {
        await prepare(stage);
        const at = await link(stage, target, path);
        for (const tool of TOOLS) await stage.refused(tool, {}, OUTSIDE);
        await Deno.remove(at);
        for (const tool of TOOLS) await stage.call(tool);
      }),
  });
}

Deno.test({
  name: "git reads no index and no settings through a link that leads out",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      for (const name of ["index", "config"]) {
        await Deno.rename(join(stage.project, ".git", name), join(stage.home, name));
        const at = await link(stage, name, name);
        for (const tool of TOOLS) await stage.refused(tool, {}, OUTSIDE);
        await Deno.remove(at);
        await Deno.rename(join(stage.home, name), at);
      }
      assert.equal((await stage.call("status")).clean, true);
    }),
});

Deno.test({
  name: "git reads no link that leads out of a linked folder, of a linked work tree or of a shape",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const { git, project, refused, call } = stage;
      await git("worktree", "add", "-q", "../project/tree", "-b", "side");
      const at = await link(stage, "key", "refs/heads/zz");
      await refused("branches", { repo: "tree" }, OUTSIDE);
      await Deno.remove(at);
      const own = await link(stage, "key", "worktrees/tree/refs/bisect/zz");
      await refused("branches", { repo: "tree" }, OUTSIDE);
      await Deno.remove(own);
      // The first link stays in the project, the second does not.
      const inside = await link(stage, "project/more", "refs/heads/more");
      await Deno.mkdir(join(project, "more"));
      await call("branches");
      await Deno.symlink(join(stage.home, "key"), join(project, "more", "zz"));
      await refused("branches", {}, OUTSIDE);
      await Deno.remove(inside);
      // A link in a circle ends.
      const round = join(project, ".git/refs/heads/round");
      await Deno.symlink("../heads", round);
      await call("branches");
      await Deno.remove(round);
      // Hooks are not looked through, but as refs they are.
      await link(stage, "key", "hooks/post-commit");
      for (const target of ["../..", "../../hooks"]) {
        await Deno.symlink(target, round);
        await refused("branches", {}, OUTSIDE);
        await Deno.remove(round);
      }
    }),
});

Deno.test({
  name: "git reads usual links: a symbolic ref of the old form, and hooks elsewhere",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const { git, project, call } = stage;
      await git("update-ref", "refs/remotes/origin/main", "HEAD");
      await Deno.symlink(
        "refs/remotes/origin/main",
        join(project, ".git/refs/remotes/origin/HEAD"),
      );
      await link(stage, "key", "hooks/post-commit");
      const { branches } = await call("branches", { kind: "all" }) as {
        branches: { name: string }[];
      };
      assert.deepEqual(branches.map(({ name }) => name).sort(), ["main", "origin/main"]);
      assert.equal(
        ((await call("log", { revision: "origin/HEAD" })).commits as unknown[]).length,
        1,
      );
      await Deno.symlink("refs/../../../key", join(project, ".git/refs/heads/zz"));
      await stage.refused("branches", {}, /^(?!.*3e4ec7e)/);
    }),
});

Deno.test({
  name: "git names no object that it did not find",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const { put, refused, call, git } = stage;
      // Hooks are not looked through; a ref may name them.
      await link(stage, "key", "hooks/zz");
      await put(".git/refs/heads/zz", "ref: hooks/zz\n");
      await refused("branches", {}, /^(?!.*3e4ec7e).*missing object/);
      for (const revision of ["zz", "hooks/zz", "main..zz"]) {
        await refused("log", { revision }, /^(?!.*3e4ec7e).*no commit/);
      }
      await put(".git/HEAD", "ref: refs/heads/zz\n");
      for (const tool of ["status", "diff"]) {
        const answer = await call(tool, { staged: true }).catch(({ message }) => message);
        assert.doesNotMatch(JSON.stringify(answer), /3e4ec7e/, tool);
      }
      await put(".git/HEAD", "ref: refs/heads/main\n");
      // What the caller named itself may be told.
      const id = (await git("rev-parse", "main")).trim();
      await refused("file", { file: "b.txt", revision: id }, new RegExp(`does not exist.*${id}`));
    }),
});

Deno.test({
  name: "git fails where a repository has too many files to look through",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const folder = join(stage.project, ".git/refs/many");
      await Deno.mkdir(folder);
      const nameAt = (at: number) => join(folder, `${at}`);
      for (let at = 0; at <= 250_000; at++) {
        // A file has at most 65,000 names.
        if (at % 50_000 === 0) Deno.writeTextFileSync(nameAt(at), "");
        else Deno.linkSync(nameAt(at - at % 50_000), nameAt(at));
      }
      await stage.refused("log", {}, /over 250,000 .*git pack-refs --all/);
    }),
});

const GITFILES: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "a file that names another repository": ({ put, home }) =>
    put("sub/.git", `gitdir: ${join(home, "private/.git")}\n`),
  "a repository with a linked branch": async ({ put, home, project }) => {
    await put("sub/.git/HEAD", "ref: refs/heads/zz\n");
    await Deno.mkdir(join(project, "sub/.git/objects"));
    await Deno.mkdir(join(project, "sub/.git/refs/heads"), { recursive: true });
    await Deno.symlink(
      join(home, "private/.git/refs/heads/main"),
      join(project, "sub/.git/refs/heads/zz"),
    );
  },
};

const ENTRIES: Readonly<Record<string, (stage: Stage, id: string) => Promise<unknown>>> = {
  "a submodule": ({ git }, id) => git("update-index", "--add", "--cacheinfo", `160000,${id},sub`),
  "a file": async ({ git }) => {
    const blob = await git("rev-parse", "HEAD:a.txt");
    await git("update-index", "--add", "--cacheinfo", `100644,${blob},sub`);
  },
  "two versions of a submodule": ({ git, project }, id) =>
    updateIndex(
      project,
      [1, 2, 3].map((stage) => `160000 ${id.replaceAll("1", `${stage}`)} ${stage}\tsub\n`),
      git,
    ),
  "two versions of a file": async ({ git, project }) => {
    const blob = await git("rev-parse", "HEAD:a.txt");
    await updateIndex(project, [2, 3].map((stage) => `100644 ${blob} ${stage}\tsub\n`), git);
  },
};

async function updateIndex(project: string, lines: string[], git: Stage["git"]): Promise<void> {
  const file = join(project, ".git", "lines");
  await Deno.writeTextFile(file, lines.join(""));
  await git("-c", "alias.feed=!git update-index --index-info <.git/lines", "feed");
  await Deno.remove(file);
}

for (const [entry, add] of Object.entries(ENTRIES)) {
  for (const [kind, make] of Object.entries(GITFILES)) {
    Deno.test({
      name: `git tells nothing of the repository in ${entry} of the index: ${kind}`,
      ignore,
      fn: () =>
        withStage(async (stage) => {
          await prepare(stage);
          const { git, call, home } = stage;
          await git("init", "-q", "-b", "main", join(home, "private"));
          await git("-C", join(home, "private"), "commit", "-qm", "x", "--allow-empty");
          const id = await git("-C", join(home, "private"), "rev-parse", "HEAD");
          await add(stage, "1".repeat(40));
          await make(stage);
          const rows: JsonObject[] = [{}, { from: "HEAD" }, { staged: true }, { file: "sub" }];
          for (const args of rows) {
            const answer = JSON.stringify(await call("diff", args));
            assert.ok(!answer.includes(id.slice(0, 7)), answer);
          }
          const answer = JSON.stringify(await call("status"));
          assert.ok(!answer.includes(id.slice(0, 7)), answer);
          assert.match(
            await git("diff", "--ignore-submodules=dirty"),
            new RegExp(id),
            "nothing was at stake",
          );
        }),
    });
  }
}

Deno.test({
  name: "git shows the submodules of commits and of what is staged",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const { git, call } = stage;
      await git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
      assert.match(
        String((await call("diff", { staged: true })).text),
        /^\+Subproject commit 1111/m,
      );
      const { changes } = await call("status") as { changes: { path: string }[] };
      assert.deepEqual(changes.map(({ path }) => path), ["sub"]);
      await git("commit", "-qm", "Second");
      assert.match(String((await call("show")).text), /^\+Subproject commit 1111/m);
      assert.match(String((await call("diff", { from: "HEAD~1", to: "HEAD" })).text), /Subproject/);
    }),
});

Deno.test({
  name: "git shows a file in whose place a folder or a link to a repository is now",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await prepare(stage);
      const { git, put, call, project } = stage;
      await Deno.remove(join(project, "a.txt"));
      await put("a.txt/b", "two\n");
      await git("add", "-N", ".");
      const { files } = await call("diff", { from: "HEAD" }) as { files: { path: string }[] };
      assert.deepEqual(files.map(({ path }) => path), ["a.txt", "a.txt/b"]);
      await Deno.remove(join(project, "a.txt"), { recursive: true });
      await Deno.symlink(".", join(project, "a.txt"));
      assert.match(String((await call("diff", { from: "HEAD" })).text), /^-one$/m);
    }),
});
