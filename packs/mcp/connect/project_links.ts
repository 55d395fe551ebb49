/** Links of the project on the way to what a server's words name: a clone, or a `git pull`, may lead
 * them anywhere. */

import { join, relative, resolve } from "node:path";
import { attempt, escapeUnseen } from "#base";
import { cloneOf, isInside, linkInClone, realPathOf } from "#files";
import { pathsOf } from "../../package_runner.ts";
import type { StdioServer } from "../../server_config.ts";

export interface LinkPlaces {
  readonly project: string;
  readonly home: string;
  /** True for a server that starts in a folder of Toolscript's own. */
  readonly isApart: boolean;
}

/** Reason why a server does not start, with the way out: its folder, or a path among its words, leads out
 * of the project by a link in it. */
export function leadsOut(server: StdioServer, places: LinkPlaces): string | undefined {
  const { project, home, isApart } = places;
  const real = realPathOf(project);
  const clone = cloneOf(project, home);
  const { cwd, isDefaultCwd = false, isHomes = false } = server;
  const words = pathsOf(server, { isApart })
    .map((path) => path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path));
  for (const path of [...isDefaultCwd ? [] : [cwd], ...words]) {
    const link = linkInClone(path, clone);
    if (!link || (link.isRead && staysIn(path, isHomes ? real : clone))) continue;
    // A trusted project names the programs that it runs, as that of a virtual environment.
    if (!isHomes && link.isRead && isProgram(path)) continue;
    const state = link.isRead
      ? "is a link of the project"
      : "may be a link of the project: it cannot be read";
    const label = isInside(real, link.path) ? relative(real, link.path) : link.path;
    return `${quote(label)} ${state}, which does not count: name what it leads to`;
  }
  return undefined;
}

/** True for a path that ends in the project, whatever is missing there; a link to nothing may end
 * anywhere. */
function staysIn(path: string, project: string): boolean {
  const real = attempt(() => Deno.realPathSync(path));
  if (real !== undefined) return real === project || isInside(project, real);
  if (attempt(() => Deno.lstatSync(path).isSymlink)) return false;
  const above = resolve(path, "..");
  return above !== path && staysIn(above, project);
}

function isProgram(path: string): boolean {
  const info = attempt(() => Deno.statSync(path));
  return info?.isFile === true && ((info.mode ?? 0) & 0o111) !== 0;
}

function quote(path: string): string {
  return escapeUnseen(JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path));
}
