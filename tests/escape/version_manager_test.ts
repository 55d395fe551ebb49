/** Files of a stranger's project by which version managers choose a program. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { choosesPrograms, withoutManagers } from "../../packs/version_manager.ts";
import { openGateway } from "../support/gateway.ts";

/** As the programs of asdf and mise: the nearest file says which program runs. */
const SHIM = `#!/bin/sh
at=$PWD
while [ ! -f "$at/.tool-versions" ] && [ "$at" != / ]; do at=$(dirname "$at"); done
[ -f "$at/.tool-versions" ] && exec "$at/$(sed -n 's/^tool path://p' "$at/.tool-versions")/tool"
echo own > "$OUT"
`;

Deno.test("a server of the home folder runs no program that the project's versions name", async (t) => {
  for (const below of ["", "sub/folder"]) {
    await t.step(below || "the project", async () => {
      const folder = await Deno.realPath(
        await Deno.makeTempDir({ prefix: "toolscript-versions-" }),
      );
      const [home, project] = [join(folder, "home"), join(folder, "project")];
      const out = join(folder, "out");
      try {
        const programs: Record<string, string> = {
          [join(home, "shims/tool")]: SHIM,
          [join(project, "evil/tool")]: '#!/bin/sh\necho evil > "$OUT"\n',
        };
        for (const [path, text] of Object.entries(programs)) {
          await Deno.mkdir(dirname(path), { recursive: true });
          await Deno.writeTextFile(path, text, { mode: 0o755 });
        }
        await Deno.writeTextFile(join(project, ".tool-versions"), "tool path:evil\n");
        await Deno.mkdir(join(project, below, ".onetool"), { recursive: true });
        const PATH = `${join(home, "shims")}:/usr/bin:/bin`;
        const servers = { it: { command: "tool", env: { OUT: out, PATH } } };
        await Deno.mkdir(join(home, ".onetool"));
        await Deno.writeTextFile(join(home, ".onetool/onetool.yaml"), JSON.stringify({ servers }));
        await using gateway = await openGateway({}, { home, project: join(project, below) });
        const answer = await gateway.post("/tools/it__x", {});
        assert.equal((await answer.json()).error.code, "unavailable");
        assert.equal(await Deno.readTextFile(out), "own\n");
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
});

Deno.test("files by which version managers choose count up to the home folder", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-versions-" }));
  const cwd = join(home, "work/project");
  const path = `/usr/bin:${join(home, ".asdf/shims")}`;
  const chooses = (names: readonly string[], by = path) => {
    for (const name of names) {
      Deno.mkdirSync(dirname(join(home, name)), { recursive: true });
      Deno.writeTextFileSync(join(home, name), "");
    }
    const isChosen = choosesPrograms({ path: by, home, cwd });
    for (const name of names) Deno.removeSync(join(home, name));
    return isChosen;
  };
  try {
    await Deno.mkdir(cwd, { recursive: true });
    for (const name of [".tool-versions", "mise.toml", ".mise.local.toml", ".python-version"]) {
      assert.ok(chooses([`work/project/${name}`]), name);
      assert.ok(chooses([`work/${name}`]), name);
      assert.ok(!chooses([name]), name);
      assert.ok(!chooses([`work/project/${name}`], "/usr/bin:/opt/shims-of/bin"), name);
    }
    assert.ok(!chooses(["work/project/README.md", "work/project/package.json"]));
    assert.ok(!chooses(["work/project/.config/other.toml"]));
    for (const name of ["mise/config.toml", "mise.local.toml", "mise.dev.toml"]) {
      assert.ok(chooses([`work/project/.config/${name}`]), name);
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("the way up is that of the real folder, too", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-versions-" }));
  const path = join(home, "shims");
  try {
    await Deno.mkdir(join(home, "work/src/app"), { recursive: true });
    await Deno.symlink("src/app", join(home, "work/link"));
    const cwd = join(home, "work/link");
    assert.ok(!choosesPrograms({ path, home, cwd }));
    await Deno.writeTextFile(join(home, "work/src/.tool-versions"), "");
    assert.ok(choosesPrograms({ path, home, cwd }));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("a version manager is also a link from another name, in any folder", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-versions-" }));
  const bin = join(home, "bin");
  const chooses = (command?: string) =>
    choosesPrograms({ path: bin, home, cwd: join(home, "work"), command });
  try {
    await Deno.mkdir(bin);
    await Deno.mkdir(join(home, "work"));
    await Deno.writeTextFile(join(home, "work/mise.toml"), "");
    for (const name of ["mise", "nodejs", "python3.12", "tool"]) {
      await Deno.writeTextFile(join(bin, name), "");
    }
    await Deno.symlink("nodejs", join(bin, "node"));
    await Deno.symlink("python3.12", join(bin, "python3"));
    await Deno.symlink("mise", join(bin, "mine"));
    assert.ok(!chooses());
    assert.ok(!chooses("tool"));
    assert.ok(chooses("mine"));
    assert.equal(withoutManagers(`${bin}:/x/shims:/usr/bin`), `${bin}:/usr/bin`);
    await Deno.remove(join(bin, "node"));
    await Deno.symlink("mise", join(bin, "node"));
    assert.ok(chooses());
    assert.equal(withoutManagers(`${bin}:/x/shims:/usr/bin`), "/usr/bin");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
