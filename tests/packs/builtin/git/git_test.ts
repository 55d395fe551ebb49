/** The `git` pack over real repositories, friendly and hostile. */

import assert from "node:assert/strict";
import { status } from "../../../../packs/builtin/git/changes.ts";
import type { Repository } from "../../../../packs/builtin/git/repository.ts";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { ignore, withStage } from "./stage.ts";

Deno.test({
  name: "git returns state and history as objects",
  ignore,
  fn: () =>
    withStage(async ({ git, put, call, refused }) => {
      await git("init", "-q", "-b", "main");
      const empty = await call("status");
      assert.deepEqual([empty.branch, empty.hash], ["main", null]);
      await refused("log", {}, /no commit "HEAD"/);
      await put("a b.txt", "one\ntwo\nthree\n");
      await put("é\n.txt", "x\n");
      await git("add", ".");
      await git("commit", "-qm", "First\n\nWith a body");
      await git("mv", "a b.txt", "c.txt");
      await put("c.txt", "one\ntwo\nthree\nfour\n");
      await put("bin", "a\0b");
      await git("add", ".");
      await git("commit", "-qm", "Second");
      await git("branch", "old", "HEAD~1");
      await git("tag", "v1");
      await put("c.txt", "ONE\ntwo\nthree\nfour\n");
      await put("new.txt", "n\n");
      await put("staged.txt", "s\n");
      await git("add", "staged.txt");
      const id = await git("rev-parse", "HEAD");

      const status = await call("status");
      assert.deepEqual([status.branch, status.hash, status.clean], ["main", id, false]);
      assert.deepEqual(status.changes, [
        { path: "c.txt", from: null, staged: "unchanged", unstaged: "modified" },
        { path: "staged.txt", from: null, staged: "added", unstaged: "unchanged" },
        { path: "new.txt", from: null, staged: "unchanged", unstaged: "untracked" },
      ]);
      const { commits, more } = await call("log") as { commits: JsonObject[]; more: boolean };
      assert.deepEqual(commits.map(({ subject, body }) => [subject, body]), [
        ["Second", ""],
        ["First", "With a body"],
      ]);
      assert.deepEqual([more, commits[0]?.hash, commits[0]?.author], [false, id, "Ana Lee"]);
      assert.equal((await call("log", { limit: 1 })).more, true);
      assert.equal(await call("log", { revision: "old..v1" }).then(count), 1);
      assert.equal(await call("log", { message: "FIRST", author: "ana@" }).then(count), 1);
      assert.equal(await call("log", { file: "c.txt" }).then(count), 1);

      const commit = await call("show", { revision: "v1" }) as { files: unknown; text: string };
      assert.deepEqual(commit.files, [
        { path: "bin", from: null, status: "added", added: null, deleted: null },
        { path: "c.txt", from: "a b.txt", status: "renamed", added: 1, deleted: 0 },
      ]);
      assert.match(commit.text, /^rename from a b\.txt$[^]*^\+four$/m);
      const first = await call("show", { revision: "old" }) as { files: JsonObject[] };
      assert.deepEqual(first.files.map(({ path }) => path), ["a b.txt", "é\n.txt"]);
      const diff = await call("diff");
      assert.match(String(diff.text), /^-one\n\+ONE$/m);
      assert.deepEqual(
        (await call("diff", { staged: true })).files,
        [{ path: "staged.txt", from: null, status: "added", added: 1, deleted: 0 }],
      );
      assert.equal(((await call("diff", { from: "old", to: "v1" })).files as unknown[]).length, 2);
      assert.equal((await call("file", { file: "c.txt" })).text, "one\ntwo\nthree\nfour\n");
      await refused("file", { file: "bin" }, /binary/);
      const { lines } = await call("blame", { file: "c.txt", first: 3, limit: 2 }) as {
        lines: JsonObject[];
      };
      assert.deepEqual(lines.map(({ line, text, subject }) => [line, text, subject]), [
        [3, "three", "First"],
        [4, "four", "Second"],
      ]);
      const { branches } = await call("branches") as { branches: JsonObject[] };
      assert.deepEqual(
        branches.map(({ name, current }) => [name, current]).sort(),
        [["main", true], ["old", false]],
      );
    }),
});

function count({ commits }: JsonObject): number {
  return (commits as unknown[]).length;
}

