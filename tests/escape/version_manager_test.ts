/** Files of a stranger's project by which version managers choose a program. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { choosesPrograms } from "../../packs/version_manager.ts";
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
    assert.ok(chooses(["work/project/.config/mise/config.toml"]));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
