/** Allowed folders and databases of a project behind links whose text is no UTF-8. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dump } from "js-yaml";
import type { JsonObject } from "#base";
import { PackError } from "#packs";
import { shell, TAKES_OTHER_BYTES } from "../support/other_bytes.ts";
import { type ProjectStage, withProject } from "../support/project.ts";
import { HAS_RIGHTS, withoutRights } from "../support/rights.ts";

const ignore = !TAKES_OTHER_BYTES;
const LONG = "n".repeat(250);
const FILES = { "~/private/in/key": "top secret", "~/private/key": "top secret" };

/** Scripts that make a way from `data` to the folder `private` of the home folder. */
const WAYS: Readonly<Record<string, string>> = {
  "a link over another byte": 'ln -s d$b data; ln -s "$h/private" d$b',
  "a chain of three links": 'ln -s one data; ln -s d$b one; ln -s two d$b; ln -s "$h/private" two',
  "such a text in the middle": 'ln -s one data; ln -s d$b one; ln -s "$h/private" d$b',
  "two such texts": 'ln -s d$b data; ln -s e$b d$b; ln -s "$h/private" e$b',
  "a text through such a folder": 'mkdir d$b; ln -s d$b/one data; ln -s "$h/private" d$b/one',
  "a turn behind such a folder": 'mkdir -p d$b/in one; ln -s "$h/private" l; ln -s d$b/../l data',
  "a decoy beside it": 'ln -s d$b data; ln -s "$h/private" d$b; mkdir d$r; echo > d$r/key',
  "one surrogate": 'ln -s d$c data; ln -s "$h/private" d$c',
  "a long form of a slash": 'ln -s d$o data; ln -s "$h/private" d$o',
  "a long name": `ln -s ${LONG}$b data; ln -s "$h/private" ${LONG}$b`,
};

const UNCOUNTED =
  /"data" (?:is|may be) a link of the project(?:: it cannot be read)?, which does not count: name/;

/** The message of the error that a call ends with. */
async function messageOf({ call }: ProjectStage, tool: string, args: JsonObject): Promise<string> {
  const error = await call(tool, args).then((value) => value, (error: unknown) => error);
  assert.ok(error instanceof PackError, `${tool} ${JSON.stringify(args)} went through`);
  return error.message;
}

Deno.test({
  name: "an allowed folder behind a link that is no UTF-8 does not count",
  ignore,
  async fn(t) {
    for (const [name, script] of Object.entries(WAYS)) {
      for (const allowed of ["data", "data/in"]) {
        await t.step(`${name}: ${allowed}`, () =>
          withProject({
            files: {
              ...FILES,
              "~/.onetool/onetool.yaml": dump({ packs: { file: { allowed: [allowed] } } }),
            },
            trusted: false,
            prepare: ({ home, project }) => shell(script, { cwd: project, home }),
          }, async (stage) => {
            assert.match(
              await messageOf(stage, "file.read", { path: `${allowed}/key` }),
              UNCOUNTED,
            );
            await messageOf(stage, "file.write", { path: `${allowed}/new`, text: "x" });
            await messageOf(stage, "grep.search", { pattern: "secret", path: allowed });
            await assert.rejects(Deno.lstat(join(stage.home, "private/new")));
          }));
      }
    }
  },
});

Deno.test({
  name: "a user's own link to one that is no UTF-8 does not count",
  ignore,
  fn: () =>
    withProject({
      files: FILES,
      config: { packs: { file: { allowed: ["~/round"] } } },
      prepare: ({ home, project }) =>
        shell(`${WAYS["a decoy beside it"]}; ln -s "$PWD/data" "$h/round"`, { cwd: project, home }),
    }, async (stage) => {
      const message = await messageOf(stage, "file.read", { path: join(stage.home, "round/key") });
      assert.match(message, UNCOUNTED);
    }),
});

Deno.test({
  name: "a database behind a link that is no UTF-8 is not used",
  ignore,
  async fn(t) {
    for (const [name, script] of Object.entries(WAYS)) {
      await t.step(name, () =>
        withProject({
          files: FILES,
          config: { packs: { db: { connections: { app: "sqlite:data/app.db" } } } },
          async prepare({ home, project }) {
            await shell(script, { cwd: project, home });
            using database = new DatabaseSync(join(home, "private/app.db"));
            database.exec("CREATE TABLE c (v)");
          },
        }, async (stage) => {
          assert.match(
            await messageOf(stage, "db.query", { connection: "app", sql: "SELECT * FROM c" }),
            UNCOUNTED,
          );
        }));
    }
  },
});

Deno.test({
  name: "an allowed folder with a real replacement character in its name counts",
  ignore,
  fn: () =>
    withProject({
      config: { packs: { file: { allowed: ["data\uFFFD", "other\uFFFD"] } } },
      prepare: ({ project }) => shell("mkdir data$r; echo a >data$r/a", { cwd: project }),
    }, async ({ call, read }) => {
      assert.equal((await call("file.read", { path: "data\uFFFD/a" })).text, "a\n");
      await call("file.write", { path: "data\uFFFD/b", text: "b" });
      assert.equal(await read("data\uFFFD/b"), "b");
    }),
});

Deno.test({
  name: "linkInClone() names a folder that cannot be looked at",
  ignore: !HAS_RIGHTS,
  async fn() {
    const clone = await Deno.realPath(await Deno.makeTempDir());
    await shell("mkdir -p in/deep; chmod 0 in", { cwd: clone });
    const path = join(clone, "in/deep");
    try {
      const module = import.meta.resolve("../../files/mod.ts");
      const code = `import { linkInClone } from "${module}";
        console.log(JSON.stringify(linkInClone(...${JSON.stringify([path, clone])})));`;
      const { stdout, stderr } = await withoutRights(code);
      assert.deepEqual(JSON.parse(stdout), { path, isRead: false }, stderr);
    } finally {
      await shell("chmod 700 in; rm -r in", { cwd: clone });
      await Deno.remove(clone);
    }
  },
});
