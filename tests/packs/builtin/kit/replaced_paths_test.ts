/** Links that replace a path after it was checked, and links that existed before. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type JsonObject, type JsonValue, silent } from "#base";
import { loadConfig } from "#config";
import { createRegistry, type Registry } from "#packs";
import { makeBuiltin } from "../../../support/builtin.ts";

interface Stage {
  readonly project: string;
  readonly outside: string;
  readonly registry: Registry;
  call(tool: string, args: JsonObject): Promise<JsonValue>;
}

async function withStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const [project, outside] = [join(home, "project"), join(home, "outside")];
  for (const folder of [project, outside]) await Deno.mkdir(folder);
  const config = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
  const environment = Deno.env.toObject();
  const packs = makeBuiltin(config, { project, home, environment });
  const registry = createRegistry(packs, { log: silent });
  const call = async (tool: string, args: JsonObject) =>
    (await registry.call(tool, args, {})).value;
  try {
    await work({ project, outside, registry, call });
  } finally {
    await registry[Symbol.asyncDispose]();
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("a file that a link replaces before it is read is not read", () =>
  withStage(async ({ project, outside, call }) => {
    await Deno.writeTextFile(join(outside, "theirs.json"), '"theirs"');
    await Deno.symlink(join(outside, "theirs.json"), join(project, "link"));
    await Deno.writeTextFile(join(project, "own.json"), '"own"');
    // Both workers have something to do, so that the third job waits.
    const patient = () =>
      call("data__query", { value: Array(400).fill(0), query: "$..[?count($..*) > 0]" })
        .catch(() => {});
    const busy = [patient(), patient()];
    const late = call("data__parse", { path: "own.json" }).then(
      (value) => ({ value }),
      (error: Error) => ({ error }),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Deno.rename(join(project, "link"), join(project, "own.json"));
    const outcome = await late;
    assert.ok(!JSON.stringify(outcome).includes("theirs"), JSON.stringify(outcome));
    await Promise.all(busy);
  }));

Deno.test("a database that a link replaces while its process starts is not read", () =>
  withStage(async ({ project, outside, call }) => {
    for (const [folder, word] of [[project, "own"], [outside, "theirs"]] as const) {
      using database = new DatabaseSync(join(folder, "a.db"));
      database.exec(`CREATE TABLE t AS SELECT '${word}' AS word`);
    }
    await Deno.symlink(join(outside, "a.db"), join(project, "link"));
    const answer = call("db__query", { connection: "sqlite:a.db", sql: "SELECT word FROM t" }).then(
      (value) => JSON.stringify(value),
      (error: Error) => error.message,
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Deno.rename(join(project, "link"), join(project, "a.db"));
    assert.doesNotMatch(await answer, /theirs/);
  }));

Deno.test("a copy into a folder that a link replaces writes nothing outside", () =>
  withStage(async ({ project, outside, call }) => {
    await Deno.symlink(outside, join(project, "link"));
    const from = join(project, "from");
    await Deno.mkdir(join(from, "z/deep"), { recursive: true });
    for (let at = 0; at < 200; at++) await Deno.writeTextFile(join(from, `a${at}`), "x");
    await Deno.writeTextFile(join(from, "z/file"), "x");
    const copied = call("file__copy", { from: "from", to: "to" }).catch((error) => error);
    while (!await Deno.stat(join(project, "to")).catch(() => null)) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // The folder is there already where the copy came first.
    await Deno.rename(join(project, "link"), join(project, "to/z")).catch(() => {});
    await copied;
    assert.deepEqual([...Deno.readDirSync(outside)], []);
  }));

Deno.test("the trash writes through no link of the project", () =>
  withStage(async ({ project, outside, call }) => {
    await Deno.writeTextFile(join(outside, "theirs"), "theirs");
    await Deno.mkdir(join(project, ".onetool/trash"), { recursive: true });
    await Deno.symlink(join(outside, "theirs"), join(project, ".onetool/trash/.gitignore"));
    await Deno.writeTextFile(join(project, "a.txt"), "a");
    await call("file__delete", { path: "a.txt" });
    assert.equal(await Deno.readTextFile(join(outside, "theirs")), "theirs");
  }));
