/** Check of all entries of a folder that is moved or deleted. */

import { join } from "node:path";
import { checkLength, type Folders, type Place } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";

export interface TreeOptions {
  /** Action for the message of an error: `move`. */
  readonly action: string;
  /** New place of a folder that is moved. */
  readonly to?: Place;
  readonly folders: Folders;
  readonly signal: AbortSignal;
}

/** Limit of entries: checking more takes too long. */
const MOST_ENTRIES = 100_000;

/** Throws if an entry of a folder is closed, or would be at its new place, or if a link would be moved;
 * also at the end of the run. */
export async function checkTree(place: Place, options: TreeOptions): Promise<void> {
  const { action, to, folders, signal } = options;
  const waiting = [""];
  const ways = new Set<string>();
  let count = 0;
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for await (const { name, isDirectory, isSymlink } of entriesOf(join(place.path, below))) {
      signal.throwIfAborted();
      const way = join(below, name);
      if (++count > MOST_ENTRIES) throw tooMany(place, action);
      await folders.checkEntry(within(place, way), action);
      if (to !== undefined && isSymlink) throw movedLink(place, within(place, way));
      const entry = { isFolder: isDirectory };
      if (to !== undefined) {
        checkLength(within(to, way), `${action} to`);
        await folders.checkEntry(within(to, way), `${action} to`, entry);
      }
      if (!isDirectory) continue;
      // It is found by the name of another entry, or not at all.
      const isTold = !ways.has(way) && await isFolder(join(place.path, way));
      if (!isTold) throw untold(place, action);
      ways.add(way);
      waiting.push(way);
    }
  }
}

function within({ path, label }: Place, way: string): Place {
  return { path: join(path, way), label: join(label, way) };
}

function isFolder(path: string): Promise<boolean> {
  return Deno.lstat(path).then((info) => info.isDirectory, () => false);
}

async function* entriesOf(folder: string): AsyncGenerator<Deno.DirEntry> {
  const info = await Deno.lstat(folder);
  if (info.isDirectory) yield* Deno.readDir(folder);
}

/** Error for a link that would be moved. What is closed is decided by names, and a link at a new place
 * would give files others. */
export function movedLink(place: Place, link = place): PackError {
  const what = place === link ? "it is a link" : `it holds the link "${link.label}"`;
  const message =
    `Cannot move "${place.label}": ${what}, and programs make no links: move it yourself`;
  return new PackError("blocked", message, { details: { reason: "protected" } });
}

function untold(place: Place, action: string): PackError {
  const why = `it holds a folder whose name is no UTF-8: ${action} it yourself`;
  return new PackError("tool_error", `Cannot ${action} "${place.label}": ${why}`);
}

function tooMany(place: Place, action: string): PackError {
  const why = `it holds more than ${MOST_ENTRIES} entries: ${action} it in parts`;
  return new PackError("tool_error", `Cannot ${action} "${place.label}": ${why}`);
}
