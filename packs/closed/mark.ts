/** Marks of files and folders, which tell whether they have changed. */

/** Time after a change during which a file has no mark: file systems record times in steps, which
 * may hide a second change. */
const SETTLED_MS = 2_000;

export interface Mark {
  readonly dev: number;
  readonly ino: number | null;
  readonly size: number;
  readonly written: number;
  readonly changed: number;
}

/** Mark of what has not changed just now; undefined for the rest. */
export function markOf(info: Deno.FileInfo, now: number): Mark | undefined {
  const { dev, ino, size, mtime, ctime } = info;
  if (!mtime || !ctime) return undefined;
  const [written, changed] = [mtime.getTime(), ctime.getTime()];
  if (Math.max(written, changed) + SETTLED_MS >= now) return undefined;
  return { dev, ino, size, written, changed };
}

/** True if a file or a folder has not changed since it got its mark. */
export function isUnchanged(info: Deno.FileInfo, mark: Mark | undefined): boolean {
  return mark !== undefined && info.ino === mark.ino && info.dev === mark.dev &&
    info.size === mark.size && info.ctime?.getTime() === mark.changed &&
    info.mtime?.getTime() === mark.written;
}
