/** Entries of a project's tools folder, as trust covers them. */

import { join, relative } from "node:path";
import { attempt } from "#base";

export interface ToolsEntry {
  readonly path: string;
  /** Path in the folder. */
  readonly name: string;
  /** Kind of what the path leads to; `other`: a device, which must not be opened. */
  readonly kind: "file" | "folder" | "other" | "nothing";
}

/** Thrown where the folder cannot be read whole. */
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
    if (++count > MOST_ENTRIES) throw new Unreadable();
    const entry = { path, name: relative(root, path) };
    const info = attempt(() => Deno.statSync(path));
    if (!info?.isDirectory) {
      yield { ...entry, kind: info?.isFile ? "file" : info ? "other" : "nothing" };
      return;
    }
    const real = attempt(() => Deno.realPathSync(path));
    const names = attempt(() => [...Deno.readDirSync(path)].map(({ name }) => name).sort());
    // A module in a folder that cannot be listed can still be loaded by its name.
    if (real === undefined || names === undefined) throw new Unreadable();
    yield { ...entry, kind: "folder" };
    if (above.includes(real)) return;
    if (above.length >= MOST_DEPTH) throw new Unreadable();
    for (const name of names) yield* walk(join(path, name), [...above, real]);
  }

  yield* walk(root, []);
}
