/** The `file` pack over real folders. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import type { Pack } from "#packs";
import { loadConfig } from "#config";
import { draftName } from "../../../../packs/closed/names.ts";
import { makeBuiltin } from "../../../support/builtin.ts";
import { longestTurn } from "../../../support/turns.ts";

interface Stage {
  readonly project: string;
  readonly pack: Pack;
  call(tool: string, args?: JsonObject): Promise<JsonObject>;
  refused(tool: string, args: JsonObject, message: RegExp): Promise<void>;
  text(path: string): Promise<string>;
}

async function withStage(work: (stage: Stage) => Promise<void>, config = ""): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const project = join(home, "project");
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), config);
  await Deno.writeTextFile(join(project, ".onetool", "secrets.yaml"), "KEY: value\n");
  await Deno.mkdir(join(home, "outside"));
  await Deno.writeTextFile(join(home, "outside", "theirs.txt"), "theirs\n");
  const loaded = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
  const all = makeBuiltin(loaded, { project, home });
  const pack = all.find(({ name }) => name === "file");
  assert.ok(pack);
  const call = async (tool: string, args: JsonObject = {}) =>
    (await pack.call(tool, args, {})).value as JsonObject;
  try {
    await work({
      project,
      pack,
      call,
      refused: (tool, args, message) => assert.rejects(call(tool, args), { message }),
      text: (path) => Deno.readTextFile(join(project, path)),
    });
  } finally {
    for (const one of all) await one[Symbol.asyncDispose]();
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("file counts what it writes in bytes", () =>
  withStage(async ({ project, call, refused, text }) => {
    const unit = "a" + "\u4e2d".repeat(9);
    await Deno.writeTextFile(join(project, "wide.txt"), unit.repeat(20_000));
    const wider = { path: "wide.txt", old: "a", new: "\u4e2d".repeat(19), all: true };
    for (const dry_run of [true, false]) {
      await refused("edit", { ...wider, dry_run }, /would have 1680000 bytes, more than 1048576/);
    }
    assert.equal(await text("wide.txt"), unit.repeat(20_000));
    await call("edit", { ...wider, new: "\u4e2d\u4e2d" });
    assert.equal((await call("info", { path: "wide.txt" })).size, 660_000);
    await call("edit", { path: "wide.txt", old: "\u4e2d", new: "b", all: true });
    assert.equal((await call("info", { path: "wide.txt" })).size, 220_000);

    const utf16 = new Uint8Array([0xff, 0xfe, ...new Array(200_000).fill([0x61, 0]).flat()]);
    await Deno.writeFile(join(project, "wide16.txt"), utf16);
    const longer = { path: "wide16.txt", old: "a", all: true };
    await refused("edit", { ...longer, new: "\u4e2dbc" }, /would have 1200002 bytes, more than/);
    await call("edit", { ...longer, new: "\u4e2db" });
    assert.equal((await call("info", { path: "wide16.txt" })).size, 800_002);

    const large = "\u4e2d".repeat(700_000);
    const many = /the text has 2100000 bytes, more than 2097152/;
    await refused("write", { path: "new.txt", text: large }, many);
    await refused("append", { path: "new.txt", text: large }, many);
    await refused("edit", { path: "wide.txt", old: "b", new: large }, many);
    const rest = { path: "new.txt", text: "\u4e2d".repeat(400_000) };
    await refused("write", rest, /would have 1200000 bytes, more than 1048576: .*max_file_mb/);
    await refused("write", { ...rest, dry_run: true }, /would have 1200000 bytes/);
    await refused("edit", { path: "wide.txt", old: "bb\ud83d", new: "" }, /half of a character/);
    await refused("edit", { path: "wide.txt", old: "b", new: "\ude00" }, /half of a character/);
  }, "packs: { file: { max_file_mb: 1, max_text_kb: 2048 } }\n"));

Deno.test("file makes no file that it could not read again", () =>
  withStage(async ({ call, refused, text }) => {
    await call("write", { path: "a.txt", text: "a".repeat(100_000) });
    const grown = { path: "a.txt", old: "a", new: "b".repeat(20), all: true };
    for (const dry_run of [true, false]) {
      await refused("edit", { ...grown, dry_run }, /would have 2000000 bytes, more than 1048576/);
    }
    const added = { path: "a.txt", text: "b".repeat(500_000) };
    await call("append", added);
    await refused("append", added, /would have 1100000 bytes, more than 1048576: .*max_file_mb/);
    assert.equal((await text("a.txt")).length, 600_000);
    const edits = Array.from(
      { length: 20 },
      () => call("edit", { path: "a.txt", old: "a", new: "c", all: true, dry_run: true }),
    );
    const reads = Array.from(
      { length: 20 },
      () => call("read", { path: "a.txt", encoding: "latin1", limit: 1 }),
    );
    for (const { replaced } of await Promise.all(edits)) assert.equal(replaced, 100_000);
    for (const { size } of await Promise.all(reads)) assert.equal(size, 600_000);
  }, "packs: { file: { max_file_mb: 1 } }\n"));

Deno.test("file.read gives pages, numbers and encodings", () =>
  withStage(async ({ project, call, refused }) => {
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join("\n");
    await call("write", { path: "a/long.txt", text });
    const first = await call("read", { path: "a/long.txt" });
    assert.equal(first.total_lines, 5_000);
    assert.equal(first.has_more, true);
    assert.equal(first.last_line, 2_000);
    const last = await call("read", { path: "a/long.txt", offset: -2, numbered: true });
    assert.equal(last.text, "  4999\tline 4999\n  5000\tline 5000");
    assert.equal(last.has_more, false);
    const past = await call("read", { path: "a/long.txt", offset: 9_999 });
    assert.deepEqual([past.text, past.has_more], ["", false]);

    const wide = (mark: number[], swap: boolean) =>
      new Uint8Array([
        ...mark,
        ...[..."é\n"].flatMap((letter) => {
          const code = letter.charCodeAt(0);
          return swap ? [code >> 8, code & 255] : [code & 255, code >> 8];
        }),
      ]);
    const rows: readonly [string, Uint8Array<ArrayBuffer>, string][] = [
      ["utf-8", new TextEncoder().encode("\ufeffé\n"), "é\n"],
      ["utf-16le", wide([0xff, 0xfe], false), "é\n"],
      ["utf-16be", wide([0xfe, 0xff], true), "é\n"],
    ];
    for (const [encoding, bytes, expected] of rows) {
      await Deno.writeFile(join(project, encoding), bytes);
      const page = await call("read", { path: encoding });
      assert.deepEqual([page.encoding, page.text], [encoding, expected]);
      await call("edit", { path: encoding, old: "é", new: "ü" });
      assert.deepEqual(
        await Deno.readFile(join(project, encoding)),
        bytes.map((byte) => byte === 0xe9 ? 0xfc : byte === 0xa9 ? 0xbc : byte),
      );
    }
    await Deno.writeFile(join(project, "latin"), new Uint8Array([0xe9, 10]));
    await refused("read", { path: "latin" }, /not utf-8 text: read it with encoding="latin1"$/);
    assert.equal((await call("read", { path: "latin", encoding: "latin1" })).text, "é\n");
    await Deno.writeFile(join(project, "image"), new Uint8Array([137, 80, 78, 71, 0, 0, 1, 2]));
    await refused("read", { path: "image" }, /^Cannot read "image": it is binary, not text$/);
    await refused("read", { path: "a" }, /it is a folder/);
    await refused("read", { path: "none" }, /^Cannot read "none": no such file or folder$/);
    assert.ok(
      (await new Deno.Command("mkfifo", { args: [join(project, "pipe")] }).output()).success,
    );
    await refused("read", { path: "pipe" }, /not a regular file/);
  }));

Deno.test("file.write and file.edit are atomic and exact, and keep backups", () =>
  withStage(async ({ project, call, refused, text }) => {
    const made = await call("write", { path: "run.sh", text: "echo 1\necho 2\necho 1\n" });
    assert.deepEqual([made.created, made.backup], [true, null]);
    await Deno.chmod(join(project, "run.sh"), 0o751);
    await refused("edit", { path: "run.sh", old: "echo 1", new: "x" }, /2 times, at lines 1, 3/);
    await refused("edit", { path: "run.sh", old: "echo 9", new: "x" }, /must match exactly/);
    await refused("edit", { path: "no.sh", old: "a", new: "b" }, /no such file/);
    const args = { path: "run.sh", old: "echo 2\necho", new: "echo 3\necho", dry_run: true };
    const dry = await call("edit", args);
    assert.equal(
      dry.diff,
      "--- a/run.sh\n+++ b/run.sh\n@@ -1,3 +1,3 @@\n echo 1\n-echo 2\n+echo 3\n echo 1\n",
    );
    assert.equal(await text("run.sh"), "echo 1\necho 2\necho 1\n");
    const done = await call("edit", { ...args, dry_run: false });
    assert.deepEqual([done.replaced, done.lines, done.diff], [1, [2], dry.diff]);
    assert.equal(await text("run.sh"), "echo 1\necho 3\necho 1\n");
    assert.equal(await text(String(done.backup)), "echo 1\necho 2\necho 1\n");
    assert.equal((Deno.statSync(join(project, "run.sh")).mode ?? 0) & 0o777, 0o751);
    assert.equal(
      (await call("edit", { path: "run.sh", old: "echo 1", new: "", all: true })).replaced,
      2,
    );

    await call("write", { path: "crlf.txt", text: "a\r\nb\r\nc\r\n" });
    await call("edit", { path: "crlf.txt", old: "a\nb", new: "x\ny" });
    assert.equal(await text("crlf.txt"), "x\r\ny\r\nc\r\n");
    await refused("write", { path: "crlf.txt", text: "", overwrite: false }, /exists already/);
    assert.equal((await call("append", { path: "log/a.txt", text: "1\n" })).created, true);
    await Promise.all([2, 3, 4].map((n) => call("append", { path: "log/a.txt", text: `${n}\n` })));
    assert.equal((await text("log/a.txt")).split("\n").sort().join(""), "1234");
    const left = [...Deno.readDirSync(project)].map(({ name }) => name);
    assert.ok(!left.some((name) => name.endsWith(".tmp")));
    const large = Array.from({ length: 9_000 }, (_, index) => `${index}`).join("\n");
    await call("write", { path: "large.txt", text: large });
    const { diff } = await call("edit", { path: "large.txt", old: "\n8000\n", new: "\nx\n" });
    assert.match(String(diff), /^@@ -7998,7 \+7998,7 @@\n 7997\n 7998\n 7999\n-8000\n\+x\n/m);
  }));

Deno.test("file lists, draws, finds, copies, moves and deletes", () =>
  withStage(async ({ project, call, refused, text }) => {
    for (const path of ["src/a.ts", "src/deep/b.ts", "src/.hidden", "dist/out.js"]) {
      await call("write", { path, text: path });
    }
    await call("write", { path: ".gitignore", text: "dist/\n" });
    const listed = await call("list", { path: "src" });
    assert.deepEqual(
      (listed.entries as JsonObject[]).map(({ name, kind }) => `${name} ${kind}`),
      ["a.ts file", "deep folder"],
    );
    assert.equal((await call("tree")).text, "./\n  src/\n    a.ts\n    deep/\n      b.ts");
    assert.deepEqual((await call("search", { glob: ["*.ts"] })).paths, [
      "src/a.ts",
      "src/deep/b.ts",
    ]);
    assert.equal((await call("search", { glob: ["*.js"], ignored: true })).more, false);
    assert.deepEqual((await call("copy", { from: "src", to: "copy" })).files, 3);
    assert.equal(await text("copy/deep/b.ts"), "src/deep/b.ts");
    await refused("copy", { from: "src/a.ts", to: "copy/a.ts" }, /exists already/);
    await refused("copy", { from: "src", to: "src/in" }, /is the same, or lies in it/);
    const over = await call("copy", { from: "dist/out.js", to: "copy/a.ts", overwrite: true });
    assert.equal(await text("copy/a.ts"), "dist/out.js");
    assert.equal(await text(String(over.backup)), "src/a.ts");
    await call("move", { from: "copy", to: "new/name" });
    assert.equal(await text("new/name/a.ts"), "dist/out.js");
    await refused("delete", { path: "new" }, /not empty: pass recursive=true/);
    const gone = await call("delete", { path: "new", recursive: true });
    assert.equal(await text(`${gone.backup}/name/a.ts`), "dist/out.js");
    await refused("delete", { path: ".", recursive: true }, /allowed folder/);
    await refused("delete", { path: "..", recursive: true }, /outside the allowed folders/);
    assert.equal((await call("make_folder", { path: "x/y" })).created, true);
    assert.equal((await call("info", { path: "src/a.ts" })).size, 8);
    await Deno.symlink("src", join(project, "link"));
    assert.equal((await call("delete", { path: "link" })).kind, "link");
    assert.equal(await text("src/a.ts"), "src/a.ts");
  }));

Deno.test("file copies as many entries as it may, without those of git and drafts", () =>
  withStage(async ({ project, call, refused, text }) => {
    await Deno.mkdir(join(project, "src/deep/.git"), { recursive: true });
    const draft = `src/${draftName()}`;
    for (const path of ["src/deep/.git/config", draft, "src/a.txt", "src/deep/b.txt"]) {
      await Deno.writeTextFile(join(project, path), path);
    }
    assert.equal((await call("copy", { from: "src", to: "copy" })).files, 2);
    assert.equal(await text("copy/deep/b.txt"), "src/deep/b.txt");
    await Deno.writeTextFile(join(project, "src/deep/c.txt"), "");
    await refused("copy", { from: "src", to: "other" }, /"src": it holds more than 3 entries/);
  }, "packs: { file: { max_entries: 3 } }\n"));

Deno.test("file.move and file.delete end with their run", () =>
  withStage(async ({ pack, call, text }) => {
    await call("write", { path: "src/a.txt", text: "a" });
    const ended = async (tool: string, args: JsonObject) => {
      const run = new AbortController();
      const result = pack.call(tool, args, { signal: run.signal });
      run.abort(new Error("the run has ended"));
      await assert.rejects(result, /the run has ended/);
    };
    await ended("move", { from: "src", to: "new" });
    await ended("delete", { path: "src", recursive: true });
    assert.equal(await text("src/a.txt"), "a");
  }));

Deno.test("file stays in its folders and refuses closed paths", () =>
  withStage(async ({ project, call, refused }) => {
    await Deno.symlink("../outside", join(project, "out"));
    await Deno.symlink("../outside/theirs.txt", join(project, "theirs"));
    await Deno.symlink("../outside/new.txt", join(project, "dangling"));
    await Deno.symlink(".onetool/secrets.yaml", join(project, "innocent"));
    await Deno.mkdir(join(project, ".git"));
    const outside = /outside the allowed folders \("\."\): add it to packs\.file\.allowed$/;
    for (const path of ["../outside/theirs.txt", "out/theirs.txt", "theirs", "/etc/hosts"]) {
      await refused("read", { path }, outside);
      await refused("write", { path, text: "x" }, outside);
    }
    await refused("read", { path: "/etc/no-such-file" }, outside);
    await refused("read", { path: "a\0b" }, /NUL/);
    const deep = "x/".repeat(300);
    await refused("read", { path: deep }, /at most 4,096 bytes and 256 names/);
    await refused("write", { path: `${deep}a.txt`, text: "" }, /at most 4,096 bytes and 256 names/);
    await refused("move", { from: "a.txt", to: "é".repeat(2_100) }, /at most 4,096 bytes/);
    await refused("read", { path: "a/../".repeat(3_000) + "none" }, /"a\/\.\.\/a.*no such/);
    await refused("read", { path: "a/../".repeat(20_000) + "none" }, /"a\/.*at most 16,384/);
    await refused("write", { path: "out/new/deep.txt", text: "x" }, outside);
    await refused("write", { path: "dangling", text: "x" }, /link that leads nowhere/);
    await refused("list", { path: "out" }, outside);
    await refused("move", { from: "theirs", to: "../moved" }, outside);
    await refused("copy", { from: ".onetool", to: "../copied" }, outside);
    for (const path of [".onetool/secrets.yaml", "innocent"]) {
      await refused("read", { path }, /it holds secrets/);
    }
    const closed = [".git/config", ".GIT/hooks/pre-commit", ".onetool/onetool.yaml", ".mcp.json"];
    for (const path of [...closed, ".onetool/tools/x/x_tools.ts", "sub/onetool.yaml"]) {
      await refused("write", { path, text: "x" }, /it (?:belongs to|configures)/);
    }
    await refused("write", { path: ".claude/settings.json", text: "{}" }, /programs to start/);
    await call("write", { path: "ready/settings.json", text: "{}" });
    await refused("move", { from: "ready", to: ".claude" }, /programs to start/);
    await refused("delete", { path: ".onetool", recursive: true }, /belongs to Toolscript/);
    await call("copy", { from: ".onetool", to: "copied" });
    assert.ok(!(await Deno.stat(join(project, "copied/secrets.yaml")).catch(() => null)));
    assert.equal(Deno.readTextFileSync(join(project, "theirs")), "theirs\n");
  }));

Deno.test("file can be read-only, and can use other folders", () =>
  withStage(async ({ pack, call, refused }) => {
    assert.deepEqual(pack.tools().map(({ name }) => name), [
      "read",
      "info",
      "list",
      "tree",
      "search",
    ]);
    assert.ok(pack.tools().every(({ annotations }) => annotations?.readOnlyHint === true));
    assert.equal((await call("read", { path: "../outside/theirs.txt" })).text, "theirs\n");
    await refused("read", { path: ".onetool/onetool.yaml" }, /outside the allowed folders/);
  }, "packs: { file: { write: false, allowed: [../outside] } }\n"));

Deno.test("file deletes backups after backup_days", () =>
  withStage(async ({ project, call }) => {
    const kept = (days: number) => {
      const stamp = new Date(Date.now() - days * 86_400_000).toISOString().replaceAll(":", "-");
      return join(project, ".onetool/trash", `${stamp}-0`);
    };
    const [old, recent] = [kept(3), kept(1)];
    for (const folder of [old, recent]) await Deno.mkdir(folder, { recursive: true });
    await call("write", { path: "a.txt", text: "1" });
    await call("write", { path: "a.txt", text: "2" });
    const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
    assert.deepEqual([await exists(old), await exists(recent)], [false, true]);
  }, "packs: { file: { backup_days: 2 } }\n"));

Deno.test("file keeps no backups with backup: false", () =>
  withStage(async ({ project, call }) => {
    await call("write", { path: "a.txt", text: "1" });
    assert.equal((await call("write", { path: "a.txt", text: "2" })).backup, null);
    assert.equal((await call("delete", { path: "a.txt" })).backup, null);
    assert.ok(!(await Deno.stat(join(project, ".onetool/trash")).catch(() => null)));
  }, "packs: { file: { backup: false } }\n"));

Deno.test("file.read and file.edit yield on millions of lines, and on a nearly periodic text", () =>
  withStage(async ({ project, call, refused }) => {
    await Deno.writeTextFile(join(project, "long.txt"), "a\n".repeat(8_000_000));
    const longest = longestTurn();
    const { total_lines, text } = await call("read", { path: "long.txt", offset: -1 });
    const edit = { path: "long.txt", old: "a", new: "b", all: true };
    await refused("edit", edit, /more than 1000000 times/);
    const hostile = ("b" + "a".repeat(999)).repeat(2000) + "c" + "a".repeat(2_000_000);
    await Deno.writeTextFile(join(project, "hostile.txt"), hostile);
    const old = "b" + "a".repeat(100_000);
    await refused("edit", { path: "hostile.txt", old, new: "" }, /must match exactly/);
    assert.deepEqual([total_lines, text], [8_000_000, "a\n"]);
    assert.ok(longest() < 10_000, `${longest()} ms`);
  }));
