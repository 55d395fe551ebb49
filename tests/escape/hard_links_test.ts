/** A program uses closed files by a second hard link. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { sleep } from "#base";
import { loadConfig } from "#config";
import { closedOf } from "../support/closed.ts";
import { withProject } from "../support/project.ts";

/** A name that a new file has beside its own until it is whole. */
const DRAFT = ".toolscript-0a1b2c3d-4e5f-4678-9abc-def012345678.tmp";
const LINKED = DRAFT.replace("0a1b", "cafe");

/** Gives files second names. */
async function link(project: string, names: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, other] of Object.entries(names)) {
    await Deno.mkdir(dirname(join(project, other)), { recursive: true });
    await Deno.link(join(project, path), join(project, other));
  }
}

Deno.test("a new file whose draft is not removed yet is open, and its draft closed", () =>
  withProject({
    files: { "all.md": "a" },
    prepare: ({ project }) => link(project, { "all.md": DRAFT }),
  }, async ({ call, refused, read }) => {
    await refused("file.write", { path: DRAFT, text: "evil", overwrite: true });
    await refused("file.delete", { path: DRAFT });
    await refused("file.move", { from: DRAFT, to: "away.md" });
    await call("file.append", { path: "all.md", text: "b" });
    assert.equal(await read("all.md"), "ab");
    await call("file.delete", { path: "all.md" });
  }));

Deno.test("the name of a draft opens no other name of a closed file", () =>
  withProject({
    files: {
      ...{ "CLAUDE.md": "", "GEMINI.md": "", ".other": "", ".rc/a": "" },
      ...{ "claude.txt": "", "linked.txt": "", "near.txt": "", "rc.txt": "" },
    },
    prepare: async ({ project }) => {
      await link(project, { "CLAUDE.md": DRAFT, "GEMINI.md": `sub/${DRAFT}` });
      await link(project, { "CLAUDE.md": "three.txt", ".other": "other.txt" });
      await link(project, { "rc.txt": `.rc/${DRAFT}`, "claude.txt": `sub/.claude/${DRAFT}` });
      await link(project, { "linked.txt": LINKED, "near.txt": `${DRAFT}.js` });
      await Deno.symlink(`../../${LINKED}`, join(project, "sub/.claude/b"));
    },
  }, async ({ refused }) => {
    const names = ["three", "other", "rc", "claude", "linked", "near"];
    for (const path of [...names.map((name) => `${name}.txt`), `sub/${DRAFT}`]) {
      const { message } = await refused("file.write", { path, text: "evil", overwrite: true });
      assert.match(message, /it is a closed file under another name/);
      await refused("file.append", { path, text: "evil" });
      await refused("file.move", { from: path, to: "away.txt" });
    }
  }));

Deno.test("over 50,000 closed files close every file with a second hard link, and say so", () =>
  withProject({
    files: {
      ".onetool/credentials/a": "token",
      ".claude/a.sh": "",
      "one.txt": "one",
      "new.txt": "",
    },
    prepare: async ({ project }) => {
      const folder = join(project, ".onetool/stats");
      await Deno.mkdir(folder);
      for (let at = 0; at < 50_001; at++) Deno.writeTextFileSync(join(folder, `${at}`), "");
      await Deno.link(join(project, ".onetool/credentials/a"), join(project, "copy.txt"));
      await link(project, { ".claude/a.sh": "a.sh", "new.txt": "second.txt" });
    },
  }, async ({ home, project, call, refused }) => {
    const { message } = await refused("file.read", { path: "copy.txt" });
    assert.match(message, /it may hold secrets, under another name: .* over 50,000 entries/);
    const { matches } = await call("grep.search", { pattern: "token|one" });
    assert.deepEqual((matches as { path: string }[]).map(({ path }) => path), ["one.txt"]);
    const write = await refused("file.write", { path: "a.sh", text: "x", overwrite: true });
    assert.match(
      write.message,
      /it may be a closed file under another name: .* over 50,000 entries/,
    );

    // One that loses its second name during the search is open.
    const config = await loadConfig({ env: {}, home, cwd: project });
    const closed = closedOf(config, { now: () => 0 });
    const isOpen = async () => await closed.change(join(project, "new.txt")) === undefined;
    assert.ok(!await isOpen());
    const answer = isOpen();
    await sleep(20);
    await Deno.remove(join(project, "second.txt"));
    assert.ok(await answer);

    await call("file.read", { path: "one.txt" });
    await call("file.write", { path: "two.txt", text: "x" });
  }));
