/** The `git` pack where a work tree holds another repository. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ignore, type Stage, withStage } from "./stage.ts";

/** Makes a repository with a commit in a folder of the project, and a filter that leaves a proof. */
async function makeNested({ home, git, put }: Stage, folder: string): Promise<string> {
  const inside = (...args: string[]) => git("-C", folder, ...args);
  const proof = join(home, "proof");
  await git("init", "-q", folder);
  await put(join(folder, ".gitattributes"), "*.txt filter=x\n");
  await put(join(folder, "a.txt"), "hello\n");
  await inside("add", ".");
  await inside("commit", "-qm", "Nested");
  await inside("config", "filter.x.clean", `touch ${proof}; cat`);
  await put(join(folder, "a.txt"), "jello\n");
  return proof;
}

const WORK_TREES: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "its work tree": ({ git }) => git("config", "core.worktree", "../sub"),
  "its work tree, by a setting of the work tree": async ({ git }) => {
    await git("config", "extensions.worktreeConfig", "true");
    await git("config", "--worktree", "core.worktree", "../sub");
  },
  "its work tree, by a link": async ({ project, git }) => {
    await Deno.symlink("sub", join(project, "link"));
    await git("config", "core.worktree", "../link");
  },
  "a submodule": ({ git }) => git("add", "sub"),
  "a folder": () => Promise.resolve(),
};

for (const [place, use] of Object.entries(WORK_TREES)) {
  Deno.test({
    name: `git starts no filter of a repository that is ${place} of another`,
    ignore,
    fn: () =>
      withStage(async (stage) => {
        await stage.git("init", "-q");
        await stage.put("b.txt", "one\n");
        await stage.git("add", "b.txt");
        await stage.git("commit", "-qm", "Outer");
        const proof = await makeNested(stage, "sub");
        await use(stage);
        await stage.call("status");
        await stage.call("diff");
        await stage.call("diff", { from: "HEAD" });
        await assert.rejects(Deno.stat(proof), Deno.errors.NotFound);
        const { commits } = await stage.call("log") as { commits: { subject: string }[] };
        assert.deepEqual(commits.map(({ subject }) => subject), ["Outer"]);
        await stage.git("-C", "sub", "diff");
        await Deno.stat(proof);
      }),
  });
}

Deno.test({
  name: "git reads no repository elsewhere that the work tree of another names",
  ignore,
  fn: () =>
    withStage(async ({ home, git, put, call, refused }) => {
      const theirs = join(home, "theirs");
      await git("init", "-q", theirs);
      await Deno.writeTextFile(join(theirs, "key.txt"), "sesame\n");
      await git("-C", theirs, "add", ".");
      await git("-C", theirs, "commit", "-qm", "Theirs");
      await git("init", "-q");
      await put("b.txt", "one\n");
      await git("add", "b.txt");
      await git("commit", "-qm", "Outer");
      await put("sub/.git", `gitdir: ${join(theirs, ".git")}\n`);
      await git("config", "core.worktree", "../sub");
      await refused("file", { file: "key.txt" }, /^(?!.*sesame)/);
      const { commits } = await call("log") as { commits: { subject: string }[] };
      assert.deepEqual(commits.map(({ subject }) => subject), ["Outer"]);
      await refused("status", { repo: "sub" }, /outside the allowed folders/);
    }),
});
