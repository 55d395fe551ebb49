/** A program uses closed files by a second hard link. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type JsonObject, sleep } from "#base";
import { loadConfig } from "#config";
import { notify, type Topics } from "../../runtime/ot/notify.ts";
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
      "CLAUDE.md": "",
      "GEMINI.md": "",
      ".other": "",
      ".rc/a": "",
      "claude.txt": "",
      "linked.txt": "",
      "near.txt": "",
      "rc.txt": "",
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

Deno.test("a hard link to a file that is closed to reading is closed, wherever that lies", () => {
  const closed = [
    "sub/secrets.yaml",
    "sub/deep/.secrets.yml.bak",
    "sub/.onetool/secrets.yaml",
    "sub/.onetool/tmp/a/result.txt",
    "sub/.onetool/pins.json",
    "sub/node_modules/x/.onetool/stats/b.txt",
    ".onetool/cache/c.txt",
    "~/.onetool/cache/d.txt",
    "~/.onetool/any.txt",
    "~/.onetool/secrets.yaml",
  ];
  const open = [
    "sub/usual.txt",
    "sub/Secrets of trade.txt",
    "sub/.onetool/trash/e.txt",
    ".onetool/tools/f.txt",
    "~/.onetool/tools/node_modules/g.txt",
    "~/.onetool/cache/pack_types/node_modules/h.txt",
  ];
  const nameOf = (path: string) => `other/${path.replaceAll(/\W/g, "_")}.txt`;
  const files = Object.fromEntries([...closed, ...open].map((path) => [path, "key: topsecret"]));
  return withProject({
    files,
    prepare: async ({ home, project }) => {
      await Deno.mkdir(join(project, "other"));
      for (const path of Object.keys(files)) {
        const from = path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path);
        await Deno.link(from, join(project, nameOf(path)));
      }
    },
  }, async ({ call, refused }) => {
    for (const path of closed.map(nameOf)) {
      const { message } = await refused("file.read", { path });
      assert.match(message, /it holds secrets, under another name/);
      await refused("data.parse", { path, format: "yaml" });
      await refused("file.copy", { from: path, to: "copy.txt" });
    }
    for (const path of open.map(nameOf)) await call("file.read", { path });
    // In threads as well.
    const { matches } = await call("grep.search", { pattern: "topsecret", path: "other" });
    const readable = (matches as { path: string }[]).map(({ path }) => path);
    assert.deepEqual(readable.toSorted(), open.map(nameOf).toSorted());
  });
});

const SECRETS = "API: topsecret-123";
const DIGEST = createHash("sha256").update(SECRETS).digest("hex");
/** Calls that check the path of a file here, and open it in a thread or a process that starts first. */
const LATE: Record<string, { readonly name: string; readonly args: (path: string) => JsonObject }> =
  {
    "data.parse": { name: "f.yaml", args: (path) => ({ path }) },
    "data.convert": { name: "f.yaml", args: (path) => ({ path, to: "json" }) },
    "text.hash": { name: "f.txt", args: (path) => ({ path }) },
    "package.audit": { name: "f.txt", args: (path) => ({ path, kind: "requirements.txt" }) },
    "db.query": {
      name: "f.db",
      args: (path) => ({ connection: `sqlite:${path}`, sql: "SELECT word FROM t" }),
    },
  };

Deno.test("a folder with a hard link to a closed file is not read when it is moved to a checked path", async (t) => {
  for (const [tool, { name, args }] of Object.entries(LATE)) {
    await t.step(tool, () =>
      withProject({
        config: { packs: { package: { registries: { pypi: "http://127.0.0.1:9/simple" } } } },
        files: { ".onetool/secrets.yaml": SECRETS, [`A/${name}`]: "open==1" },
        prepare: async ({ project }) => {
          const closed = name === "f.db" ? ".onetool/stats/stats.db" : ".onetool/secrets.yaml";
          if (name === "f.db") {
            await Deno.mkdir(join(project, ".onetool/stats"));
            await Deno.remove(join(project, "A/f.db"));
            makeDatabase(join(project, closed), "topsecret-123");
            makeDatabase(join(project, "A/f.db"), "open");
          }
          await link(project, { [closed]: `B/${name}` });
        },
      }, async ({ call, refused }) => {
        await refused(tool, args(`B/${name}`));
        const answer = call(tool, args(`A/${name}`)).then(
          (value) => JSON.stringify(value),
          ({ message }: Error) => message,
        );
        await sleep(15);
        await call("file.move", { from: "A", to: "C" });
        await call("file.move", { from: "B", to: "A" });
        const text = await answer;
        assert.doesNotMatch(text, /topsecret/);
        assert.ok(!text.includes(DIGEST));
        // By the path that it has now, it is refused.
        await refused(tool, args(`A/${name}`));
      }));
  }
});

Deno.test("a database that a hard link to a closed one replaces before it is opened is not changed", async (t) => {
  for (const state of ["there", "not there yet"]) {
    await t.step(state, () =>
      withProject({
        config: { packs: { db: { connections: { main: { url: "sqlite:A/f.db", write: true } } } } },
        files: { ".onetool/stats/.keep": "", "A/.keep.txt": "" },
        prepare: async ({ project }) => {
          if (state === "there") makeDatabase(join(project, "A/f.db"), "open");
          makeDatabase(join(project, ".onetool/stats/stats.db"), "kept");
          await link(project, { ".onetool/stats/stats.db": "B/f.db" });
        },
      }, async ({ project, call }) => {
        const answer = call("db.execute", { sql: "DROP TABLE t" }).catch(({ message }) => message);
        await sleep(15);
        await moveIn(project);
        await answer;
        using kept = new DatabaseSync(join(project, ".onetool/stats/stats.db"));
        assert.deepEqual({ ...kept.prepare("SELECT word FROM t").get() }, { word: "kept" });
      }));
  }
});

Deno.test("a message goes to no closed file that is moved to the path of its topic", async () => {
  await withProject({
    files: { "CLAUDE.md": "kept", "A/all.yaml": "open" },
    prepare: ({ project }) => link(project, { "CLAUDE.md": "B/all.yaml" }),
  }, async ({ home, project, read }) => {
    const closed = closedOf(await loadConfig({ env: {}, home, cwd: project }));
    let isMoved = false;
    const options: Topics = {
      topics: [{ pattern: "*", file: join(project, "A/all.yaml") }],
      folders: [project],
      now: Date.now,
      closed: {
        ...closed,
        async change(path, options) {
          const refusal = await closed.change(path, options);
          if (!isMoved) await moveIn(project);
          isMoved = true;
          return refusal;
        },
      },
    };
    const answer = await notify(options, { topic: "a", message: "evil" });
    assert.match(answer, /^Error: .* it is a closed file under another name/);
    assert.equal(await read("CLAUDE.md"), "kept");
    // What is refused there is the file, not the path.
    await Deno.remove(join(project, "A/all.yaml"));
    assert.match(await notify(options, { topic: "a", message: "fine" }), /^OK/);
  });
});

/** Puts the folder B in the place of A. */
async function moveIn(project: string): Promise<void> {
  await Deno.rename(join(project, "A"), join(project, "C"));
  await Deno.rename(join(project, "B"), join(project, "A"));
}

function makeDatabase(path: string, word: string): void {
  using database = new DatabaseSync(path);
  database.exec(`CREATE TABLE t AS SELECT '${word}' AS word`);
}
