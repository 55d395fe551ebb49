/** Entries of a project's tools folder, as trust covers them. */

import { join, relative } from "node:path";
import { attempt } from "#base";
import { isMissing } from "#files";

export interface ToolsEntry {
  readonly path: string;
  /** Path in the folder. */
  readonly name: string;
  /** Kind of what the path leads to; `other`: a device, which must not be opened. */
  readonly kind: "file" | "folder" | "other" | "nothing";
  /** Text of a link, empty for others. */
  readonly link: string;
}

/** Thrown where the folder cannot be read whole; the message gives the state and the way out. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const MOST_ENTRIES = 5_000;
const MOST_DEPTH = 16;

/** Walks through the folder, through links too, the root first. Throws `Unreadable`. */
export function* toolsEntries(root: string): Generator<ToolsEntry> {
  let count = 0;

  /** `above`: real paths of the folders that hold this entry. */
  function* walk(path: string, above: readonly string[]): Generator<ToolsEntry> {
    if (++count > MOST_ENTRIES) {
      throw new Unreadable(
        `it holds over ${MOST_ENTRIES.toLocaleString("en")} entries: delete some`,
      );
    }
    const entry = { path, name: relative(root, path), link: linkText(path) };
    const info = attempt(() => Deno.statSync(path));
    if (!info?.isDirectory) {
      yield { ...entry, kind: info?.isFile ? "file" : info ? "other" : "nothing" };
      return;
    }
    const real = attempt(() => Deno.realPathSync(path));
    const names = attempt(() => [...Deno.readDirSync(path)].map(({ name }) => name).sort());
    // A module in a folder that cannot be listed can still be loaded by its name.
    if (real === undefined || names === undefined) throw unlisted(path);
    // Names that differ in bytes that are no UTF-8 are listed alike.
    if (new Set(names).size < names.length) throw unlisted(path);
    yield { ...entry, kind: "folder" };
    if (above.includes(real)) return;
    if (above.length >= MOST_DEPTH) {
      throw new Unreadable(`it has over ${MOST_DEPTH} levels of folders: make it flatter`);
    }
    for (const name of names) yield* walk(join(path, name), [...above, real]);
  }

  yield* walk(root, []);
}

/** Text of a link, empty for others, and where nothing is. Throws `Unreadable`. */
export function linkText(path: string): string {
  try {
    return Deno.lstatSync(path).isSymlink ? Deno.readLinkSync(path) : "";
  } catch (error) {
    if (isMissing(error, path)) return "";
    const fix = "rename it, or what it leads to, in UTF-8, or delete it";
    throw new Unreadable(`${JSON.stringify(path)} cannot be looked at: ${fix}`);
  }
}

function unlisted(path: string): Unreadable {
  const fix = "let yourself read it, and rename what is no UTF-8";
  return new Unreadable(`the entries of ${JSON.stringify(path)} cannot be told: ${fix}`);
}
