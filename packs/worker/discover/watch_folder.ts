/** Watches of folders, without polling. */

import { join } from "node:path";
import { attempt } from "#base";

/** Time in which several changes count as one. */
const SETTLE_MS = 100;

/** Depth of a pack's sources. */
const DEPTH = 4;
/** Folders at most: each takes one of the few watches that a user has. */
const MOST_FOLDERS = 200;
const NOT_SOURCES = /^(?:\..*|node_modules|__pycache__)$/;

/** Calls `onChange` after a change in the folder. Where the system cannot watch, each call of the pack
 * checks the files. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  let watching = watch();

  function watch(): Disposable {
    return follow(watchersOf(folder, DEPTH), { settleMs: SETTLE_MS, onChange: changed });
  }

  function changed(): void {
    watching[Symbol.dispose]();
    watching = watch(); // a folder may have been added or removed
    onChange();
  }

  return { [Symbol.dispose]: () => watching[Symbol.dispose]() };
}

/** Starts a watcher of a folder and those below it, none where it is missing. Nothing below a link is
 * watched: it may lead to a whole disk. */
export function watchersOf(root: string, depth: number): Deno.FsWatcher[] {
  // No watches left, or a folder was removed.
  return attempt(() => [Deno.watchFs(foldersBelow(root, depth), { recursive: false })], []);
}

function foldersBelow(root: string, depth: number): string[] {
  const watched = [root];
  let level = [root];
  for (let at = 0; at < depth && watched.length < MOST_FOLDERS; at++) {
    const folders = level.flatMap(foldersIn).slice(0, MOST_FOLDERS);
    watched.push(...folders.map(({ path }) => path));
    level = folders.filter(({ isLink }) => !isLink).map(({ path }) => path);
  }
  return watched.slice(0, MOST_FOLDERS);
}

function foldersIn(folder: string): { readonly path: string; readonly isLink: boolean }[] {
  // Not readable.
  const entries = attempt(() => [...Deno.readDirSync(folder)], []);
  return entries.filter(({ name, isFile }) => !isFile && !NOT_SOURCES.test(name))
    .map(({ name, isSymlink }) => ({ path: join(folder, name), isLink: isSymlink }))
    .filter(({ path }) => attempt(() => Deno.statSync(path).isDirectory, false));
}

/** Calls `onChange` once for the changes of `settleMs`, and closes the watchers at disposal. */
export function follow(
  watchers: readonly Deno.FsWatcher[],
  { settleMs, onChange }: { readonly settleMs: number; readonly onChange: () => void },
): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function read(events: Deno.FsWatcher): Promise<void> {
    for await (const { kind } of events) {
      if (kind === "access") continue;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs);
    }
  }
  for (const watcher of watchers) void read(watcher);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
