/** Links that a program copies and moves: it makes none. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const FILES = {
  "evil/server.js": "evil",
  "docs/a.md": "a",
  "tree/sub/a.md": "a",
  "plain/a.md": "a",
  ".git/config": '[core]\n\thooksPath = build/hooks\n[filter "f"]\n\tclean = sh out/clean.sh\n',
};
const LINKS = {
  "docs/link": "../evil",
  "docs/file": "a.md",
  "docs/dangling": "nowhere",
  "tree/sub/link": "../../evil",
};

async function prepare({ project }: { readonly project: string }): Promise<void> {
  for (const [path, to] of Object.entries(LINKS)) await Deno.symlink(to, join(project, path));
}

const WAY_OUT = "and programs make no links: move it yourself";
const ROWS: Record<string, readonly [from: string, to: string, why: string]> = {
  "above a script that is missing": ["docs/link", "dist", "it is a link"],
  "above hooks that are missing": ["docs/link", "build", "it is a link"],
  "above a filter that is missing": ["docs/link", "out", "it is a link"],
  "to anywhere": ["docs/link", "free/link", "it is a link"],
  "to a file": ["docs/file", "free", "it is a link"],
  "to nothing": ["docs/dangling", "free", "it is a link"],
  "with its folder": ["tree/sub", "free", 'it holds the link "tree/sub/link"'],
  "with one above": ["tree", "free", 'it holds the link "tree/sub/link"'],
};

for (const [name, [from, to, why]] of Object.entries(ROWS)) {
  Deno.test(`no link is moved: ${name}`, () =>
    withProject({
      config: { servers: { s: { command: "node", args: ["dist/server.js"] } } },
      files: FILES,
      prepare,
    }, async ({ project, refused }) => {
      const { message } = await refused("file.move", { from, to });
      assert.equal(message, `Cannot move "${from}": ${why}, ${WAY_OUT}`);
      await assert.rejects(Deno.lstat(join(project, to)), Deno.errors.NotFound);
      assert.ok(await Deno.lstat(join(project, from)));
    }));
}

Deno.test("a folder is copied without its links, which are counted", () =>
  withProject({ files: FILES, prepare }, async ({ project, call }) => {
    const copied = await call("file.copy", { from: "docs", to: "copied" });
    assert.deepEqual([copied.files, copied.left_out], [1, 3]);
    const names = await Array.fromAsync(Deno.readDir(join(project, "copied")));
    assert.deepEqual(names.map(({ name }) => name), ["a.md"]);
    assert.equal((await call("file.copy", { from: "tree", to: "trees" })).left_out, 1);
  }));

Deno.test("what a link leads to is copied, and a link is deleted", () =>
  withProject({ files: FILES, prepare }, async ({ project, call, read }) => {
    await call("file.copy", { from: "docs/file", to: "copy.md" });
    assert.ok((await Deno.lstat(join(project, "copy.md"))).isFile);
    await call("file.move", { from: "plain", to: "moved" });
    assert.equal(await read("moved/a.md"), "a");
    assert.equal((await call("file.delete", { path: "docs/link" })).kind, "link");
    await call("file.delete", { path: "tree", recursive: true });
    assert.equal(await read("evil/server.js"), "evil");
  }));
