/** Names of what is closed to every pack in the `.onetool` of the project and of the home folder. */

import { join } from "node:path";
import { targetsOfLinks } from "../../closed/closed_links.ts";
import { namesOf } from "../../closed/link_names.ts";
import { STATE_FOLDER } from "../../closed/names.ts";
import { type ForPaths, type Places, within } from "./permissions.ts";

/** Entries for the gateway alone: keys of all servers, tokens, results. */
const PRIVATE = [
  ...["onetool.yaml", "secrets.yaml", "config", "run", "cache", "stats", "tmp", "trash"],
  ...["credentials", "pins.json", "trust.json"],
];
/** Large, and without links of people. */
const CACHE = "cache";

/** Names as given and behind links, also of what links in a `.onetool` lead to. A pack that could
 * write a `.onetool` could rename it and so read all of it, or replace a pack. */
export async function stateNames(
  { project, home }: Pick<Places, "project" | "home">,
): Promise<ForPaths<string[]>> {
  const folders = [project, home].map((place) => join(place, STATE_FOLDER));
  const roots = [...new Set((await Promise.all(folders.map(namesOf))).flat())];
  const read = new Set(roots.flatMap((root) => PRIVATE.map((name) => join(root, name))));
  const write = new Set(roots);
  for (const root of roots) {
    const isOpen = (path: string) => !within(path, join(root, CACHE));
    const isPrivate = (path: string) =>
      PRIVATE.some((name) => within(path, join(root, name))) && isOpen(path);
    for (const target of await targetsOfLinks(root, isPrivate)) read.add(target);
    for (const target of await targetsOfLinks(root, isOpen)) write.add(target);
  }
  for (const name of read) write.add(name);
  // A link to a folder above would close all that is granted.
  const isBeside = (name: string) => !roots.some((root) => name !== root && within(root, name));
  return { read: [...read].filter(isBeside), write: [...write].filter(isBeside) };
}