Deno.test({
  name: "git leaves a date outside the calendar empty",
  ignore,
  fn: () =>
    withStage(async ({ git, put, call }) => {
      await git("init", "--quiet");
      await put("a.txt", "one\n");
      await git("add", "a.txt");
      await git("commit", "--quiet", "-m", "Far away", "--date", "@99999999999999 +0000");
      const { lines } = await call("blame", { file: "a.txt" }) as { lines: JsonObject[] };
      assert.deepEqual(lines.map(({ text, date }) => [text, date]), [["one", ""]]);
    }),
});

Deno.test({
  name: "a line of a file is no commit of the next one, whatever is in it",
  ignore,
  fn: () =>
    withStage(async ({ git, put, call }) => {
      await git("init", "--quiet");
      const forged = `${"a".repeat(40)} 1 2`;
      const texts = [`one\u2028${forged}`, `two\r${forged}`, `\t${forged}`, "three\r"];
      await put("a.txt", `${texts.join("\n")}\n`);
      await git("add", "a.txt");
      await git("commit", "--quiet", "-m", `First\u2029${forged}`);
      const { lines } = await call("blame", { file: "a.txt" }) as { lines: JsonObject[] };
      assert.deepEqual(lines.map(({ line, text }) => [line, text]), [
        [1, texts[0]],
        [2, texts[1]],
        [3, texts[2]],
        [4, "three"],
      ]);
      const [first] = lines;
      assert.match(String(first?.hash), /^(?!a{40})[0-9a-f]{40}$/);
      for (const { hash, subject } of lines) {
        assert.deepEqual([hash, subject], [first?.hash, `First\u2029${forged}`]);
      }
    }),
});

Deno.test({
  name: "git refuses arguments that are options and paths that lead out",
  ignore,
  fn: () =>
    withStage(async ({ home, project, git, put, call, refused }) => {
      await refused("status", {}, /^Cannot read the repository of "\.": not a git repository/);
      await git("init", "-q", "-b", "main");
      await put("a.txt", "a\n");
      await put(".onetool/secrets.yaml", "KEY: first\n");
      await git("add", "-f", ".");
      await git("commit", "-qm", "One");
      await put(".onetool/secrets.yaml", "KEY: second\n");
      for (const revision of ["--output=x", "-h", "a b", "HEAD --output=x", "HEAD..--output=x"]) {
        await refused("log", { revision }, /^Cannot use .*: a revision does not begin with -/);
      }
      for (const revision of ["HEAD:a.txt", "nothing", "HEAD^{tree}"]) {
        await refused("show", { revision }, /no commit/);
      }
      for (const file of ["../x", "/etc/passwd"]) {
        await refused("file", { file }, /not a path below the repository/);
        await refused("blame", { file }, /not a path below the repository/);
      }
      await refused("file", { file: ".onetool/secrets.yaml" }, /it holds secrets/);
      for (const tool of ["diff", "show"]) {
        const { text, files } = await call(tool);
        assert.doesNotMatch(JSON.stringify([text, files]), /secrets|KEY/, tool);
      }
      assert.equal((await call("log", { since: "--output=x", author: "--all" })).more, false);
      await assert.rejects(Deno.stat(join(project, "x")));

      await Deno.mkdir(join(home, "outside"));
      await Deno.symlink("../outside", join(project, "link"));
      await refused("status", { repo: ".." }, /outside the allowed folders/);
      await refused("status", { repo: "link" }, /outside the allowed folders/);
      await git("config", "core.worktree", join(home, "outside"));
      await refused("status", {}, /outside the allowed folders/);
      await Deno.rename(join(project, ".git"), join(home, "outside", "git"));
      await put(".git", `gitdir: ${join(home, "outside", "git")}\n`);
      await refused("status", {}, /outside the allowed folders/);
    }),
});

