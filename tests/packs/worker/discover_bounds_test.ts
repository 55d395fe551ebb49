/** Discovery of packs in a folder that a stranger filled. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { silent } from "#base";
import { createExtensionPlans, createWatcher, discoverPacks, type PackFinding } from "#packs";
import { packPaths } from "#packs/configured";

const MB = 1024 * 1024;
const ALL = { checksAbove: false, reserved: new Map<string, string>() };

/** Runs `work` with folders of packs `p0`, `p1`, and a folder for other files. */
async function withPacks(
  { count, prepare }: {
    readonly count: number;
    readonly prepare: (file: string, at: number, folder: string) => Promise<unknown>;
  },
  work: (
    look: () => ReturnType<typeof discoverPacks>,
    places: { readonly project: string; readonly home: string },
  ) => void | Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [project, home] = [join(root, "project"), join(root, "home")];
  try {
    for (let at = 0; at < count; at++) {
      const name = `p${String(at).padStart(4, "0")}`;
      const folder = join(project, ".onetool", "tools", name);
      await Deno.mkdir(folder, { recursive: true });
      await prepare(join(folder, `${name}_tools.py`), at, root);
    }
    await Deno.mkdir(join(home, ".onetool", "tools", "own"), { recursive: true });
    await Deno.writeTextFile(join(home, ".onetool", "tools", "own", "own_tools.ts"), "");
    await work(() => discoverPacks({ ...ALL, project, home }), { project, home });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("packs of an untrusted project take no name of others, in no spelling", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [project, home] = [join(root, "project"), join(root, "home")];
  const packs = { [project]: ["my_crm", "two_words", "File", "new"], [home]: ["two-words"] };
  for (const [folder, names] of Object.entries(packs)) {
    for (const name of names) {
      const path = join(folder, ".onetool", "tools", name);
      await Deno.mkdir(path, { recursive: true });
      await Deno.writeTextFile(join(path, `${name}_tools.ts`), "");
    }
  }
  const places = { project, home, checksAbove: false };
  const reserved = new Map([["my-crm", "a server"]]);
  const namesWith = (yieldsTo?: readonly string[]) => {
    return discoverPacks({ ...places, reserved, yieldsTo }).packs.map(({ name }) => name).sort();
  };
  assert.deepEqual(namesWith(["file"]), ["new", "two-words"]);
  assert.deepEqual(namesWith(), ["File", "my_crm", "new", "two-words", "two_words"]);
  await Deno.remove(root, { recursive: true });
});

function text(bytes: number, first = ""): string {
  return first + "\n".repeat(bytes - first.length);
}

function assertOne(findings: readonly PackFinding[], project: string, most: RegExp): void {
  assert.equal(findings.length, 1, JSON.stringify(findings.slice(0, 3)));
  assert.match(findings[0]?.message ?? "", most);
  assert.equal(findings[0]?.file, join(project, ".onetool", "tools"));
  assert.match(findings[0]?.fix ?? "", /Delete some/);
}

Deno.test("discoverPacks() reads 16 MB of a folder's packs, and says so once", () =>
  withPacks({
    count: 40,
    prepare: (file) => Deno.writeTextFile(file, text(3 * MB)),
  }, (look, { project }) => {
    const { packs, findings } = look();
    assert.deepEqual(packs.map(({ scope }) => scope), [...Array(5).fill("project"), "home"]);
    assertOne(findings, project, /Not all packs are taken: those here have over 16 MB/);
  }));

for (const kind of ["link", "symlink"] as const) {
  Deno.test(`discoverPacks() counts a file with many names once: ${kind}`, () =>
    withPacks({
      count: 200,
      async prepare(file, at, root) {
        const large = join(root, "large.py");
        if (at === 0) await Deno.writeTextFile(large, text(4 * MB));
        await Deno[kind](large, file);
      },
    }, (look) => {
      const { packs, findings } = look();
      assert.equal(packs.length, 201);
      assert.deepEqual(findings, []);
    }));
}

Deno.test("discoverPacks() takes the name that a file with many names gives itself", () =>
  withPacks({
    count: 3,
    async prepare(file, at, root) {
      const large = join(root, "large.py");
      if (at === 0) await Deno.writeTextFile(large, text(4 * MB, 'pack = "mine"\n'));
      await Deno.symlink(large, file);
    },
  }, (look) => {
    const { packs, findings } = look();
    assert.deepEqual(packs.map(({ name }) => name), ["mine", "own"]);
    assert.equal(findings.length, 2);
    assert.match(findings[0]?.message ?? "", /the name is that of .*p0000_tools\.py/);
  }));

Deno.test("discoverPacks() counts files of the system that tell no size", {
  ignore: Deno.build.os !== "linux",
}, () =>
  withPacks({
    count: 20,
    prepare: (file) => Deno.symlink("/proc/self/pagemap", file),
  }, (look) => {
    const { packs, findings } = look();
    assert.deepEqual(packs.map(({ name }) => name), ["own"]);
    assert.ok(findings.length < 10, JSON.stringify(findings));
    assert.match(findings.at(-1)?.message ?? "", /Not all packs are taken/);
  }));

Deno.test("discoverPacks() counts no file that is too large on its own", () =>
  withPacks({
    count: 20,
    prepare: (file, at) => Deno.writeTextFile(file, text(at < 19 ? 4 * MB + 1 : 1)),
  }, (look) => {
    const { packs, findings } = look();
    assert.deepEqual(packs.map(({ name }) => name), ["p0019", "own"]);
    assert.ok(findings.every(({ message }) => /more than 4 MB/.test(message)));
  }));

Deno.test("discoverPacks() looks at 1,000 folders, and says so once", () =>
  withPacks({
    count: 1_100,
    prepare: (file) => Deno.writeTextFile(file, ""),
  }, (look, { project }) => {
    const { packs, findings } = look();
    assert.equal(packs.length, 1_001);
    assertOne(findings, project, /Not all packs are taken: those here have over 1,000 folders/);
    assert.equal(packPaths(join(project, ".onetool", "tools")).length, 1_000);
  }));

Deno.test("a pack that runs in no state has its folder unread", () =>
  withPacks({ count: 1, prepare: (file) => Deno.writeTextFile(file, "") }, async (_, places) => {
    const { project, home } = places;
    const watcher = createWatcher({ log: silent });
    const { plans } = createExtensionPlans({
      project,
      home,
      settings: {},
      projectSettings: {},
      servers: [],
      log: silent,
      idleMs: 1_000,
      deps: {
        log: silent,
        watcher,
        project,
        home,
        cacheDir: join(home, "cache"),
        environment: {},
        deno: Deno.execPath(),
        describe: () => Promise.reject(new Error("not here")),
        callAnother: () => Promise.reject(new Error("not here")),
        isForeign: ({ scope }) => scope === "project",
        trusts: ({ scope }) => scope === "home",
      },
    });
    // A look at it would fail.
    await Deno.remove(join(project, ".onetool", "tools", "p0000"), { recursive: true });
    const plan = plans.find(({ name }) => name === "p0000");
    assert.ok(plan);
    await using pack = plan.make();
    assert.equal(pack.status().state, "untrusted");
    await pack.settle();
    assert.equal(pack.status().state, "untrusted");
    await watcher[Symbol.asyncDispose]();
  }));
