/** Folders whose real path is no UTF-8: what lies above them cannot be told. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError, loadConfig } from "#config";
import { searchPath } from "#files";
import { choosesPrograms, withoutManagers } from "../../packs/version_manager.ts";
import { shell, TAKES_OTHER_BYTES } from "../support/other_bytes.ts";

const ignore = !TAKES_OTHER_BYTES;

/** Scripts that make a way from `app` to a folder below `src`. */
const WAYS: Readonly<Record<string, string>> = {
  "a folder": "ln -s src/p$b app; mkdir -p src/p$b/.onetool",
  "a folder above": "ln -s src/p$b/in app; mkdir -p src/p$b/in/.onetool",
  "a chain of links": "ln -s one app; ln -s src/p$b one; mkdir -p src/p$b/.onetool",
  "a folder beside its decoy": "ln -s src/p$b app; mkdir -p src/p$b/.onetool src/p$r/.onetool",
  "one surrogate": "ln -s src/p$c app; mkdir -p src/p$c/.onetool",
};

async function withHome(
  script: string,
  work: (place: { readonly home: string; readonly work: string }) => Promise<void> | void,
): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const folder = join(home, "work");
  try {
    await Deno.mkdir(folder);
    await shell(script, { cwd: folder, home });
    await work({ home, work: folder });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test({
  name: "versions are chosen where the folders above a start cannot be told",
  ignore,
  async fn(t) {
    for (const [name, script] of Object.entries(WAYS)) {
      await t.step(
        name,
        () =>
          withHome(`${script}; echo > src/.tool-versions`, ({ home, work }) => {
            const path = join(home, "shims");
            assert.ok(choosesPrograms({ path, home, cwd: join(work, "app") }));
            assert.ok(!choosesPrograms({ path: "/usr/bin", home, cwd: join(work, "app") }));
          }),
      );
    }
  },
});

Deno.test({
  name: "a program behind a link that is no UTF-8 may be a version manager",
  ignore,
  fn: () =>
    withHome("mkdir bin; ln -s m$b bin/node; echo > bin/m$b", ({ work }) => {
      assert.equal(withoutManagers(`${join(work, "bin")}:/usr/bin`), "/usr/bin");
    }),
});

Deno.test({
  name: "a project whose real path is no UTF-8 is not used",
  ignore,
  async fn(t) {
    for (const [name, script] of Object.entries(WAYS)) {
      await t.step(name, () =>
        withHome(script, async ({ home, work }) => {
          const loading = loadConfig({ env: {}, home, cwd: join(work, "app") });
          await assert.rejects(loading, (error: unknown) => {
            assert.ok(error instanceof ConfigError);
            assert.match(error.message, /its real path cannot be told\. Give its folder/);
            return true;
          });
        }));
    }
  },
});

Deno.test({
  name: "a folder of PATH that cannot be told is left out, whoever is trusted",
  ignore,
  fn: () =>
    withHome("mkdir bin$b; ln -s bin$b bin; mkdir own", ({ home, work }) => {
      const path = `${join(work, "bin")}:${join(work, "own")}:${join(work, "gone")}:/usr/bin`;
      for (const trust of ["", "all"]) {
        const env = { HOME: home, TOOLSCRIPT_TRUST: trust };
        const left = searchPath(path, { env, outside: join(home, "other") }).split(":");
        assert.ok(!left.includes(join(work, "bin")), trust);
        assert.ok(left.includes("/usr/bin"));
      }
    }),
});
