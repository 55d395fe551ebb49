/** What the trust list says of a project's packs. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openProject } from "../config/project.ts";
import { UNTRUSTED } from "./trust_place.ts";

const MAIN = ".onetool/onetool.yaml";
const PACK = ".onetool/tools/dates/dates_tools.ts";

Deno.test("the list names a pack as its file does", async () => {
  await using it = await openProject({
    [MAIN]: "{}",
    ".onetool/tools/charts/charts_tools.ts": '// export\nexport const pack = "web";\n',
    ".onetool/tools/mail/mail_tools.py": 'pack: str = "git"\n',
    ".onetool/tools/own/own_tools.ts": 'export const pack = "own";\n',
    ".onetool/tools/plain/plain_tools.ts": "",
  });
  const { starts } = (await it.load({ env: UNTRUSTED })).trust.items;
  assert.deepEqual(starts, [
    "pack .onetool/tools/charts/charts_tools.ts as web",
    "pack .onetool/tools/mail/mail_tools.py as git",
    "pack .onetool/tools/own/own_tools.ts",
    "pack .onetool/tools/plain/plain_tools.ts",
  ]);
});

const LINKS: Readonly<Record<string, (home: string) => Record<string, string>>> = {
  "a file": (home) => ({ "tools/dates/zone": `${home}/.ssh/key` }),
  "a relative link": () => ({ "tools/dates/zone": "../../../../home/.ssh/key" }),
  "a link by way of another": (home) => ({
    "tools/dates/one": "two",
    "tools/dates/two": `${home}/.ssh/key`,
  }),
  "a link in a folder beside packs": (home) => ({ "tools/data/zone": `${home}/.ssh/key` }),
};

for (const [name, links] of Object.entries(LINKS)) {
  Deno.test(`the list names where links beside packs lead: ${name}`, async () => {
    await using it = await openProject({ [MAIN]: "{}", [PACK]: "", "~/.ssh/key": "k" });
    for (const [path, target] of Object.entries(links(it.home))) {
      const link = join(it.project, ".onetool", path);
      await Deno.mkdir(dirname(link), { recursive: true });
      await Deno.symlink(target, link);
    }
    const { reads, starts } = (await it.load({ env: UNTRUSTED })).trust.items;
    assert.deepEqual(starts, [`pack ${PACK}`]);
    assert.deepEqual(reads, [`file ${join(it.home, ".ssh/key")}`]);
  });
}

Deno.test("the list names folders outside that a project's packs lie in, or lead to", async () => {
  await using it = await openProject({ "~/mine/dates/dates_tools.ts": "", "~/.ssh/key": "k" });
  await Deno.mkdir(join(it.project, ".onetool"));
  await Deno.symlink(join(it.home, "mine"), join(it.project, ".onetool/tools"));
  await Deno.symlink("../../.ssh", join(it.home, "mine/dates/data"));
  const { reads, starts } = (await it.load({ env: UNTRUSTED })).trust.items;
  assert.deepEqual(starts, [`pack ${PACK}`]);
  const folders = ["mine", ".ssh"].map((path) => `folder ${join(it.home, path)}`);
  assert.deepEqual(reads, folders);
});

Deno.test("links within a project, and those beside no pack, are in no list", async () => {
  await using it = await openProject({ [MAIN]: "{}", [PACK]: "", "data.json": "{}" });
  await Deno.symlink("../../../data.json", join(it.project, ".onetool/tools/dates/data"));
  await Deno.symlink("nothing", join(it.project, ".onetool/tools/dates/none"));
  assert.deepEqual((await it.load({ env: UNTRUSTED })).trust.items.reads, []);
  await Deno.remove(join(it.project, PACK));
  await Deno.symlink(it.home, join(it.project, ".onetool/tools/dates/out"));
  assert.deepEqual((await it.load({ env: UNTRUSTED })).trust.items.reads, []);
});
