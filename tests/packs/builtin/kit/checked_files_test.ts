/** Files that are opened after their path was checked: another one may lie there. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "#config";
import { checkedFile, isUnchecked } from "../../../../packs/builtin/kit/checked_file.ts";
import { fileInput } from "../../../../packs/builtin/kit/files.ts";
import { createFolders } from "../../../../packs/builtin/kit/mod.ts";
import { readPieces } from "../../../../packs/builtin/kit/read_pieces.ts";
import { JobRefused } from "../../../../packs/jobs/protocol.ts";
import { closedOf } from "../../../support/closed.ts";
import { withProject } from "../../../support/project.ts";

/** Checks `a.txt`, lets it be changed, and reads it. */
async function readLater(change: (project: string) => void): Promise<string> {
  let text = "";
  await withProject({ files: { "a.txt": "first", "b.txt": "second" } }, async (stage) => {
    const { home, project } = stage;
    const closed = closedOf(await loadConfig({ env: {}, home, cwd: project }));
    const folders = createFolders({ project, home, allowed: [project], key: "here", closed });
    const maxBytes = 1_000;
    const input = await fileInput("a.txt", { files: { folders, maxBytes }, maxBytes });
    change(project);
    // Threads get a copy.
    const decoder = new TextDecoder();
    for (const piece of readPieces(structuredClone(input))) text += decoder.decode(piece);
  });
  return text;
}

Deno.test("a file with a second name that came to the path after the check is not read", async () => {
  const swap = (project: string) => {
    Deno.linkSync(join(project, "b.txt"), join(project, "c.txt"));
    Deno.renameSync(join(project, "b.txt"), join(project, "a.txt"));
  };
  await assert.rejects(
    readLater(swap),
    (error) => error instanceof JobRefused && /"a.txt" has changed.*: retry/.test(error.message),
  );
});

Deno.test("the file that was checked is read, and one that replaces it whole", async () => {
  assert.equal(await readLater(() => {}), "first");
  const linked = (project: string) =>
    Deno.linkSync(join(project, "a.txt"), join(project, "other.txt"));
  assert.equal(await readLater(linked), "first");
  const replaced = (project: string) =>
    Deno.renameSync(join(project, "b.txt"), join(project, "a.txt"));
  assert.equal(await readLater(replaced), "second");
});

Deno.test("a file is told from the one that was checked by its device and number", () => {
  const file = { dev: 1, ino: 2, nlink: 2 };
  const checked = checkedFile(file);
  assert.ok(!isUnchecked(file, checked));
  assert.ok(isUnchecked({ ...file, dev: 2 }, checked));
  assert.ok(isUnchecked({ ...file, ino: 3 }, checked));
  assert.ok(isUnchecked({ ...file, ino: 3, nlink: 0 }, checked));
  assert.ok(isUnchecked({ ...file, ino: 3, nlink: null }, checked));
  assert.ok(!isUnchecked({ ...file, ino: 3, nlink: 1 }, checked));
  // Nothing was there.
  assert.ok(isUnchecked(file, checkedFile(undefined)));
  assert.ok(!isUnchecked({ ...file, nlink: 1 }, checkedFile(undefined)));
  // The system gives no numbers.
  assert.ok(!isUnchecked({ ...file, ino: null }, checked));
  assert.ok(!isUnchecked(file, checkedFile({ ...file, ino: null })));
});
