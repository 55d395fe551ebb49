/** Notices when packs come and go, without looking again and again (WRK-10, WRK-11). */

import { join } from "node:path";
import { discoverPacks } from "./discover.ts";

export interface WatchedFolders {
  readonly project: string;
  readonly home: string;
}

/** Changes that come together are told as one. */
const SETTLE_MS = 200;

/** Calls `onChange` when other packs are there than before. Where the system cannot say, nothing is
 * called: `ot.reload` finds them. */
export function watchPacks(folders: WatchedFolders, onChange: () => void): Disposable {
  let known = namesIn(folders);
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
    watch(); // a folder may have come, or gone
    const now = namesIn(folders);
    if (now === known) return;
    known = now;
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
  const { packs } = discoverPacks({ ...folders, taken: new Map() });
  return packs.map(({ name, file }) => `${name}\n${file}`).join("\n");
}

/** The folder of the packs, or the nearest above it that is there. */
function watchRoot(root: string): Deno.FsWatcher[] {
  const tools = join(root, ".onetool", "tools");
  try {
    return [Deno.watchFs(tools)];
  } catch {
    // Not there yet.
  }
  try {
    return [Deno.watchFs(join(root, ".onetool"), { recursive: false })];
  } catch {
    // Nor this, or the system has no watches left.
    return [];
  }
}
