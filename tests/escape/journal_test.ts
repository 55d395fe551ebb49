/** Journals that a program puts beside a database: SQLite deletes the file that one names. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { journalEnd, journalOf } from "../support/journal.ts";
import { withProject } from "../support/project.ts";

const config = {
  packs: {
    file: { writable: ["opened/**"] },
    db: {
      connections: {
        main: { url: "sqlite:data/app", write: true },
        other: { url: "sqlite:data/other", write: true },
        link: { url: "sqlite:data/link", write: true },
        reading: { url: "sqlite:data/reading" },
      },
    },
  },
};
function makeDatabase(path: string): void {
  using database = new DatabaseSync(path);
  database.exec("CREATE TABLE t (b BLOB)");
}

const sql = "INSERT INTO t VALUES (?)";
const FILES = { "data/readme.md": "", "victim.txt": "precious", "stage/x.md": "" };

Deno.test("no program puts a journal beside a database that may be changed", () =>
  withProject({
    config,
    files: FILES,
    prepare: async ({ project }) => {
      makeDatabase(join(project, "data/app"));
      makeDatabase(join(project, "data/other"));
      makeDatabase(join(project, "data/reading"));
      makeDatabase(join(project, "stage/real"));
      await Deno.symlink("data", join(project, "alias"));
      await Deno.symlink("../stage/real", join(project, "data/link"));
    },
  }, async ({ project, call, refused }) => {
    const victim = join(project, "victim.txt");
    const base64 = journalEnd(victim).toBase64();
    await call("db.execute", { connection: "main", sql, params: [{ base64 }] });
    for (
      const to of [
        "data/app-journal",
        "data/other-journal",
        "alias/app-journal",
        "stage/real-journal",
      ]
    ) {
      await refused("file.copy", { from: "data/app", to });
    }
    for (const end of ["journal", "wal", "shm"]) {
      await refused("file.write", { path: `data/app-${end}`, text: "x" });
      await refused("file.write", { path: `data/reading-${end}`, text: "x" });
      await refused("file.copy", { from: "data/app", to: `alias/reading-${end}` });
      await refused("file.move", { from: "stage/x.md", to: `data/APP-${end}` });
    }
    await refused("file.copy", { from: "data/app", to: "stage/app-journal" });
    await refused("file.write", { path: "opened/app.db-journal", text: "x" });
    await call("file.write", { path: "opened/run.sh", text: "x" });
    for (const end of ["journal", "WAL", "shm", "mj0123ABCD"]) {
      await refused("file.write", { path: `stage/any.db-${end}`, text: "x" });
      await refused("file.delete", { path: `stage/old.db-${end}` });
    }
    await call("file.makeFolder", { path: "stage/travel-journal" });
    await call("file.write", { path: "stage/travel-journal/day.md", text: "x" });
    await call("file.move", { from: "stage/travel-journal", to: "stage/new-journal" });
    await call("file.copy", { from: "stage/new-journal", to: "stage/other-journal" });
    await call("file.delete", { path: "stage/new-journal", recursive: true });
    for (const connection of ["main", "link"]) {
      await call("db.execute", { connection, sql, params: [null] });
    }
    assert.equal(await Deno.readTextFile(victim), "precious");
  }));

Deno.test("a journal that names another file is not played back", () =>
  withProject({
    config,
    files: FILES,
    prepare: async ({ project }) => {
      const path = join(project, "data/app");
      makeDatabase(path);
      await Deno.symlink("app", join(project, "data/link"));
      await Deno.writeFile(`${path}-journal`, journalOf(join(project, "victim.txt")));
    },
  }, async ({ project, call }) => {
    for (const connection of ["main", "link"]) {
      const executed = call("db.execute", { connection, sql, params: [null] });
      await assert.rejects(executed, /journal/);
    }
    assert.equal(await Deno.readTextFile(join(project, "victim.txt")), "precious");
  }));
