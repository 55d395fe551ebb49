/** Comparison of folders, whatever their paths. */

import { attempt } from "#base";

/** True where two paths lead to one folder, also through a link or a second mount. */
export function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  // A folder that is not there is no other one.
  const [a, b] = [one, other].map((path) => attempt(() => Deno.statSync(path)));
  if (!a || !b) return false;
  // Not every system has numbers of files.
  if (!a.ino) return Deno.realPathSync(one) === Deno.realPathSync(other);
  return a.ino === b.ino && a.dev === b.dev;
}
