/** Names of what is closed to every pack in the `.onetool` of the project and of the home folder. */

import { join } from "node:path";
import { createTurns, shorten } from "#base";
import { namesOf, realOf } from "../../closed/link_names.ts";
import { STATE_FOLDER } from "../../closed/names.ts";
import { createSearcher } from "../../closed/search.ts";
import { PackUnusable } from "../failure.ts";
import { type ForPaths, type Places, within } from "./permissions.ts";

/** Characters of a path in a message. */
const MOST_SHOWN = 100;

/** Entries for the gateway alone: keys of all servers, tokens, results. */
const PRIVATE = [
  "onetool.yaml",
  "secrets.yaml",
  "config",
  "run",
  "cache",
  "stats",
  "tmp",
  "trash",
  "credentials",
  "pins.json",
  "trust.json",
];

/** Names as given and behind links, also of what links in a `.onetool` lead to. A pack that could
 * write a `.onetool` could rename it and so read all of it, or replace a pack. Throws `PackUnusable`
 * where there is too much to search. */
export async function stateNames(
  { project, home }: Pick<Places, "project" | "home">,
): Promise<ForPaths<string[]>> {
  const folders = [project, home].map((place) => join(place, STATE_FOLDER));
  const roots = [...new Set(folders.flatMap(namesOf))];
  const read = new Set(roots.flatMap((root) => PRIVATE.map((name) => join(root, name))));
  const write = new Set(roots);
  for (const root of new Set(folders.map(realOf))) {
    for (const { path, targets } of await linksIn(root)) {
      const isPrivate = PRIVATE.some((name) => within(path, join(root, name)));
      for (const target of targets) (isPrivate ? read : write).add(target);
    }
  }
  for (const name of read) write.add(name);
  // A link to a folder above would close all that is granted.
  const isBeside = (name: string) => !roots.some((root) => name !== root && within(root, name));
  return { read: [...read].filter(isBeside), write: [...write].filter(isBeside) };
}

interface LinkNames {
  readonly path: string;
  /** All names of what it leads to. */
  readonly targets: readonly string[];
}

async function linksIn(root: string): Promise<LinkNames[]> {
  const { links, gap, wayOf } = await createSearcher({ now: Date.now })().below(root);
  if (gap !== undefined) throw unsearched(gap, "move its folders to another place");
  const names: LinkNames[] = [];
  const turn = createTurns();
  for (const link of links) {
    const way = wayOf(link);
    if (way.gap !== undefined) {
      throw unsearched(way.gap, `remove ${shorten(link.path, MOST_SHOWN)}`);
    }
    names.push({ path: link.path, targets: [...way.names, ...way.links] });
    await turn();
  }
  return names;
}

function unsearched(message: string, fix: string): PackUnusable {
  return new PackUnusable(message, { phrase: "links cannot be closed", fix });
}
