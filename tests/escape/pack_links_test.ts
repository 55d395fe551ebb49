/** Links do not lead a TypeScript pack out of the folders that it is granted, nor into `.onetool`. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { JsonObject } from "#base";
import { openPacks, type PackHarness } from "../packs/worker/harness.ts";

const DOORS = `
import * as fs from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
export const read = (path: string): string => Deno.readTextFileSync(path);
export const write = (path: string): void => Deno.writeTextFileSync(path, "{}");
export const rename = (from: string, to: string): void => Deno.renameSync(from, to);
export const copy = (from: string, to: string): void => Deno.copyFileSync(from, to);
export const link = (from: string, to: string): void => Deno.symlinkSync(from, to);
export const process = (): number => Deno.pid;
export async function wait(ms: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return Deno.pid;
}
/** Names of the functions that a folder's link is open to. */
export async function open(folder: string, file: string): Promise<string[]> {
  const path = join(folder, file);
  const doors: Record<string, () => unknown> = {
    open: () => Deno.openSync(path),
    append: () => Deno.openSync(path, { append: true }),
    stat: () => Deno.statSync(path),
    real: () => Deno.realPathSync(path),
    list: () => Deno.readDirSync(folder).next(),
    mkdir: () => Deno.mkdirSync(join(folder, "new")),
    rename: () => Deno.renameSync(folder, folder + "-moved"),
    remove: () => Deno.removeSync(folder),
    copy: () => Deno.copyFileSync(path, "copy"),
    hardLink: () => Deno.linkSync(path, "hard"),
    chdir: () => Deno.chdir(folder),
    nodeOpen: () => fs.openSync(path, "r"),
    nodeList: () => fs.readdirSync(folder),
    nodeReal: () => fs.realpathSync.native(path),
    nodeMkdir: () => fs.mkdirSync(join(folder, "a/b"), { recursive: true }),
    nodeRename: () => fs.renameSync(path, "moved"),
    nodeCopy: () => fs.cpSync(folder, "copied", { recursive: true, dereference: true }),
    require: () => createRequire(import.meta.url)(path),
    import: () => import("file://" + path, { with: { type: "json" } }),
    fetch: () => fetch("file://" + path),
  };
  const open: string[] = [];
  for (const [name, door] of Object.entries(doors)) {
    await Promise.resolve().then(door).then(() => open.push(name), () => {});
  }
  return open;
}
`;
const REFUSED = { code: "tool_error", message: /NotCapable/ };
const SECRETS = ".onetool/secrets.yaml";

type Extent = true | readonly string[];

/** A pack with these permissions, in a project and a home folder that hold secrets. */
async function openDoors(
  { read, write = read, ...options }: {
    readonly read: Extent;
    readonly write?: Extent;
    readonly linksHome?: boolean;
    readonly files?: Readonly<Record<string, string>>;
  },
): Promise<PackHarness> {
  const header = `// /// script\n// [permissions]\n// read = ${JSON.stringify(read)}\n` +
    `// write = ${JSON.stringify(write)}\n// ///\n`;
  const permissions = { read, write } as JsonObject;
  const packs = await openPacks({
    project: { "doors/doors_tools.ts": header + DOORS },
    settings: { doors: { permissions } },
    linksHome: options.linksHome,
  });
  for (const folder of [packs.project, packs.home]) {
    await writeFile(join(folder, SECRETS), '"s3cret"');
    await writeFile(join(folder, ".onetool/run/1.json"), '"token"');
  }
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(packs.project, path), text);
  }
  return packs;
}

