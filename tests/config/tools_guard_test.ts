/** The guard of a trusted tools folder, with clocks of the test. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createToolsGuard, loadConfig, type Trust, writeTrust } from "#config";

interface Place {
  /** File of a helper, behind a link in the pack's folder. */
  readonly helper: string;
  readonly tools: string;
  readonly trust: Trust;
}

const ALL = "export const a = 1;\n";

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-guard-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  const tools = join(cwd, ".onetool", "tools");
  const helper = join(cwd, "src/deep/helper.ts");
  try {
    for (const folder of [home, join(tools, "calc"), join(cwd, "src/deep")]) {
      await Deno.mkdir(folder, { recursive: true });
    }
    await Deno.writeTextFile(join(tools, "calc/calc_tools.ts"), ALL);
    await Deno.writeTextFile(helper, ALL);
    await Deno.symlink("../../../src", join(tools, "calc/lib"));
    const load = async () => (await loadConfig({ env: {}, home, cwd })).trust;
    const { project, hash, tools: trusted, secrets, items } = await load();
    assert.ok(hash !== undefined);
    await writeTrust(home, project, { hash, tools: trusted, secrets, ...items });
    await work({ helper, tools, trust: await load() });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const CHANGES: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  async "a text of the same size and time"({ helper }) {
    const { atime, mtime } = await Deno.stat(helper);
    await Deno.writeTextFile(helper, ALL.replace("1", "2"));
    await Deno.utime(helper, atime ?? 0, mtime ?? 0);
  },
  "a new file": ({ tools }) => Deno.writeTextFile(join(tools, ".new"), ""),
  "a removed file": ({ helper }) => Deno.remove(helper),
  async "a link in place of a file"({ helper, tools }) {
    await Deno.rename(helper, join(tools, "../helper.ts"));
    await Deno.symlink(join(tools, "../helper.ts"), helper);
  },
  "a folder that is too deep": ({ tools }) =>
    Deno.mkdir(join(tools, "a/".repeat(20)), { recursive: true }),
};

Deno.test("createToolsGuard() sees every change, the times of the files said to be old or new", async (t) => {
  for (const [name, change] of Object.entries(CHANGES)) {
    for (const age of [0, 3_600_000]) {
      await t.step(`${name}, files ${age} ms older`, () =>
        withPlace(async (place) => {
          let clock = 0;
          const guard = createToolsGuard({ now: () => Date.now() + age, clock: () => clock });
          // The times of files that count as old may be whole seconds.
          if (age > 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
          assert.equal(await guard(place.trust), true);
          clock += 2_000;
          assert.equal(await guard(place.trust), true);
          await change(place);
          clock += 1_999;
          assert.equal(await guard(place.trust), true);
          clock += 1;
          assert.equal(await guard(place.trust), false);
        }));
    }
  }
});

Deno.test("createToolsGuard() holds again with the trusted files, at once", () =>
  withPlace(async ({ helper, trust }) => {
    const guard = createToolsGuard({ now: Date.now, clock: () => 0 });
    await Deno.writeTextFile(helper, "");
    assert.equal(await guard(trust), false);
    await Deno.writeTextFile(helper, ALL);
    assert.equal(await guard(trust), true);
    assert.equal(await guard({ ...trust, kind: "untrusted" }), false);
    assert.equal(await guard({ ...trust, tools: "another" }), false);
  }));