Deno.test({
  name: "git starts no program that a repository's configuration names",
  ignore,
  fn: () =>
    withStage(async ({ home, git, put, call, refused }) => {
      const proof = join(home, "proof");
      const evil = join(home, "evil.sh");
      await Deno.writeTextFile(evil, `#!/bin/sh\necho "$0 $*" >> ${proof}\ncat\n`, { mode: 0o755 });
      await git("init", "-q", "-b", "main");
      await put("a.txt", "one\n");
      await put("b.bin", "two\n");
      await git("add", ".");
      await git("commit", "-qm", "One");
      await put(".gitattributes", "*.txt diff=evil filter=evil\n*.bin diff=tc filter=long\n");
      const settings = {
        "core.fsmonitor": evil,
        "core.pager": evil,
        "core.hooksPath": home,
        "core.sshCommand": evil,
        "pager.log": evil,
        "diff.external": evil,
        "diff.evil.command": evil,
        "diff.evil.textconv": evil,
        "diff.tc.textconv": evil,
        "filter.evil.clean": evil,
        "filter.evil.smudge": evil,
        "filter.evil.required": "true",
        "filter.long.process": evil,
        "gpg.program": evil,
        "log.showSignature": "true",
        "core.alternateRefsCommand": evil,
      };
      for (const [key, value] of Object.entries(settings)) await git("config", key, value);
      await put("a.txt", "changed\n");
      await put("b.bin", "changed\n");
      assert.equal(((await call("status")).changes as unknown[]).length, 3);
      assert.match(String((await call("diff")).text), /^\+changed$/m);
      await call("diff", { from: "HEAD" });
      await call("show");
      await call("log", { file: "a.txt" });
      assert.equal(((await call("blame", { file: "a.txt" })).lines as unknown[]).length, 1);
      await call("branches", { kind: "all" });
      await git("config", "blame.ignoreRevsFile", "/etc/passwd");
      await refused("blame", { file: "a.txt" }, /"\/etc\/passwd": outside the allowed folders/);
      await git("config", "blame.ignoreRevsFile", ".ignored-revisions");
      await put(".ignored-revisions", "");
      await call("blame", { file: "a.txt" });
      assert.equal((await call("file", { file: "a.txt" })).text, "one\n");
      const ran = await Deno.readTextFile(proof).catch(() => "");
      assert.equal(ran, "");
      await git("diff");
      assert.notEqual(await Deno.readTextFile(proof).catch(() => ""), "", "nothing was at stake");
    }),
});

Deno.test({
  name: "git starts no filter, however many a repository's configuration names",
  ignore,
  fn: () =>
    withStage(async ({ git, put, refused, project, home }) => {
      await git("init", "-q");
      await put(".gitattributes", "*.txt filter=last\n");
      await put("a.txt", "one\n");
      await git("add", ".");
      await git("commit", "-qm", "First");
      const others = Array.from({ length: 1_001 }, (_, at) => `[filter "f${at}"]\nclean = true\n`);
      const last = `[filter "last"]\nclean = "touch ${home}/started; cat"\n`;
      const config = join(project, ".git/config");
      await Deno.writeTextFile(config, others.join("") + last, { append: true });
      await put("a.txt", "two\n");
      await refused("status", {}, /too many filters/);
      await refused("diff", {}, /too many filters/);
      await assert.rejects(Deno.stat(join(home, "started")), Deno.errors.NotFound);
    }),
});

Deno.test({
  name: "git starts no filter of a repository with very large settings, or with an empty name",
  ignore,
  fn: () =>
    withStage(async ({ git, put, call, refused, project, home }) => {
      await git("init", "-q");
      await put("a.txt", "one\n");
      await git("add", ".");
      await git("commit", "-qm", "First");
      await put("a.txt", "two\n");
      const config = join(project, ".git/config");
      const usual = await Deno.readTextFile(config);
      const long = "a".repeat(1_000_000);
      const values = Array.from({ length: 9 }, (_, at) => `\tk${at} = ${long}\n`).join("");
      const names = Array.from({ length: 9 }, (_, at) => `[s "${at}${long}"]\n\tk = 1\n`).join("");
      async function prepare(junk: string, name: string) {
        const filter = `[filter "${name}"]\n\tclean = "touch ${home}/started; cat"\n`;
        await Deno.writeTextFile(config, `${usual}${junk}${filter}`);
        await put(".gitattributes", `*.txt filter=${name}\n`);
      }
      await prepare(`[junk]\n${values}`, "x");
      assert.match(String((await call("diff")).text), /^\+two$/m);
      await prepare("", "");
      assert.match(String((await call("diff")).text), /^\+two$/m);
      await call("status");
      await prepare(names, "x");
      for (const tool of ["diff", "status", "log"]) {
        await refused(tool, {}, /"git config" is larger than 4 MB, packs\.git\.max_output_mb/);
      }
      await assert.rejects(Deno.stat(join(home, "started")), Deno.errors.NotFound);
      await git("diff");
      await Deno.stat(join(home, "started"));
    }),
});

