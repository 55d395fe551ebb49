/** Memory of git: that of one process, and the number of processes of a run. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram, sleep } from "#base";
import { commitFirst, gitPack, ignore, type Stage, withStage } from "./stage.ts";

const MEGABYTE = 1_000_000;
const isUnbounded = ignore || findProgram("prlimit") === undefined;
const TOO_LARGE = {
  name: "PackError",
  code: "too_large",
  message: /^Cannot ask git: "git \w+" needs more than 1 GB of memory: /,
};

/** Commits a file, and those beside it. */
async function commitFile({ git, put }: Stage, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) await put(path, text);
  await git("-c", "core.bigFileThreshold=1m", "add", ".");
  await git("commit", "-qm", "More");
}

Deno.test({
  name: "a diff of millions of lines is too large, and the next call works",
  ignore: isUnbounded,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      await commitFile(stage, { "lines.txt": "\n".repeat(25 * MEGABYTE) });
      await assert.rejects(stage.call("show"), TOO_LARGE);
      await stage.put("a.txt", "\n".repeat(25 * MEGABYTE));
      await assert.rejects(stage.call("diff"), TOO_LARGE);
      await assert.rejects(stage.call("diff", { from: "HEAD~1" }), TOO_LARGE);
      const { files } = await stage.call("show", { file: "a.txt", revision: "HEAD~1" });
      assert.deepEqual(files, [
        { path: "a.txt", from: null, status: "added", added: 1, deleted: 0 },
      ]);
      assert.deepEqual((await stage.call("status")).branch, "main");
    }),
});

Deno.test({
  name: "a file of over 32 MB is text to git only where an attribute says so, within the limit",
  ignore: isUnbounded,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      await commitFile(stage, {
        ".gitattributes": "forced.txt diff\n",
        "forced.txt": "\n".repeat(34 * MEGABYTE),
      });
      await assert.rejects(stage.call("show"), TOO_LARGE);
      await stage.git("mv", "forced.txt", "b.txt");
      await stage.git("commit", "-qm", "Renamed");
      const { files, text } = await stage.call("show");
      assert.deepEqual(files, [
        { path: "b.txt", from: "forced.txt", status: "renamed", added: null, deleted: null },
      ]);
      assert.match(`${text}`, /^rename to b\.txt$/m);
    }),
});

Deno.test({
  name: "a file of over 32 MB is binary to git, and can be read",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      const line = `${"x".repeat(999)}\n`;
      await commitFile(stage, {
        "long.txt": line.repeat(34_000),
        "short.txt": line.repeat(30_000),
      });
      const counts = (files: unknown) =>
        (files as { path: string; added: number | null }[]).map(({ path, added }) => [path, added]);
      const commit = await stage.call("show", { context: 0 });
      assert.deepEqual(counts(commit.files), [["long.txt", null], ["short.txt", 30_000]]);
      assert.match(`${commit.text}`, /^Binary files \/dev\/null and b\/long\.txt differ$/m);
      await stage.put("long.txt", line.repeat(35_000));
      await stage.put("short.txt", line.repeat(31_000));
      const { files, text } = await stage.call("diff");
      assert.deepEqual(counts(files), [["long.txt", null], ["short.txt", 1_000]]);
      assert.match(`${text}`, /^Binary files a\/long\.txt and b\/long\.txt differ$/m);
      const { text: start, more } = await stage.call("file", { file: "long.txt" });
      assert.ok(`${start}`.startsWith(line.repeat(1_000)));
      assert.ok(more);
      const { lines } = await stage.call("blame", { file: "long.txt", limit: 1 });
      assert.equal((lines as unknown[]).length, 1);
    }),
});

interface SlowStage {
  call(run: string, signal?: AbortSignal): Promise<unknown>;
  /** Resolves with the number of processes that wait, once they are so many and a while later. */
  waiting(least: number): Promise<number>;
  /** Lets all of them go on. */
  end(): Promise<void>;
}

/** A project whose git waits for its settings. */
async function withSlowGit(work: (stage: SlowStage) => Promise<void>): Promise<void> {
  await withStage(async (stage) => {
    await commitFirst(stage);
    const { home, project } = stage;
    const pipe = join(home, ".gitconfig");
    assert.ok((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success);
    const pack = await gitPack(stage);
    await work({
      call: (run, signal) => pack.call("diff", {}, { signal, origin: { run } }),
      async waiting(least) {
        while (await countOf(project) < least) await sleep(20);
        await sleep(200);
        return await countOf(project);
      },
      async end() {
        using _writer = await Deno.open(pipe, { read: true, write: true });
        await Deno.writeTextFile(join(home, "empty"), "");
        await Deno.rename(join(home, "empty"), pipe);
      },
    });
  });
}

/** Number of processes of git in a folder. */
async function countOf(folder: string): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eww", "-o", "args="] }).output();
  const lines = new TextDecoder().decode(stdout).split("\n");
  return lines.filter((line) => line.includes(`-C ${folder} --no-pager`)).length;
}

Deno.test({
  name: "two processes of git belong to one run at the same time",
  ignore,
  fn: () =>
    withSlowGit(async ({ call, waiting, end }) => {
      const calls = [1, 2, 3].map(() => call("r_a"));
      assert.equal(await waiting(2), 2);
      calls.push(call("r_b"));
      assert.equal(await waiting(3), 3);
      await end();
      await Promise.all(calls);
    }),
});

Deno.test({
  name: "a call whose processes wait ends with its run, and leaves no place taken",
  ignore,
  fn: () =>
    withSlowGit(async ({ call, waiting, end }) => {
      const run = new AbortController();
      const rejections = [1, 2, 3].map(() =>
        assert.rejects(call("r_a", run.signal), { code: "cancelled" })
      );
      assert.equal(await waiting(2), 2);
      run.abort();
      await Promise.all(rejections);
      const later = [1, 2].map(() => call("r_a"));
      assert.equal(await waiting(2), 2);
      await end();
      await Promise.all(later);
    }),
});
