/** Searches for links and for roots of projects. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createSearcher } from "../../../packs/closed/search.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const name of ["a/b/c", "d/.git", "e"]) {
      await Deno.mkdir(join(folder, name), { recursive: true });
    }
    await Deno.writeTextFile(join(folder, "e/package.json"), "{}");
    await Deno.symlink("../../../e/x", join(folder, "a/b/c/one"));
    await Deno.symlink("a/b", join(folder, "short"));
    await Deno.symlink("short/c/one", join(folder, "two"));
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a search finds links, what they lead to, and roots, also of a part", () =>
  withFolder(async (folder) => {
    const search = createSearcher({ now: Date.now })();
    const { links, roots, repositories, gap, wayOf } = await search.below(folder);
    const names = links.map((link) => [link.path, wayOf(link).names]);
    const at = (name: string) => join(folder, name);
    assert.deepEqual(Object.fromEntries(names), {
      [at("a/b/c/one")]: [at("e/x")],
      [at("short")]: [at("a/b")],
      [at("two")]: [at("short/c/one"), at("a/b/c/one"), at("e/x")],
    });
    assert.deepEqual([...roots].sort(), [at("d"), at("e")]);
    assert.deepEqual(repositories, [at("d")]);
    assert.equal(gap, undefined);
    // The name of a part leads through a link.
    const part = await search.below(at("short/c"));
    assert.deepEqual(part.links.map(({ path }) => path), [at("a/b/c/one")]);
    const { links: flat, folders } = await search.levels(folder, 1);
    assert.deepEqual(flat.map(({ path }) => path).sort(), [at("short"), at("two")]);
    assert.deepEqual([...folders].sort(), ["a", "d", "e"].map(at));
  }));

Deno.test("a search that passes its limit says so, of each part as well", () =>
  withFolder(async (folder) => {
    const why = `a link below "${join(folder, "a")}" may lead there, which has over 6 folders ` +
      "to search, with those beside it";
    const search = createSearcher({ now: Date.now, most: 6 })();
    assert.equal((await search.below(folder)).gap, why);
    assert.equal((await search.below(join(folder, "a"))).gap, why);
    const whole = createSearcher({ now: Date.now, most: 6 })();
    assert.equal((await whole.below(join(folder, "a"))).gap, undefined);
  }));

Deno.test("listings are kept as long as their folders do not change", () =>
  withFolder(async (folder) => {
    // The folders have been as they are for a minute.
    const searcher = createSearcher({ now: () => Date.now() + 60_000 });
    const count = async () => (await searcher().below(folder)).links.length;
    assert.equal(await count(), 3);
    assert.equal(await count(), 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Deno.symlink("x", join(folder, "a/b/c/three"));
    assert.equal(await count(), 4);
    await Deno.rename(join(folder, "a/b"), join(folder, "e/b"));
    await Deno.remove(join(folder, "short"));
    assert.equal(await count(), 3);
  }));

Deno.test("folders of a package are looked at every ten seconds, those of a new one at once", () =>
  withFolder(async (folder) => {
    const inside = join(folder, "node_modules/@x/p/lib/deep");
    await Deno.mkdir(inside, { recursive: true });
    let ahead = 60_000;
    const searcher = createSearcher({ now: () => Date.now() + ahead });
    const count = async () => {
      const { links } = await searcher().below(join(folder, "node_modules"));
      // The file system counts time in steps: what follows is a change of its own.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return links.length;
    };
    assert.equal(await count(), 0);
    await Deno.symlink("x", join(inside, ".envrc"));
    await Deno.symlink("x", join(folder, "node_modules/.envrc"));
    assert.equal(await count(), 1);
    ahead += 10_000;
    assert.equal(await count(), 2);
    await Deno.mkdir(join(folder, "new/lib/deep"), { recursive: true });
    for (const place of [".envrc", "lib/.envrc", "lib/deep/.envrc"]) {
      await Deno.symlink("x", join(folder, "new", place));
    }
    await Deno.rename(join(folder, "node_modules/@x/p"), join(folder, "old"));
    await Deno.rename(join(folder, "new"), join(folder, "node_modules/@x/p"));
    assert.equal(await count(), 4);
    ahead -= 3_600_000;
    await Deno.symlink("x", join(inside, "CLAUDE.md"));
    assert.equal(await count(), 5);
  }));
