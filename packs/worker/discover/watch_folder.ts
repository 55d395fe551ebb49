/** Watch of one folder, without polling. */

/** Time in which several changes count as one. */
const SETTLE_MS = 100;

/** Calls `onChange` after a change in the folder. Where the system cannot watch, each call of the pack
 * checks the files. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watcher: Deno.FsWatcher | undefined;
  try {
    watcher = Deno.watchFs(folder);
    void follow(watcher);
  } catch {
    // No watches left, or the folder was removed.
  }

  async function follow(events: Deno.FsWatcher): Promise<void> {
    for await (const { kind } of events) {
      if (kind === "access") continue;
      clearTimeout(timer);
      timer = setTimeout(onChange, SETTLE_MS);
    }
  }

  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
