/** Folders of PATH in which another user, or a repository around the project, can put a program. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { searchPath } from "#files";
import { childEnvironment } from "#packs";
import { openBrowser } from "../../cli/ui/open_browser.ts";
import { findOnPath } from "../../packs/builtin/kit/find_on_path.ts";
import { launchPython } from "../../packs/worker/process/launch.ts";
import { cli } from "../support/cli.ts";
import { openProject, type TestProject } from "../config/project.ts";
import { give, ignore, STRANGER } from "./owner.ts";

interface Place extends TestProject {
  /** A project in the home folder, two folders below the repository. */
  readonly inner: string;
  /** Path in the home folder, made where it is missing. */
  readonly folder: (name: string) => string;
}

async function openPlace(mark = "mono/package.json"): Promise<Place> {
  const it = await openProject(mark === "" ? {} : { [`~/${mark}`]: "" });
  const folder = (name: string) => {
    Deno.mkdirSync(join(it.home, name), { recursive: true });
    return join(it.home, name);
  };
  return { ...it, folder, inner: folder("mono/packages/inner") };
}

/** Entries that are left where the inner project is open. */
function left({ home, inner }: Place, entries: readonly string[], trust = ""): readonly string[] {
  const env = { HOME: home, TOOLSCRIPT_TRUST: trust };
  return searchPath(entries.join(":"), { env, outside: inner }).split(":");
}

Deno.test("searchPath() leaves out entries of the repository around a project", async (t) => {
  const marks = ["mono/.git/HEAD", "mono/.git", "mono/package.json", "mono/node_modules/x/y"];
  const bins = ["mono/node_modules/.bin", "mono/bin", "mono/packages/node_modules/.bin", "mono"];
  for (const mark of [...marks, "mono/pyproject.toml", "mono/.onetool/onetool.yaml"]) {
    await t.step(mark, async () => {
      await using it = await openPlace(mark);
      assert.deepEqual(left(it, [...bins.map(it.folder), "/usr/bin"]), ["/usr/bin"]);
    });
  }
  await t.step("by links to the entry, the project and the home folder", async () => {
    await using it = await openPlace();
    const link = join(it.home, "..", "link");
    await Deno.symlink(it.home, link);
    const [bin, inner] = [it.folder("mono/bin"), join(link, "mono/packages/inner")];
    await Deno.symlink(bin, join(it.home, "tools"));
    const entries = [bin, join(link, "mono/bin"), join(it.home, "tools"), `${bin}/.`, "/usr/bin"];
    for (
      const place of [it, { ...it, inner }, { ...it, home: link }, { ...it, home: link, inner }]
    ) {
      assert.deepEqual(left(place, entries), ["/usr/bin"]);
    }
  });
  await t.step("outside the home folder", async () => {
    await using it = await openPlace();
    const env = { HOME: join(it.home, "other") };
    const [bin, outside] = [it.folder("mono/bin"), it.inner];
    assert.equal(searchPath(`${bin}:/usr/bin`, { env, outside }), "/usr/bin");
  });
});

Deno.test("searchPath() leaves a person's own entries", async (t) => {
  const names = [".local/bin", ".deno/bin", ".nvm/versions/node/v22/bin", "go/bin", "homebrew/bin"];
  for (const mark of ["", ".git/HEAD", "package.json", "node_modules/x/y", ".onetool/x"]) {
    await t.step(mark || "of a home folder that is no repository", async () => {
      await using it = await openPlace(mark);
      const entries = names.map(it.folder);
      await Deno.chmod(it.folder("homebrew"), 0o775); // the user's own group
      assert.deepEqual(left(it, [...entries, "/usr/bin"]), [...entries, "/usr/bin"]);
      assert.deepEqual(left(it, [it.folder("mono/bin")]), [it.folder("mono/bin")]);
    });
  }
  await t.step("that are not there yet", async () => {
    await using it = await openPlace();
    assert.deepEqual(left(it, [join(it.home, "later/bin")]), [join(it.home, "later/bin")]);
  });
  await t.step("in the root, and in the home folder, as the project", async () => {
    await using it = await openPlace();
    const [bin, env] = [it.folder(".local/bin"), { HOME: it.home }];
    assert.equal(searchPath(bin, { env, outside: "/" }), bin);
    assert.equal(searchPath(bin, { env }), bin);
  });
});

