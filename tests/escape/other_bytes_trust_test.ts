/** Trust in packs of which a part has a name, or a link a text, that is no UTF-8. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "#config";
import { cli } from "../support/cli.ts";
import { shell, TAKES_OTHER_BYTES } from "../support/other_bytes.ts";

const PACK = `export function go(): string { return ""; }\n`;

/** Scripts for the folder of a pack. */
const PARTS: Readonly<Record<string, string>> = {
  "a part": "echo 1 > p$b.py",
  "a part beside its decoy": "echo 1 > p$b.py; echo 1 > p$r.py",
  "two parts with one name": "echo 1 > p$b.py; echo 1 > p$(printf '\\376').py",
  "a link with such a name": "ln -s ../../../other.py p$b.py; echo 1 > ../../../other.py",
  "a link to such a name": "ln -s ../../../o$b.py p.py; echo 1 > ../../../o$b.py",
  "a link over such a name": "ln -s ../../../o$b/p.py p.py; ln -s src ../../../o$b; " +
    "mkdir ../../../src; echo 1 > ../../../src/p.py",
  "a folder": "mkdir in$b; echo 1 > in$b/p.py",
  "a folder beside its decoy": "mkdir in$b in$r; echo 1 > in$b/p.py",
  "one surrogate": "echo 1 > p$c.py",
  "a long form of a slash": "echo 1 > p$o.py",
};

async function withPack(
  script: string,
  work: (place: { readonly home: string; readonly project: string }) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [home, project] = [join(root, "home"), join(root, "project")];
  const folder = join(project, ".onetool/tools/greet");
  await Deno.mkdir(home);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "greet_tools.ts"), PACK);
  try {
    await shell(script, { cwd: folder, home });
    await work({ home, project });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function hashOf({ home, project }: { readonly home: string; readonly project: string }) {
  const { trust } = await loadConfig({ env: {}, home, cwd: project });
  assert.equal(trust.kind, "untrusted");
  return trust.hash;
}

Deno.test({
  name: "a project is not trusted while a part of its packs has a name that is no UTF-8",
  ignore: !TAKES_OTHER_BYTES,
  async fn(t) {
    for (const [name, script] of Object.entries(PARTS)) {
      await t.step(name, () =>
        withPack(script, async (place) => {
          assert.equal(await hashOf(place), undefined);
        }));
    }
  },
});

Deno.test({
  name: "the refusal to trust names the part",
  ignore: !TAKES_OTHER_BYTES,
  fn: () =>
    withPack(PARTS["a part"] ?? "", async ({ home, project }) => {
      const options = { home, cwd: project, env: { TOOLSCRIPT_TRUST: "" } };
      const { code, stderr } = await cli(["trust", "--yes"], options);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /tools cannot be read whole: ".*greet\/p\uFFFD\.py" cannot be looked at/,
      );
    }),
});

Deno.test({
  name: "what links behind a pack's link lead to counts by its content",
  ignore: !TAKES_OTHER_BYTES,
  fn: () =>
    withPack(
      "ln -s ../../../one p.py; ln -s o$b ../../../one; echo 1 > ../../../o$b",
      async (place) => {
        const before = await hashOf(place);
        assert.ok(before);
        await shell("echo 2 > one", { cwd: place.project });
        assert.notEqual(await hashOf(place), before);
      },
    ),
});

Deno.test({
  name: "a pack with a real replacement character in a name is trusted, and asked for anew",
  ignore: !TAKES_OTHER_BYTES,
  fn: () =>
    withPack("echo 1 > p$r.py; ln -s gone$r l", async (place) => {
      const before = await hashOf(place);
      assert.ok(before);
      await shell("echo 2 > .onetool/tools/greet/p$r.py", { cwd: place.project });
      assert.notEqual(await hashOf(place), before);
    }),
});
