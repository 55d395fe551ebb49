/** Watch of the packs' folders, without polling (WRK-10, WRK-11). */

import { join } from "node:path";
import { discoverPacks, type PackPlaces } from "./discover.ts";
import { follow, watchersOf } from "./watch_folder.ts";

/** Time in which several changes count as one. */
const SETTLE_MS = 200;

/** Calls `onChange` when packs were added or removed. Where the system cannot watch, `ot.reload` finds
 * them. */
export function watchPacks(folders: PackPlaces, onChange: () => void): Disposable {
  let last = namesIn(folders);
  let watching = watch();

  function watch(): Disposable {
    const watchers = [...new Set([folders.project, folders.home])].flatMap(watchRoot);
    return follow(watchers, { settleMs: SETTLE_MS, onChange: look });
  }

  function look(): void {
    watching[Symbol.dispose]();
    watching = watch(); // a folder may have been added or removed
    const now = namesIn(folders);
    if (now === last) return;
    last = now;
    onChange();
  }

  return { [Symbol.dispose]: () => watching[Symbol.dispose]() };
}

function namesIn(folders: PackPlaces): string {
  const { packs } = discoverPacks({ ...folders, reserved: new Map() });
  return packs.map(({ name, file }) => `${name}\n${file}`).join("\n");
}

/** Watches the folder of the packs, or its parent while it is missing. */
function watchRoot(root: string): Deno.FsWatcher[] {
  const tools = join(root, ".onetool", "tools");
  const parent = join(root, ".onetool");
  const watchers = watchersOf(tools, 1);
  return watchers.length > 0 ? watchers : watchersOf(parent, 0);
}
