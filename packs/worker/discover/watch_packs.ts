/** Watch of the packs' folders, without polling (WRK-10, WRK-11). */

import { join } from "node:path";
import { attempt } from "#base";
import { discoverPacks } from "./discover.ts";

export interface WatchedFolders {
  readonly project: string;
  readonly home: string;
}

/** Time in which several changes count as one. */
const SETTLE_MS = 200;

/** Calls `onChange` when packs were added or removed. Where the system cannot watch, `ot.reload` finds
 * them. */
export function watchPacks(folders: WatchedFolders, onChange: () => void): Disposable {
  let last = namesIn(folders);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchers: Deno.FsWatcher[] = [];

  function watch(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [...new Set([folders.project, folders.home])].flatMap(watchRoot);
    for (const watcher of watchers) void follow(watcher);
  }

  async function follow(events: Deno.FsWatcher): Promise<void> {
    for await (const { kind } of events) {
      if (kind === "access") continue;
      clearTimeout(timer);
      timer = setTimeout(look, SETTLE_MS);
    }
  }

  function look(): void {
    watch(); // a folder may have been added or removed
    const now = namesIn(folders);
    if (now === last) return;
    last = now;
    onChange();
  }

  watch();
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function namesIn(folders: WatchedFolders): string {
  const { packs } = discoverPacks({ ...folders, reserved: new Map() });
  return packs.map(({ name, file }) => `${name}\n${file}`).join("\n");
}

/** Watches the folder of the packs, or its parent while it is missing. */
function watchRoot(root: string): Deno.FsWatcher[] {
  const tools = join(root, ".onetool", "tools");
  try {
    return [Deno.watchFs(tools)];
  } catch {
    // Missing yet.
  }
  // Missing too, or the system has no watches left.
  return attempt(() => [Deno.watchFs(join(root, ".onetool"), { recursive: false })], []);
}