Deno.test("searchPath() leaves out entries that another user can put a program in", async (t) => {
  const rows: Record<string, { ignore?: boolean; open: (bin: string) => void }> = {
    "everyone's": { open: (bin) => Deno.chmodSync(bin, 0o777) },
    "everyone's, sticky": { open: (bin) => Deno.chmodSync(bin, 0o1777) },
    "everyone's, above": { open: (bin) => Deno.chmodSync(dirname(bin), 0o777) },
    "not there, in a sticky folder": {
      open: (bin) => {
        Deno.chmodSync(dirname(bin), 0o1777);
        Deno.removeSync(bin);
      },
    },
    "another user's": { ignore, open: give },
    "another user's, above": { ignore, open: (bin) => give(dirname(bin)) },
    "another group's": {
      ignore,
      open: (bin) => {
        Deno.chownSync(bin, null, STRANGER);
        Deno.chmodSync(bin, 0o775);
      },
    },
    "behind a link of another user": {
      ignore,
      open: (bin) => {
        Deno.renameSync(bin, `${bin}-own`);
        Deno.symlinkSync(`${bin}-own`, bin);
        give(bin);
      },
    },
  };
  for (const [name, { ignore = false, open }] of Object.entries(rows)) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using it = await openPlace();
        const [bin, link] = [it.folder("tools/bin"), join(it.home, "link")];
        await Deno.symlink(bin, link);
        open(bin);
        for (const path of [bin, link]) {
          assert.deepEqual(left(it, [path, "/usr/bin"]), ["/usr/bin"]);
          assert.equal(searchPath(`${path}:/usr/bin`, { env: {} }), "/usr/bin");
          assert.deepEqual(left(it, [path], "all"), [path]);
        }
      },
    });
  }
});

const PROGRAMS = ["mytok", "mysrv", "pkgx", "myown"];
const SETTINGS = {
  commands: { tok: ["mytok", "a"] },
  servers: {
    token: { url: "http://127.0.0.1:1/", headers: { T: "${cmd:tok}" } },
    named: { command: "mysrv" },
    fetched: { command: "pkgx", args: ["some-server"] },
    own: { command: "myown", env: { PATH: "${PATH}" } },
  },
};

Deno.test("the home folder's settings start no program above the project, or of others", async (t) => {
  const entries: Record<string, { ignore?: boolean; starts: string[] }> = {
    "mono/node_modules/.bin": { starts: [] },
    "everyones/bin": { starts: [] },
    "theirs/bin": { ignore, starts: [] },
    ".local/bin": { starts: PROGRAMS },
  };
  for (const [name, { ignore = false, starts }] of Object.entries(entries)) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using it = await openPlace();
        const [bin, out, own] = [it.folder(name), it.folder("out"), it.folder(".onetool")];
        for (const program of PROGRAMS) {
          const text = `#!/bin/sh\n: > ${join(out, program)}\necho value\n`;
          await Deno.writeTextFile(join(bin, program), text, { mode: 0o755 });
        }
        if (name === "everyones/bin") await Deno.chmod(bin, 0o777);
        if (name === "theirs/bin") give(bin);
        await Deno.writeTextFile(join(own, "onetool.yaml"), JSON.stringify(SETTINGS));
        const env = { PATH: `${bin}:/none`, TOOLSCRIPT_TRUST: "" };
        await cli(["list"], { home: it.home, cwd: it.inner, env });
        const started = await Array.fromAsync(Deno.readDir(out), ({ name }) => name);
        assert.deepEqual(started.sort(), [...starts].sort());
      },
    });
  }
});

Deno.test("git, uv, packs, browsers and servers are found in no folder that is open", async () => {
  await using it = await openPlace();
  const { home, inner: project } = it;
  const [outer, open, own] = [it.folder("mono/bin"), it.folder("open"), it.folder(".local/bin")];
  for (const bin of [outer, open, own]) {
    const text = `#!/bin/sh\n: > ${bin}/started\n`;
    await Deno.writeTextFile(join(bin, "mytool"), text, { mode: 0o755 });
  }
  await Deno.chmod(open, 0o777);
  const environment = { HOME: home, PATH: [outer, open, own].join(":") };
  assert.equal(findOnPath("mytool", { environment, project }), join(own, "mytool"));
  assert.equal(childEnvironment(environment, {}, { project }).PATH, own);
  // The server of a trusted project keeps what is around the project.
  assert.equal(childEnvironment(environment, {}, { base: project }).PATH, `${outer}:${own}`);
  const env = { ...environment, BROWSER: "mytool" };
  assert.ok(await openBrowser("http://127.0.0.1:1/", { env, os: "linux", project, home }));
  assert.ok((await Deno.stat(join(own, "started"))).isFile);
  const pack = { name: "a", language: "python", file: "/a/a.py", folder: "/a" } as const;
  const deps = { deno: "deno", project, home, cacheDir: join(home, "cache"), environment };
  const pathOf = (project: string) =>
    launchPython({ ...pack, scope: "home" }, undefined, { uv: "uv", deps: { ...deps, project } })
      .env.PATH;
  assert.equal(pathOf(project), own);
  // Under another path, too, the home folder is no project.
  await Deno.symlink(home, join(home, "..", "link"));
  assert.equal(pathOf(join(home, "..", "link")), `${outer}:${own}`);
});

Deno.test("toolscript doctor names the folders of PATH that are not searched", async () => {
  await using it = await openPlace();
  const [open, own] = [it.folder("open"), it.folder(".local/bin")];
  await Deno.chmod(open, 0o777);
  const env = { PATH: `${own}:${open}:/usr/bin`, TOOLSCRIPT_TRUST: "" };
  const { stdout } = await cli(["doctor", "--json"], { home: it.home, cwd: it.inner, env });
  const findings: { check: string; message: string }[] = JSON.parse(stdout);
  const messages = findings.filter(({ check }) => check === "path").map(({ message }) => message);
  assert.deepEqual(messages, [`Not searched, as another user can put programs there: ${open}`]);
});
