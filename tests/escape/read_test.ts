/** A program reads what is closed: secrets, results and statistics of other runs, credentials. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findProgram, type JsonObject } from "#base";
import { type ProjectStage, withProject } from "../support/project.ts";

const WORD = "sesame-open";
const FILES = {
  ".onetool/secrets.yaml": `KEY: ${WORD}\n`,
  ".onetool/tmp/r_1.json": `["${WORD}"]`,
  ".onetool/stats/a.json": `["${WORD}"]`,
  ".onetool/run/a.json": `["${WORD}"]`,
  "conf/secrets.yml": `KEY: ${WORD}\n`,
  "app/mcp.json.before-toolscript": `["${WORD}"]`,
  "nested/.onetool/tmp/r_2.json": `["${WORD}"]`,
  "~/.onetool/credentials/a.json": `["${WORD}"]`,
  "~/.onetool/anything.json": `["${WORD}"]`,
  "notes.md": "notes\n",
};
const CLOSED = Object.keys(FILES).filter((path) => path !== "notes.md");
const config = { packs: { file: { allowed: [".", "~"] }, grep: { allowed: [".", "~"] } } };

Deno.test("no pack reads a closed file", () =>
  withProject({ config, files: FILES }, async ({ home, call, refused }) => {
    for (const name of CLOSED) {
      const path = name.replace("~", home);
      for (const tool of ["file.read", "file.info", "data.parse", "data.schema"]) {
        await refused(tool, { path });
      }
      await refused("file.copy", { from: path, to: "copy.txt" });
      await refused("text.hash", { path });
      await refused("grep.search", { pattern: "sesame", path });
      await refused("db.tables", { connection: `sqlite:${path}` });
    }
    for (const path of [".onetool/tmp", "nested/.onetool/tmp", `${home}/.onetool`]) {
      await refused("file.list", { path });
      await refused("file.tree", { path });
      await refused("grep.files", { pattern: "sesame", path });
    }
    const hidden = { hidden: true, ignored: true };
    for (const path of [".", home]) {
      for (const pattern of ["sesame", "(?=s)sesame"]) {
        const { paths } = await call("grep.files", { pattern, path, ...hidden });
        assert.deepEqual(paths, []);
      }
      const { paths } = await call("file.search", { glob: ["*.json"], path, ...hidden });
      assert.deepEqual(paths, []);
    }
  }));

Deno.test("no spelling, link or copy gives access to a closed file", () =>
  withProject({
    config,
    files: FILES,
    prepare: async ({ project, home }) => {
      await Deno.symlink(".onetool/tmp", join(project, "results"));
      await Deno.link(join(project, ".onetool/tmp/r_1.json"), join(project, "hard.json"));
      await Deno.link(join(project, ".onetool/secrets.yaml"), join(project, "plain.txt"));
      await Deno.link(join(project, "app/mcp.json.before-toolscript"), join(project, "copied.txt"));
      await Deno.symlink(home, join(project, "home"));
    },
  }, async ({ project, call, refused }) => {
    const paths = [
      "results/r_1.json",
      "hard.json",
      "plain.txt",
      "copied.txt",
      "home/.onetool/anything.json",
      ".onetool/secrets.yaml/",
      "conf/secrets.yml//",
      "conf/./secrets.yml/.",
      ".onetool/../.onetool/secrets.yaml",
      "home/./.onetool/../.onetool/anything.json",
    ];
    for (const path of paths) await refused("file.read", { path });
    for (const pattern of ["sesame", "(?=s)sesame"]) {
      assert.deepEqual((await call("grep.files", { pattern, hidden: true })).paths, []);
    }
    for (const [from, to] of [[".onetool", "a"], ["nested", "b"], ["conf", "c"], [".", "../x"]]) {
      const outcome = await call("file.copy", { from: from ?? "", to: to ?? "" }).then(
        () => true,
        () => false,
      );
      if (outcome) await holdsNone(join(project, to ?? ""));
    }
    await refused("file.move", { from: "nested", to: "moved" });
    await refused("file.move", { from: "conf", to: "moved" });
    await call("file.copy", { from: "notes.md", to: "more.md" });
  }));

async function holdsNone(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) await holdsNone(path);
    else assert.doesNotMatch(await Deno.readTextFile(path), /sesame/, path);
  }
}

Deno.test("a file with another name is closed where there is too much to look for it", () =>
  withProject({
    mostSearched: 400,
    files: {
      ".onetool/stats/stats.db": "sesame",
      "plain.txt": "plain",
      "twice.txt": "twice",
      ...Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`.onetool/tmp/${at}`, ""])),
    },
    prepare: async ({ project }) => {
      await Deno.link(join(project, ".onetool/stats/stats.db"), join(project, "alias.txt"));
      await Deno.link(join(project, "twice.txt"), join(project, "again.txt"));
    },
  }, async ({ call, refused }) => {
    for (const path of ["alias.txt", "twice.txt"]) {
      const { message } = await refused("file.read", { path });
      assert.match(
        message,
        /over 50,000 entries to compare it with: delete .* in the tmp, stats and run of \.onetool/,
      );
    }
    const { matches } = await call("grep.search", { pattern: "sesame|twice|plain" });
    assert.deepEqual((matches as { path: string }[]).map(({ path }) => path), ["plain.txt"]);
    assert.equal((await call("file.read", { path: "plain.txt" })).text, "plain");
  }));

Deno.test("a state folder that is a link stays closed where it leads", () =>
  withProject({
    files: { "kept/tmp/r_1.json": `["${WORD}"]`, "kept/tools/a/a_tools.ts": "" },
    prepare: async ({ project }) => {
      await Deno.rename(join(project, ".onetool"), join(project, "old"));
      await Deno.rename(join(project, "old/onetool.yaml"), join(project, "kept/onetool.yaml"));
      await Deno.symlink("kept", join(project, ".onetool"));
    },
  }, async ({ refused }) => {
    await refused("file.read", { path: "kept/tmp/r_1.json" });
    await refused("file.write", { path: "kept/tools/a/a_tools.ts", text: "x" });
    await refused("file.move", { from: "kept", to: "k" });
    await refused("file.delete", { path: ".onetool" });
  }));

Deno.test("no name opens the statistics database", () =>
  withProject({
    config: {
      packs: {
        db: {
          connections: {
            mine: { url: "sqlite:.onetool/stats/stats.db" },
            open: { url: "sqlite:own.db" },
          },
        },
      },
    },
    files: { ".onetool/stats/x": "" },
    prepare: async ({ project }) => {
      for (const path of [".onetool/stats/stats.db", "own.db"]) {
        using database = new DatabaseSync(join(project, path));
        database.exec("CREATE TABLE t AS SELECT 1 AS a");
      }
      await Deno.link(join(project, ".onetool/stats/stats.db"), join(project, "alias.db"));
    },
  }, async ({ call, refused }) => {
    const sql = "SELECT a FROM t";
    for (const connection of ["sqlite:.onetool/stats/stats.db", "sqlite:alias.db", "mine"]) {
      await refused("db.query", { connection, sql });
    }
    assert.ok(await call("db.query", { connection: "open", sql }));
  }));

Deno.test({
  name: "git shows nothing of closed files",
  ignore: findProgram("git") === undefined,
  fn: () =>
    withProject({ files: FILES }, async (stage) => {
      const { project, refused } = stage;
      await git(project, "init", "-q", "-b", "main");
      await git(project, "add", "-f", ".");
      await git(project, "commit", "-qm", "One");
      await Deno.writeTextFile(join(project, "conf/secrets.yml"), `KEY: ${WORD}-2\n`);
      await Deno.writeTextFile(join(project, "nested/.onetool/tmp/r_2.json"), `["${WORD}-2"]`);
      await Deno.writeTextFile(join(project, "notes.md"), "more\n");
      const tracked = Object.keys(FILES).filter((path) => !/^(?:~|notes)/.test(path));
      const spellings = ["./conf//secrets.yml", "conf/secrets.yml/", "conf/./secrets.yml/.//"];
      for (const file of [...tracked, ...spellings]) {
        await refused("git.file", { file });
        await refused("git.blame", { file });
      }
      const calls: [string, JsonObject][] = [
        ["git.diff", {}],
        ["git.show", {}],
        ["git.status", {}],
        ["git.diff", { file: "conf" }],
        ["git.show", { file: "nested/.onetool" }],
        ["git.diff", { file: "conf/secrets.yml" }],
      ];
      for (const [tool, args] of calls) await tellsNothing(stage, tool, args);
      assert.match(String((await stage.call("git.diff", {})).text), /\+more/);
    }),
});

async function tellsNothing({ call }: ProjectStage, tool: string, args: JsonObject) {
  const result = JSON.stringify(await call(tool, args));
  assert.doesNotMatch(result, /sesame|secrets|r_2/, `${tool} ${JSON.stringify(args)}`);
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  const own = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  const { success, stderr } = await new Deno.Command("git", { cwd, args: [...own, ...args] })
    .output();
  assert.ok(success, new TextDecoder().decode(stderr));
}
