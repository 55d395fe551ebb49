/** Opens files whose path was checked, and which may have become a link since. */

import { closeSync, constants, openSync } from "node:fs";
import { attempt } from "#base";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export interface CheckedPath extends Disposable {
  readonly fd: number;
  /** False where the file lies elsewhere: a folder on the way was a link. */
  isThere(): boolean;
}

/** Opens a file to read. Throws where the path is a link itself. */
export function openChecked(path: string): CheckedPath {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const opened = Deno.build.os === "linux" ? `/proc/self/fd/${fd}` : path;
  return {
    fd,
    // A file that is gone has no path.
    isThere: () => attempt(() => Deno.realPathSync(opened) === path, false),
    [Symbol.dispose]: () => closeSync(fd),
  };
}
