/** How found paths are shown. */

/** Relative to `base` where it lies below it. */
export function shown(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}
