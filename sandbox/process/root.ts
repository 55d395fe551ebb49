/** The folder that holds the processes' folders. */

import { attempt } from "#base";

const PREFIX = "toolscript-";

export interface Root extends AsyncDisposable {
  readonly path: string;
}

/** Makes the folder, in memory where the system has a place for that, and removes the folders of
 * gateways that were killed. */
export function makeRoot(): Root {
  const parent = isFolder("/dev/shm") ? "/dev/shm" : undefined;
  const path = Deno.makeTempDirSync({ dir: parent, prefix: `${PREFIX}${Deno.pid}-` });
  void sweep(path.slice(0, path.lastIndexOf("/")));
  return {
    path,
    [Symbol.asyncDispose]: () =>
      Deno.remove(path, { recursive: true }).catch(() => {
        // Another process removed it.
      }),
  };
}

/** Removes the user's folders of gateways that were killed; where one cannot be removed, goes on. */
export async function sweep(parent: string): Promise<void> {
  if (!isFolder("/proc/self")) return;
  // Without the right to list the folder, nothing can be found.
  const entries = await attempt(() => Array.fromAsync(Deno.readDir(parent)), []);
  for (const { name, isDirectory } of entries) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!pid || !isDirectory || isFolder(`/proc/${pid}`)) continue;
    const path = `${parent}/${name}`;
    // Another gateway removes it, or this one has no right to.
    await attempt(async () => {
      const { uid } = await Deno.lstat(path);
      if (uid === Deno.uid()) await Deno.remove(path, { recursive: true });
    });
  }
}

function isFolder(path: string): boolean {
  // Not there.
  return attempt(() => Deno.statSync(path).isDirectory, false);
}