async function writeFile(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

async function makeLink({ project }: PackHarness, path: string, target: string): Promise<string> {
  const link = join(project, path);
  await Deno.mkdir(dirname(link), { recursive: true });
  await Deno.symlink(target, link);
  return link;
}

async function assertClosed(packs: PackHarness, path: string): Promise<void> {
  await assert.rejects(packs.call("doors__read", { path }), REFUSED, `read ${path}`);
  await assert.rejects(packs.call("doors__write", { path }), REFUSED, `write ${path}`);
}

Deno.test("links of a project lead no pack out of its folders", async (t) => {
  await using packs = await openDoors({ read: ["."], files: { "plain/own.json": '"own"' } });
  const { project, home } = packs;
  await makeLink(packs, "docs", "../home/.onetool");
  await makeLink(packs, "disk", "/");
  await makeLink(packs, "sub/file", join(home, SECRETS));
  await makeLink(packs, "own", ".onetool");
  await makeLink(packs, "state", ".onetool/run");
  await makeLink(packs, "above", "..");
  await makeLink(packs, "self", ".");
  await makeLink(packs, "next", "docs");
  await makeLink(packs, "new.json", "../home/.onetool/new.json");
  await makeLink(packs, "in/deep/out", join(home, ".onetool"));
  await makeLink(packs, "alias", "in");
  await makeLink(packs, "good", "plain");

  for (
    const path of [
      "docs/secrets.yaml",
      "disk/etc/hostname",
      "sub/file",
      "own/secrets.yaml",
      "state/1.json",
      `above/home/${SECRETS}`,
      `self/${SECRETS}`,
      "next/secrets.yaml",
      "new.json",
      "in/deep/out/secrets.yaml",
      "alias/deep/out/secrets.yaml",
      "docs/../docs/secrets.yaml",
    ]
  ) {
    await t.step(path, () => assertClosed(packs, join(project, path)));
  }
  await t.step("every function of Deno and of node:fs is closed", async () => {
    for (const folder of ["docs", "in/deep/out", "own"]) {
      const args = { folder: join(project, folder), file: "run/1.json" };
      assert.deepEqual(await packs.call("doors__open", args), [], folder);
    }
  });
  await t.step("no folder that holds such a link can be moved", async () => {
    for (const from of ["in", "in/deep", "docs"]) {
      const args = { from: join(project, from), to: join(project, "moved") };
      await assert.rejects(packs.call("doors__rename", args), REFUSED, from);
    }
  });
  await t.step("links inside of the folders and all else stay open", async () => {
    const path = join(project, "good/own.json");
    assert.equal(await packs.call("doors__read", { path }), '"own"');
    await packs.call("doors__write", { path });
    await packs.call("doors__write", { path: join(project, "fresh.txt") });
  });
});

Deno.test("a granted name that is a link of the project is closed", async (t) => {
  await using packs = await openDoors({ read: ["data", "notes", "file.json", "in/deep"] });
  await makeLink(packs, "data", join(packs.home, ".onetool"));
  await makeLink(packs, "notes", "src");
  await makeLink(packs, "in", "/etc");
  await makeLink(packs, "file.json", join(packs.home, SECRETS));
  await writeFile(join(packs.project, "src/a.txt"), "a");
  for (const path of ["data/secrets.yaml", "notes/a.txt", "file.json", "in/deep"]) {
    await t.step(path, () => assertClosed(packs, join(packs.project, path)));
  }
});

Deno.test("a granted name that leads to a link of the project by another name is closed", async (t) => {
  await using packs = await openDoors({ read: ["~/alias/data", "../shared"] });
  const { project, home } = packs;
  const outside = join(home, "outside");
  await writeFile(join(outside, "a.txt"), "a");
  await makeLink(packs, "data", outside);
  await makeLink(packs, "../shared", outside);
  await writeFile(join(project, "../.git/HEAD"), "");
  await Deno.symlink(project, join(home, "alias"));
  for (const path of [join(home, "alias/data/a.txt"), join(project, "../shared/a.txt")]) {
    await t.step(path.slice(dirname(project).length), () => assertClosed(packs, path));
  }
});

Deno.test("a header cannot name what is closed", async (t) => {
  const closed = [`~/${SECRETS}`, "~/.onetool/run/1.json", ".onetool/run/1.json"];
  // Where a disk ignores case, so does Deno, and the longer name would count.
  closed.push(".OneTool/run/1.json");
  await using packs = await openDoors({ read: closed });
  for (const path of closed) {
    const { project, home } = packs;
    const file = path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path);
    await t.step(path, () => assertClosed(packs, file));
  }
});

