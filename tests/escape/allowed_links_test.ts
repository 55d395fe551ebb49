/** Allowed folders and databases that are links: a project's own lead nowhere. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { dirname, join } from "node:path";
import { dump } from "js-yaml";
import type { JsonObject } from "#base";
import { PackError } from "#packs";
import { type ProjectStage, withProject } from "../support/project.ts";

type Stage = Pick<ProjectStage, "home" | "project">;

const SECRET = "top secret";
const FILES = { "~/private/id_rsa": SECRET, "src/a.md": "a", "src/in/b.md": "b" };

/** Makes links of a project by their names; targets that begin with `~/` lie in the home folder. */
function links(all: Readonly<Record<string, string>>) {
  return async ({ home, project }: Stage) => {
    for (const [name, target] of Object.entries(all)) {
      const path = join(project, name);
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.symlink(target.startsWith("~/") ? join(home, target.slice(2)) : target, path);
    }
  };
}

/** The message of the error that a call ends with. */
async function messageOf({ call }: ProjectStage, tool: string, args: JsonObject): Promise<string> {
  const error = await call(tool, args).then((value) => value, (error: unknown) => error);
  assert.ok(error instanceof PackError, `${tool} ${JSON.stringify(args)} went through`);
  return error.message;
}

const UNCOUNTED =
  /\("src"\): "docs" is a link of the project, which does not count: name what it leads to in packs/;

Deno.test("an allowed folder that is a link of the project does not count", async (t) => {
  const rows: Record<string, readonly [allowed: string, links: Readonly<Record<string, string>>]> =
    {
      "the folder": ["docs", { docs: "~/private" }],
      "a folder above": ["docs/private", { docs: "~/" }],
      "a link to a link": ["docs", { docs: "other", other: "~/private" }],
      "a dotted way": ["./src/../docs", { docs: "~/private" }],
      "to the project": ["docs/../docs", { docs: "." }],
      "below a link to the project": ["docs/src/l", { docs: ".", "src/l": "~/private" }],
    };
  for (const [name, [allowed, made]] of Object.entries(rows)) {
    for (const isHomes of [true, false]) {
      await t.step(`${name}, ${isHomes ? "of the home folder" : "trusted"}`, async () => {
        const packs = { file: { allowed: ["src", allowed] }, grep: { allowed: [allowed] } };
        const files = isHomes ? { ...FILES, "~/.onetool/onetool.yaml": dump({ packs }) } : FILES;
        const config: JsonObject = isHomes ? {} : { packs };
        const options = { files, config, trusted: !isHomes };
        await withProject({ ...options, prepare: links(made) }, async (stage) => {
          for (
            const path of ["docs/id_rsa", `${allowed}/id_rsa`, join(stage.home, "private/id_rsa")]
          ) {
            await messageOf(stage, "file.read", { path });
          }
          await messageOf(stage, "file.write", { path: `${allowed}/keys`, text: "x" });
          await messageOf(stage, "grep.search", { pattern: "secret", path: allowed });
          assert.equal((await stage.call("file.read", { path: "src/a.md" })).text, "a");
          await assert.rejects(Deno.stat(join(stage.home, "private/keys")));
        });
      });
    }
  }
});

Deno.test("the message says which allowed folder does not count", () =>
  withProject({
    files: FILES,
    config: { packs: { file: { allowed: ["src", "docs"] } } },
    prepare: links({ docs: "~/private" }),
  }, async (stage) => {
    assert.match(await messageOf(stage, "file.read", { path: "docs/id_rsa" }), UNCOUNTED);
  }));

Deno.test("an allowed folder counts behind links outside of the project, but for those behind them", () =>
  withProject({
    files: { ...FILES, "~/notes/n.md": "n" },
    config: { packs: { file: { allowed: ["~/linked", "~/round"] } } },
    async prepare({ home, project }) {
      await links({ docs: "~/private" })({ home, project });
      await Deno.symlink("notes", join(home, "linked"));
      await Deno.symlink(join(project, "docs"), join(home, "round"));
    },
  }, async (stage) => {
    assert.equal(
      (await stage.call("file.read", { path: join(stage.home, "linked/n.md") })).text,
      "n",
    );
    await messageOf(stage, "file.read", { path: join(stage.home, "round/id_rsa") });
  }));

Deno.test("a link of the repository around the project does not count", () =>
  withProject({
    files: { ...FILES, "../.git/HEAD": "" },
    config: { packs: { file: { allowed: ["src", "../shared"] } } },
    prepare: ({ home, project }) => Deno.symlink(join(home, "private"), join(project, "../shared")),
  }, async (stage) => {
    await messageOf(stage, "file.read", { path: "../shared/id_rsa" });
  }));

Deno.test("git reads no repository behind an allowed link of the project", () =>
  withProject({
    files: FILES,
    config: { packs: { git: { allowed: [".", "vendor"] } } },
    async prepare(stage) {
      await links({ vendor: "~/private" })(stage);
      for (const args of [["init", "-q"], ["add", "."]]) {
        await new Deno.Command("git", { args, cwd: join(stage.home, "private") }).output();
      }
    },
  }, async (stage) => {
    assert.match(await messageOf(stage, "git.status", { repo: "vendor" }), /outside the allowed/);
  }));

Deno.test("a database that is a link of the project is not used", async (t) => {
  for (const url of ["sqlite:data/app.db", "sqlite:data/inner/app.db"]) {
    await t.step(url, () =>
      withProject({
        files: FILES,
        config: { packs: { db: { connections: { app: { url, write: true } } } } },
        async prepare(stage) {
          using database = new DatabaseSync(join(stage.home, "private/app.db"));
          database.exec("CREATE TABLE c (v)");
          const [name, to] = url.includes("inner")
            ? ["data/inner", "~/private"]
            : ["data/app.db", "~/private/app.db"];
          await links({ [name]: to })(stage);
        },
      }, async (stage) => {
        for (
          const [tool, sql] of Object.entries({ query: "SELECT * FROM c", execute: "DROP TABLE c" })
        ) {
          const message = await messageOf(stage, `db.${tool}`, { connection: "app", sql });
          assert.match(
            message,
            /"data\/(?:app\.db|inner)" is a link of the project, which does not count: name what/,
          );
        }
      }));
  }
});

Deno.test("a database behind a link of the user's own is used", () =>
  withProject({
    config: { packs: { db: { connections: { app: "sqlite:~/linked.db" } } } },
    async prepare({ home }) {
      using database = new DatabaseSync(join(home, "real.db"));
      database.exec("CREATE TABLE c (v)");
      await Deno.symlink("real.db", join(home, "linked.db"));
    },
  }, async ({ call }) => {
    await call("db.query", { connection: "app", sql: "SELECT * FROM c" });
  }));
