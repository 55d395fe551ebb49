/** Projects and packs in folders that another user can write. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { discoverPacks } from "#packs";
import { openProject } from "../config/project.ts";
import { give, ignore, MAIN, mkfifo, type Row, SERVERS, textOf, warningsOf } from "./owner.ts";

Deno.test({
  name: "findProject() passes over a nearer folder that another user has marked",
  ignore,
  async fn() {
    await using it = await openProject({
      [MAIN]: SERVERS,
      "sub/.onetool/onetool.yaml": "alias: {}",
    });
    give(join(it.project, "sub/.onetool"));
    const config = await it.load({ cwd: join(it.project, "sub") });
    assert.equal(config.project, it.project);
    assert.match(warningsOf(config), /sub\/\.onetool: Passed over .* belongs to another user/);
  },
});

Deno.test("discoverPacks() takes no pack that another may have written", async (t) => {
  const file = ".onetool/tools/evil/evil_tools.ts";
  const rows: readonly (Pick<Row, "name" | "prepare" | "warns" | "ignore">)[] = [
    {
      name: "a file of another user",
      prepare: (_, path) => give(path(file)),
      warns: /evil_tools\.ts: Not taken as a pack: it belongs to another user/,
      ignore,
    },
    {
      name: "a folder that everyone can write",
      prepare: (_, path) => Deno.chmodSync(path(".onetool/tools/evil"), 0o777),
      warns: /evil: Not taken as a pack: everyone can write to it\. Close it: chmod go-w/,
    },
    {
      name: "all packs in a folder that everyone can write",
      prepare: (_, path) => Deno.chmodSync(path(".onetool/tools"), 0o777),
      warns: /tools: Not taken as a pack: everyone can write to it/,
    },
    {
      name: "a folder that is a link of another user",
      prepare: (_, path) => {
        Deno.renameSync(path(".onetool/tools/evil"), path("evil"));
        Deno.symlinkSync(path("evil"), path(".onetool/tools/evil"));
        give(path(".onetool/tools/evil"));
      },
      warns: /the link ".*evil" belongs to another user/,
      ignore,
    },
    {
      name: "a pipe",
      prepare: (_, path) => {
        Deno.removeSync(path(file));
        mkfifo(path(file));
      },
      warns: /it is a pipe, a socket or a device/,
    },
  ];
  for (const { name, prepare, warns, ignore = false } of rows) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using it = await openProject({ [file]: "export function f() {}" });
        prepare(it, (name) => join(it.project, name));
        const { packs, findings } = discoverPacks({ ...it, reserved: new Map() });
        assert.deepEqual(packs, []);
        assert.equal(findings.length, 1);
        assert.match(findings.map(textOf).join(), warns);
      },
    });
  }
});
