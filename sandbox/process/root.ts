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

async function sweep(parent: string): Promise<void> {
  if (!isFolder("/proc/self")) return;
  try {
    for await (const entry of Deno.readDir(parent)) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(entry.name)?.[1];
      if (pid && entry.isDirectory && !isFolder(`/proc/${pid}`)) {
        await Deno.remove(`${parent}/${entry.name}`, { recursive: true });
      }
    }
  } catch {
    // Another gateway removes it, or this one has no right to.
  }
}

function isFolder(path: string): boolean {
  // Not there.
  return attempt(() => Deno.statSync(path).isDirectory, false);
}
