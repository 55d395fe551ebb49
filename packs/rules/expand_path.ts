/** Paths as a configuration writes them. */

import { resolvePath } from "#files";

/** Makes a path absolute: `~` and `~/…` below the home folder, everything else below `base`. */
export function expandPath(path: string, options: { home: string; base: string }): string {
  if (path === "~") return options.home;
  if (path.startsWith("~/")) return resolvePath(options.home, `./${path.slice(2)}`);
  return resolvePath(options.base, path);
}
