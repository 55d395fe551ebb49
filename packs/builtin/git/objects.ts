/** Where a repository's objects lie: links and alternates may lead to another repository. */

import { join, resolve } from "node:path";
import { attempt, exactText } from "#base";
import { readRegular } from "#files";
import { pathIn } from "../../closed/link_names.ts";
import { PackError } from "../../errors.ts";
import type { Folders } from "../kit/mod.ts";
import { ACTION, entriesOf } from "./links.ts";

/** Git itself goes no deeper. */
const MOST_ALTERNATES = 5;
const MOST_BYTES = 1024 * 1024;
/** Longest path that git follows. */
const MOST_CHARACTERS = 4_096;

/** Throws where objects are taken from a place that the caller may not read. */
export async function checkObjects(
  objects: string,
  folders: Folders,
  depth = 0,
): Promise<void> {
  const list = join(objects, "info", "alternates");
  for (const path of [objects, join(objects, "info"), list, join(objects, "pack")]) {
    await checkLink(path, folders);
  }
  for (const folder of [objects, join(objects, "info"), join(objects, "pack")]) {
    await checkEntries(folder, folders);
  }
  // Most repositories have none.
  const bytes = attempt(() => readRegular(list, MOST_BYTES), new Uint8Array());
  const text = bytes && exactText(bytes);
  if (text === undefined) throw unusual();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    // Git reads escapes in quotes, and a path in another way than it stands there.
    const isPlain = !line.startsWith('"') && line.length <= MOST_CHARACTERS;
    if (!isPlain || depth >= MOST_ALTERNATES) throw unusual();
    // Both readings of `..` behind a link: versions of git differ.
    for (const named of new Set([pathIn(objects, line), resolve(objects, line)])) {
      const { path } = await folders.existing(named, ACTION);
      await checkObjects(path, folders, depth + 1);
    }
  }
}

/** Throws where a link leads to a place that the caller may not read. */
async function checkLink(path: string, folders: Folders): Promise<void> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info?.isSymlink) await folders.existing(path, ACTION);
}

async function checkEntries(folder: string, folders: Folders): Promise<void> {
  for await (const { name, isSymlink } of entriesOf(folder)) {
    if (isSymlink) await folders.existing(join(folder, name), ACTION);
  }
}

function unusual(): PackError {
  const why = "its objects/info/alternates is unusual: name plain paths in it, in UTF-8";
  return new PackError("tool_error", `Cannot read the repository: ${why}`);
}
