/** Follows a folder, without looking at it again and again. */

/** Changes that come together are told as one. */
const SETTLE_MS = 100;

/** Calls `onChange` after something in the folder has changed. Where the system cannot say, nothing
 * is called: the files are looked at with every call of the pack anyway. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watcher: Deno.FsWatcher | undefined;
  try {
    watcher = Deno.watchFs(folder);
    void follow(watcher);
  } catch {
    // No watches left, or no such folder any more.
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