for (const linksHome of [true, false]) {
  const name = linksHome ? "a link" : "a folder";
  Deno.test(`.onetool is closed by both names where the home folder is ${name}`, async (t) => {
    await using packs = await openDoors({ read: true, linksHome });
    const { project } = packs;
    const home = await Deno.realPath(packs.home);
    const dotfiles = join(project, "dotfiles.yaml");
    await writeFile(dotfiles, '"s3cret"');
    await Deno.symlink(dotfiles, join(home, ".onetool/onetool.yaml"));
    await makeLink(packs, "docs", join(home, ".onetool"));
    const roots = [...new Set([packs.home, home])];
    const paths = roots.map((root) => join(root, SECRETS));
    for (const path of [...paths, join(project, SECRETS), dotfiles]) {
      await t.step(path.slice(dirname(project).length), () => assertClosed(packs, path));
    }
    await t.step(
      "a link of the project",
      () => assertClosed(packs, join(project, "docs/run/1.json")),
    );
    await t.step("the pack cannot make a link", async () => {
      const args = { from: join(home, ".onetool"), to: join(project, "made") };
      await assert.rejects(packs.call("doors__link", args), REFUSED);
    });
    await t.step("the rest is open", async () => {
      await packs.call("doors__write", { path: join(project, "fresh.txt") });
      assert.equal(await packs.call("doors__read", { path: join(project, "fresh.txt") }), "{}");
    });
  });
}

Deno.test("a link that is made or moved after the start is closed by a new process", async (t) => {
  await using packs = await openDoors({ read: ["."], files: { "a.txt": "a" } });
  const { project, home } = packs;
  const pass = () => new Promise((resolve) => setTimeout(resolve, 2_100));
  const first = await packs.call("doors__process");

  await t.step("made", async () => {
    await makeLink(packs, "docs", join(home, ".onetool"));
    await pass();
    await assertClosed(packs, join(project, "docs/secrets.yaml"));
    assert.notEqual(await packs.call("doors__process"), first);
  });
  await t.step("moved, while another call goes on", async () => {
    const waiting = packs.call("doors__wait", { ms: 4_000 });
    await Deno.rename(join(project, "docs"), join(project, "notes"));
    await pass();
    await assertClosed(packs, join(project, "notes/secrets.yaml"));
    assert.notEqual(await packs.call("doors__process"), await waiting);
  });
  await t.step("no change, no new process", async () => {
    const before = await packs.call("doors__process");
    await pass();
    assert.equal(await packs.call("doors__process"), before);
  });
});

Deno.test("a pack does not start where a closed folder could be moved elsewhere", async () => {
  await using packs = await openDoors({ read: ["a", "b"] });
  await makeLink(packs, "a/out", join(packs.home, ".onetool"));
  await assert.rejects(packs.call("doors__process"), {
    code: "unavailable",
    message: /could move ".*\/a".*: grant one folder.*packs\.doors\.permissions/,
  });
});

Deno.test("a pack does not start where there is too much to look through", async () => {
  await using packs = await openDoors({ read: ["a"] });
  await Deno.mkdir(join(packs.project, "a", ...Array(80).fill("d")), { recursive: true });
  await assert.rejects(packs.call("doors__process"), {
    code: "unavailable",
    message: /too large to look for links.*: grant a smaller folder in packs\.doors\.permissions/,
  });
});

Deno.test("a link that leads to nothing is closed, whatever its text says", async (t) => {
  await using packs = await openDoors({ read: ["out"] });
  const { project, home } = packs;
  await makeLink(packs, "out/here", ".");
  await makeLink(packs, "z", join(home, "rc"));
  await makeLink(packs, "out/report.txt", "here/../z");
  await makeLink(packs, "out/deep/report.txt", "../here/.././/z");
  await makeLink(packs, "out/missing.txt", "none/../a.txt");
  await makeLink(packs, "out/plain.txt", "none.txt");
  await packs.call("doors__write", { path: join(project, "out/a.txt") });
  for (const path of ["report.txt", "deep/report.txt", "missing.txt", "plain.txt"]) {
    await t.step(path, async () => {
      const to = join(project, "out", path);
      await assert.rejects(packs.call("doors__write", { path: to }), REFUSED);
      const args = { from: join(project, "out/a.txt"), to };
      await assert.rejects(packs.call("doors__copy", args), REFUSED);
    });
  }
  await assert.rejects(Deno.lstat(join(home, "rc")), Deno.errors.NotFound);
});