Deno.test({
  name: "git blame reads no revisions to ignore from outside, however they are named",
  ignore,
  fn: () =>
    withStage(async ({ git, put, call, refused, project, home }) => {
      await git("init", "-q");
      await put("a.txt", "one\n");
      await git("add", ".");
      await git("commit", "-qm", "First");
      const id = await git("rev-parse", "HEAD");
      await put("a.txt", "one more\n");
      await git("commit", "-qam", "Second");
      await Deno.writeTextFile(join(home, "theirs"), "KEY: sesame\n");
      // A folder of this name is no home folder.
      await put("~/theirs", "");
      await put("own", `${id}\n`);
      const config = join(project, ".git/config");
      const usual = await Deno.readTextFile(config);
      const junk = `[junk]\n${`\tk = ${"a".repeat(1_000_000)}\n`.repeat(9)}`;
      const rows = {
        "~/theirs": "",
        "../theirs": "",
        [join(home, "theirs")]: junk,
      };
      for (const [file, before] of Object.entries(rows)) {
        for (const more of ["", "\tignoreRevsFile =\n"]) {
          const text = `${usual}${before}[blame]\n\tignoreRevsFile = ${file}\n${more}`;
          await Deno.writeTextFile(config, text);
          await refused("blame", { file: "a.txt" }, /^(?!.*sesame).*outside the allowed folders/);
        }
      }
      await Deno.writeTextFile(config, `${usual}[blame]\n\tignoreRevsFile = own\n`);
      const { lines } = await call("blame", { file: "a.txt" }) as { lines: JsonObject[] };
      assert.deepEqual(lines.map(({ subject }) => subject), ["Second"]);
      await put("own", `${await git("rev-parse", "HEAD")}\n`);
      const passed = await call("blame", { file: "a.txt" }) as { lines: JsonObject[] };
      assert.deepEqual(passed.lines.map(({ subject }) => subject), ["First"]);
    }),
});

Deno.test({
  name: "git refuses a diff whose list of files is larger than the limit",
  ignore,
  fn: () =>
    withStage(async ({ git, call, refused, project }) => {
      await git("init", "-q");
      await git("commit", "-q", "--allow-empty", "-m", "Empty");
      const tree = join(project, ...["d", "e", "f"].map((name) => name.repeat(250)));
      await Deno.mkdir(tree, { recursive: true });
      for (let at = 0; at < 2_800; at++) Deno.writeTextFileSync(join(tree, `${at}`), "x\n");
      await git("add", ".");
      const message = /"git diff" is larger than 4 MB.*: ask for one file or folder/;
      await refused("diff", { staged: true }, message);
      const { files } = await call("diff", { staged: true, file: "nothing" });
      assert.deepEqual(files, []);
    }),
});

Deno.test({
  name: "git quotes no line of a file that a repository links to",
  ignore,
  fn: () =>
    withStage(async ({ git, put, refused, project, home }) => {
      await git("init", "-q");
      await put("a.txt", "one\n");
      await git("add", ".");
      await git("commit", "-qm", "First");
      await Deno.writeTextFile(join(home, "theirs"), "KEY: sesame\n");
      for (const name of ["packed-refs", "shallow"]) {
        const link = join(project, ".git", name);
        await Deno.symlink(join(home, "theirs"), link);
        await refused("branches", {}, /^(?!.*sesame).*outside the allowed folders/);
        await Deno.remove(link);
      }
    }),
});

Deno.test({
  name: "git.status looks up no more paths than it gives, and few at the same time",
  ignore,
  fn: async () => {
    const paths = Array.from({ length: 5_000 }, (_, at) => `f${at}.txt`);
    const questions: string[][] = [];
    const repository = {
      git: () => Promise.resolve({ text: paths.map((path) => `? ${path}\0`).join(""), cut: false }),
      closedAmong: (some: readonly string[]) => {
        questions.push([...some]);
        return Promise.resolve(new Set(some.filter((path) => path < "f2")));
      },
    } as unknown as Repository;
    const answer = await status(repository, { repo: ".", file: undefined, limit: 3 });
    assert.deepEqual(answer.changes.map(({ path }) => path), ["f2.txt", "f3.txt", "f4.txt"]);
    assert.equal(answer.more, true);
    assert.equal(answer.clean, false);
    assert.ok(questions.every(({ length }) => length <= 4));
    assert.ok(questions.flat().length < 30, `${questions.flat().length} paths`);
  },
});
