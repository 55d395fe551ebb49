/** How found paths are shown, and whether they are still what they were. */

/** Relative to `base` where it lies below it. */
export function shown(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

/** Whether no link has come into the way of a path: while a search goes on, what it works on may be
 * replaced. */
export function isUnchanged(path: string): boolean {
  try {
    return Deno.realPathSync(path) === path;
  } catch {
    // Gone, or closed to this user.
    return false;
  }
}
