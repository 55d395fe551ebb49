/** `doctor` says of folders for state what the writing will say, and changes nothing outside. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openStateFolder } from "#files";
import { checkFolders, checkSecrets } from "../../cli/doctor/configuration.ts";
import { openProject } from "../config/project.ts";
import { give, ignore } from "./owner.ts";

interface Row {
  readonly prepare: (folder: string) => void;
  readonly says: RegExp;
  readonly ignore?: boolean;
}

const ROWS: Readonly<Record<string, Row>> = {
  "a parent of another user": {
    prepare: (folder) => give(dirname(folder)),
    says: /(?:\.onetool|stats): it belongs to another user \(12345\)$/,
    ignore,
  },
  "a parent that everyone can write": {
    prepare: (folder) => Deno.chmodSync(dirname(folder), 0o777),
    says: /(?:\.onetool|stats): everyone can write to it$/,
  },
  "a folder of another user": {
    prepare: give,
    says: /(?:tmp|stats|run|[0-9a-f]{32}): it is not your own folder$/,
    ignore,
  },
};

Deno.test("checkFolders() refuses what openStateFolder() refuses", async (t) => {
  for (const [name, { prepare, says, ignore = false }] of Object.entries(ROWS)) {
    for (const part of ["tmp", "stats"]) {
      await t.step({
        name: `${name}, ${part}`,
        ignore,
        async fn() {
          await using it = await openProject({ ".onetool/tmp/keep": "" });
          const config = await it.load();
          const { folder, root } = part === "tmp"
            ? { folder: config.output.folder, root: it.project }
            : { folder: config.stats.folder, root: join(it.home, ".onetool") };
          await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
          prepare(folder);
          assert.throws(() => openStateFolder(folder, { root }));
          const findings = await checkFolders(it, config);
          assert.deepEqual(findings.map(({ level }) => level), ["failed"]);
          assert.match(findings[0]?.message ?? "", says);
          assert.notEqual(findings[0]?.fix, undefined);
        },
      });
    }
  }
  for (const part of ["run", "cache"]) {
    await t.step({
      name: `a folder of another user, ${part} in the home folder`,
      ignore,
      async fn() {
        await using it = await openProject({ "~/.onetool/run/keep": "" });
        const config = await it.load();
        const folder = part === "run" ? join(it.home, ".onetool/run") : config.cacheDir;
        await Deno.mkdir(folder, { recursive: true });
        give(folder);
        const [finding] = await checkFolders(it, config);
        assert.match(finding?.message ?? "", ROWS["a folder of another user"]?.says ?? /$^/);
      },
    });
  }
  await t.step(
    "own folders that openStateFolder() closes, and missing ones, are good",
    async () => {
      await using it = await openProject({ ".onetool/tmp/keep": "" });
      await Deno.chmod(join(it.project, ".onetool/tmp"), 0o777);
      const findings = await checkFolders(it, await it.load());
      assert.deepEqual(findings.map(({ level }) => level), ["ok"]);
    },
  );
});

Deno.test("doctor --fix changes no file that a link of the project leads to", async (t) => {
  for (const at of [".onetool", ".onetool/config"]) {
    for (const link of ["secrets.yaml", ""]) {
      await t.step(join(at, link), async () => {
        await using it = await openProject({ [`${at}/onetool.yaml`]: "servers: {}\n" });
        const outside = join(it.home, "bin");
        Deno.mkdirSync(outside);
        const file = join(outside, "secrets.yaml");
        Deno.writeTextFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
        Deno.chmodSync(file, 0o755);
        const folder = join(it.project, at);
        if (link === "") {
          Deno.renameSync(join(folder, "onetool.yaml"), join(outside, "onetool.yaml"));
          Deno.removeSync(folder);
          Deno.symlinkSync(outside, folder);
        } else Deno.symlinkSync(file, join(folder, link));
        const config = await it.load();
        const findings = await checkSecrets({ home: it.home, cwd: it.project }, {
          config,
          fix: true,
        });
        assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o755);
        assert.deepEqual(findings.map(({ level }) => level), ["failed"]);
        assert.match(findings[0]?.message ?? "", /is a link$/);
      });
    }
  }
});
