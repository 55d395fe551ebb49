/** Ways through links are those of the system. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { behindLink, hasTurn, linkInClone, stepsTo, under } from "../../files/mod.ts";
import { distrustOf } from "../../files/ownership.ts";
import { pathIn, realOf, wayTo } from "../../packs/closed/link_names.ts";

const LINKS = {
  "current": "pkg/deep",
  "here": ".",
  "way": "current/..",
  "up": "..",
  "pkg/deep/back": "../../way/./deep//..",
  "chain": "here/up/there",
  "round": "other",
  "other": "round",
  "gone": "none/x",
};

async function withFolder(work: (folder: string) => unknown): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const name of ["pkg/deep/er", "in/pkg", "elsewhere/deep"]) {
      await Deno.mkdir(join(folder, name), { recursive: true });
    }
    for (const [name, text] of Object.entries(LINKS)) {
      await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
      await Deno.symlink(text, join(folder, name));
    }
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a way leads where the system follows a path to", () =>
  withFolder((folder) => {
    const paths = [
      "current",
      "current/..",
      "current/../deep/er",
      "way/deep/../../in",
      "here/here/way/../pkg",
      "current/back",
      "current/back/deep/back/..",
      "./current//.././deep/",
      "pkg/deep/../../in/",
      "here/../" + folder.slice(folder.lastIndexOf("/") + 1) + "/way",
      "up/..",
    ];
    for (const path of paths) {
      const named = under(folder, path);
      assert.equal(realOf(named), Deno.realPathSync(named), path);
      assert.equal(realOf(pathIn(folder, path)), Deno.realPathSync(named), path);
      assert.equal(distrustOf(named), undefined, path);
    }
  }));

Deno.test("names hold each path and link on the way, also to what is missing", () =>
  withFolder((folder) => {
    const at = (name: string) => `${folder}/${name}`;
    const { names, links, real, gap } = wayTo(at("way/new/x"));
    assert.deepEqual(names, [
      at("way/new/x"),
      at("new/x"),
      at("current/../new/x"),
      at("pkg/deep/../new/x"),
      at("pkg/new/x"),
    ]);
    assert.deepEqual(links, [at("way"), at("current")]);
    assert.deepEqual([real, gap], [at("pkg/new/x"), undefined]);
    assert.equal(realOf(at("none/../in/x")), at("in/x"));
    assert.equal(realOf(at("gone/../y")), at("none/y"));
    assert.equal(wayTo(at("round/x")).gap, undefined);
    assert.deepEqual(wayTo(at("round/x")).links.toSorted(), [at("other"), at("round")]);
    assert.match(wayTo(at("here/".repeat(41))).gap ?? "", /has over 40 links$/);
    assert.equal(wayTo(at("here/".repeat(40))).gap, undefined);
    assert.match(wayTo(at("a/".repeat(1_030))).gap ?? "", /has over 1,024 names$/);
    assert.equal(wayTo(at("n".repeat(300))).gap, undefined);
    assert.deepEqual(wayTo("relative/path").names, []);
  }));

Deno.test("what a link says keeps `..` behind names alone", () => {
  assert.equal(behindLink("/a/b", "../c"), "/a/c");
  assert.equal(behindLink("/a/b", "../../../c/./d//e/"), "/c/d/e");
  assert.equal(behindLink("/a/b", "c/../d"), "/a/b/c/../d");
  assert.equal(behindLink("/a/b", "/c/../d"), "/c/../d");
  assert.equal(behindLink("/", "."), "/");
  assert.deepEqual(["/a/..b", "/a/../b", "/a/b.."].map(hasTurn), [false, true, false]);
});

Deno.test("a link of a clone is found behind `..` in the text of another one", () =>
  withFolder(async (folder) => {
    const clone = join(folder, "pkg");
    await Deno.symlink("../elsewhere/deep", join(clone, "out"));
    await Deno.symlink("pkg/out/../secret", join(folder, "mine"));
    assert.deepEqual(linkInClone(join(folder, "mine"), clone), {
      path: join(clone, "out"),
      isRead: true,
    });
    assert.equal(linkInClone(join(folder, "in/pkg"), clone), undefined);
    assert.ok(linkInClone(join(folder, "round"), clone));
    assert.equal([...stepsTo(join(folder, "round"))].length, folder.split("/").length + 40);
  }));
