/** Files that a search reads: only what lies at the path that was checked. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createTextReader } from "../../../../packs/builtin/search/file_text.ts";

const MAX_BYTES = 3 << 20;

Deno.test("a search reads no file through a link, nor what is no file", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const at = (name: string) => join(root, name);
    await Deno.mkdir(at("real"));
    await Deno.writeTextFile(at("real/a.txt"), "theirs");
    await Deno.symlink(at("real/a.txt"), at("link.txt"));
    await Deno.symlink(at("real"), at("folder"));
    await Deno.symlink("/dev/zero", at("zeros"));
    await new Deno.Command("mkfifo", { args: [at("pipe")] }).output();
    const read = createTextReader(MAX_BYTES);
    const textOf = (name: string) => read(at(name), (text) => text || undefined);
    for (const name of ["link.txt", "folder/a.txt", "zeros", "pipe", "real", "missing"]) {
      assert.equal(textOf(name), undefined, name);
    }
    assert.equal(textOf("real/a.txt"), "theirs");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a search reads a file as a whole, or not at all", async () => {
  const path = await Deno.realPath(await Deno.makeTempFile());
  try {
    const read = createTextReader(MAX_BYTES);
    for (const size of [MAX_BYTES, 0, 1 << 20, (1 << 20) + 1, 3, MAX_BYTES - 1]) {
      const text = "ab\n".repeat(size).slice(0, size);
      await Deno.writeTextFile(path, text);
      assert.ok(read(path, (read) => read === text), String(size));
    }
    await Deno.writeTextFile(path, "a".repeat(MAX_BYTES + 1));
    assert.equal(read(path, () => true), undefined);
  } finally {
    await Deno.remove(path);
  }
});
