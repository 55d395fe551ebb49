/** Paths as a configuration writes them. */

import { join, resolve } from "node:path";

/** Makes a path absolute: `~` and `~/…` below the home folder, everything else below `base`. */
export function expandPath(path: string, options: { home: string; base: string }): string {
  if (path === "~") return options.home;
  if (path.startsWith("~/")) return join(options.home, path.slice(2));
  return resolve(options.base, path);
}
