/** What the reader of git's settings keeps. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createGitReader } from "../../../packs/closed/git/reader.ts";

Deno.test("settings are kept from one look to the next, as long as each look uses them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [one, other] = [join(folder, "one"), join(folder, "other")];
    await Deno.writeTextFile(one, "[a]\n\tpath = x\n");
    await Deno.link(one, other);
    let count = 0;
    // The files have been as they are for a minute.
    const reader = createGitReader({
      findGit: () => (count++, undefined),
      now: () => Date.now() + 60_000,
    });
    const first = reader("/");
    const entries = await first(one);
    assert.deepEqual(entries, [["a.path", "x"]]);
    assert.equal(await first(other), entries);
    assert.equal(await reader("/")(other), entries);
    assert.equal(count, 1);
    reader("/");
    assert.deepEqual(await reader("/")(one), entries);
    assert.equal(count, 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
