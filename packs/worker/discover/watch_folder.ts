/** Watches of folders, without polling. */

import { attempt } from "#base";

/** Time in which several changes count as one. */
const SETTLE_MS = 100;

/** Calls `onChange` after a change in the folder. Where the system cannot watch, each call of the pack
 * checks the files. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  // No watches left, or the folder was removed.
  const watchers = attempt(() => [Deno.watchFs(folder)], []);
  return follow(watchers, { settleMs: SETTLE_MS, onChange });
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
