/** A folder that is moved or deleted takes with it what it holds. */

import { join } from "node:path";
import type { Folders, Place } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";

export interface TreeOptions {
  /** Begins the message of an error. */
  readonly action: string;
  /** Where it is moved to. */
  readonly to?: Place;
  readonly folders: Folders;
}

/** More take too long to look through. */
const MOST_ENTRIES = 100_000;

/** Throws where something closed lies in a folder, or would come to lie in a closed place. */
export async function checkTree(place: Place, options: TreeOptions): Promise<void> {
  const { action, to, folders } = options;
  const waiting = [""];
  let count = 0;
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const { name, isDirectory } of await entriesOf(join(place.path, below))) {
      const way = join(below, name);
      if (++count > MOST_ENTRIES) throw tooMany(place, action);
      await folders.checkEntry(within(place, way), action);
      if (to !== undefined) await folders.checkEntry(within(to, way), `${action} to`);
      if (isDirectory) waiting.push(way);
    }
  }
}

function within({ path, shown }: Place, way: string): Place {
  return { path: join(path, way), shown: join(shown, way) };
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  const info = await Deno.lstat(folder);
  return info.isDirectory ? await Array.fromAsync(Deno.readDir(folder)) : [];
}

function tooMany(place: Place, action: string): PackError {
  const why = `it holds more than ${MOST_ENTRIES} entries: ${action} it in parts`;
  return new PackError("tool_error", `Cannot ${action} "${place.shown}": ${why}`);
}
