/** Names in an index of git that lead out of the work tree. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { findProgram, type JsonObject } from "#base";
import { loadConfig } from "#config";
import { createFolders } from "../../packs/builtin/kit/mod.ts";
import { openRepository } from "../../packs/builtin/git/repository.ts";
import { closedOf } from "../support/closed.ts";
import { ignore, type Stage, withStage } from "../packs/builtin/git/stage.ts";

const EMPTY = createHash("sha1").update("blob 0\0").digest();

interface IndexOptions {
  /** Stage of a conflict (0). */
  readonly stage?: number;
  /** File that all entries are said to be. */
  readonly file?: Deno.FileInfo;
}

/** An index of git with empty files of some names. */
function indexOf(names: readonly string[], { stage = 0, file }: IndexOptions = {}): Uint8Array {
  const seconds = (date?: Date | null) => Math.floor(Number(date ?? 0) / 1_000);
  const entries = names.toSorted().map((name) => {
    const bytes = new TextEncoder().encode(name);
    const end = 62 + bytes.length;
    const entry = new Uint8Array(end + 8 - end % 8);
    const view = new DataView(entry.buffer);
    view.setUint32(0, seconds(file?.ctime));
    view.setUint32(8, seconds(file?.mtime));
    view.setUint32(20, file?.ino ?? 0);
    view.setUint32(24, 0o100644);
    view.setUint32(28, file?.uid ?? 0);
    view.setUint32(32, file?.gid ?? 0);
    view.setUint32(36, file?.size ?? 0);
    entry.set(EMPTY, 40);
    view.setUint16(60, Math.min(bytes.length, 0xfff) | (stage << 12));
    entry.set(bytes, 62);
    return entry;
  });
  const head = new Uint8Array(12);
  head.set(new TextEncoder().encode("DIRC"));
  new DataView(head.buffer).setUint32(4, 2);
  new DataView(head.buffer).setUint32(8, entries.length);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** A repository with one commit, and a file beside it that `git` may not read. */
async function makeStage({ home, git, put }: Stage): Promise<void> {
  await git("init", "-q", "-b", "main");
  await put("a.txt", "one\n");
  await git("add", ".");
  await git("commit", "-qm", "First");
  await put("empty", "");
  await git("hash-object", "-w", "empty");
  await Deno.writeTextFile(join(home, "key"), "SECRET of the user\n");
}

const NAMES: Readonly<Record<string, (home: string) => string>> = {
  "that leads above": () => "../key",
  "that leads above by a folder": () => "sub/../../key",
  "that is absolute": (home) => `${home}/key`,
  "that is absolute, with two slashes": (home) => `/${home}/key`,
  "of the repository's own folder": () => ".git/config",
  "of its own folder, in capitals": () => ".GIT/config",
};

const CALLS = [["diff", {}], ["diff", { from: "HEAD" }], ["status", {}]] as const;

for (const [kind, nameOf] of Object.entries(NAMES)) {
  for (const stage of [0, 2]) {
    Deno.test({
      name: `git shows no file by a name in the index ${kind}, in stage ${stage}`,
      ignore,
      fn: () =>
        withStage(async (place) => {
          const { home, project, call } = place;
          await makeStage(place);
          await place.put("sub/b.txt", "two\n");
          await Deno.writeFile(
            join(project, ".git/index"),
            indexOf([nameOf(home), "a.txt"], { stage }),
          );
          for (const [tool, args] of CALLS) {
            const answer = await call(tool, args).catch(String);
            assert.doesNotMatch(JSON.stringify(answer), /SECRET|repositoryformatversion/);
          }
          await place.refused(
            "diff",
            {},
            /the repository names ".*", which is no path below its work tree/,
          );
        }),
    });
  }
}

Deno.test({
  name: "git shows no file by a name in a shared index",
  ignore,
  fn: () =>
    withStage(async (place) => {
      const { home, project, git } = place;
      await makeStage(place);
      await Deno.writeFile(join(project, ".git/index"), indexOf([`${home}/key`, "a.txt"]));
      await git("update-index", "--split-index");
      await place.refused("diff", {}, /the repository names/);
    }),
});

const LINKS: Readonly<Record<string, { readonly link: string; readonly name: string }>> = {
  "that leads outside": { link: "../outside", name: "link/key" },
  "to a folder above": { link: "..", name: "link/outside/key" },
  "in the midst of a path": { link: "../../outside", name: "sub/link/key" },
  "to itself": { link: ".", name: "link/link/to-outside/key" },
};

const comparisons = (file: string): JsonObject[] => [
  { staged: true },
  { staged: true, file },
  {},
  { from: "HEAD" },
];

for (const [kind, { link, name }] of Object.entries(LINKS)) {
  for (const settings of [[], ["core.checkStat=minimal", "core.trustctime=false"]]) {
    Deno.test({
      name:
        `git shows no file behind a link ${kind} that looks unchanged, ${settings.length} settings`,
      ignore,
      fn: () =>
        withStage(async (place) => {
          const { home, project, git, put, call } = place;
          await makeStage(place);
          await put("../outside/key", "SECRET of the user\n");
          await put("sub/b.txt", "two\n");
          const key = join(home, "outside/key");
          await Deno.utime(key, 1_000_000_000, 1_000_000_000); // older than the index
          await Deno.symlink("../outside", join(project, "to-outside"));
          await Deno.symlink(link, join(project, name.slice(0, name.indexOf("link") + 4)));
          for (const setting of settings) await git("config", ...setting.split("="));
          const file = await Deno.stat(key);
          await Deno.writeFile(join(project, ".git/index"), indexOf([name, "b.txt"], { file }));
          for (const args of comparisons(name)) {
            assert.doesNotMatch(JSON.stringify(await call("diff", args)), /SECRET/);
          }
          const { files } = await call("diff", { staged: true }) as { files: { path: string }[] };
          assert.deepEqual(files.map(({ path }) => path).toSorted(), ["a.txt", "b.txt"]);
        }),
    });
  }
}

/** Writes a git that does not know `safe.bareRepository`, as before 2.38. Returns its path. */
async function writeOldGit(home: string): Promise<string> {
  const path = join(home, "old-git");
  const script = `#!/bin/sh
for name in $(env | sed -n 's/^\\(GIT_CONFIG_KEY_[0-9]*\\)=safe.bareRepository$/\\1/p'); do
  export "$name=safe.unknown"
done
exec ${findProgram("git")} "$@"
`;
  await Deno.writeTextFile(path, script, { mode: 0o755 });
  return path;
}

Deno.test({
  name: "git reads no repository that is part of a clone, whatever git's version",
  ignore,
  fn: () =>
    withStage(async (place) => {
      const { home, project, git } = place;
      await makeStage(place);
      for (const name of ["HEAD", "objects", "refs", "index"]) {
        await place.put("fixture/.keep", "");
        await Deno.rename(join(project, ".git", name), join(project, "fixture", name));
      }
      await place.put(
        "fixture/config",
        "[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\n",
      );
      await place.put("fixture/sub/a.txt", "");
      await git("init", "-q");
      const config = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
      const closed = closedOf(config);
      const folders = createFolders({ project, home, allowed: [project], key: "here", closed });
      const path = await writeOldGit(home);
      const program = () => ({ path, home, timeoutMs: 60_000, maxOutputBytes: 10_000 });
      const call = { signal: new AbortController().signal, run: undefined };
      for (const folder of ["fixture", "fixture/sub"]) {
        await assert.rejects(openRepository(folder, { folders, program }, call), {
          message: /it has no \.git: clone it/,
        });
      }
      await openRepository(".", { folders, program }, call);
    }),
});
