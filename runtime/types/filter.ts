/** Which tools a `?filter=` names. */

import { createTurns } from "#base";
import type { ToolEntry } from "#packs";
import type { EmitPack } from "./emit.ts";

export interface Filtered<P extends EmitPack> {
  readonly packs: readonly P[];
  /** Entries that named nothing. */
  readonly unmatched: readonly string[];
}

/** Globs that one filter may hold, and how long they may be. */
const MAX_GLOBS = 50;
const MAX_LENGTH = 200;
const [STAR, QUESTION] = [42, 63];

/** Keeps the packs and tools that an entry names: a server, a tool as `server__tool`, or a glob of
 * either, with `*` and `?`. Both spellings of a name count. Other work runs meanwhile. */
export async function filterPacks<P extends EmitPack>(
  packs: readonly P[],
  filter: readonly string[],
): Promise<Filtered<P>> {
  const plain = new Set(filter.filter((entry) => !isGlob(entry)));
  const globs = filter.filter((entry) => isGlob(entry) && entry.length <= MAX_LENGTH)
    .slice(0, MAX_GLOBS);
  const used = new Set<string>();
  const wires = new Set(packs.flatMap(({ entries }) => entries.map(({ wire }) => wire)));
  const turn = createTurns();
  const isNamed = async (names: readonly string[]) => {
    let count = 0;
    for (const name of names) {
      await turn();
      const matches = globs.filter((glob) => matchesGlob(name, glob));
      if (plain.has(name)) matches.push(name);
      for (const entry of matches) used.add(entry);
      count += matches.length;
    }
    return count > 0;
  };
  const matching: P[] = [];
  for (const pack of packs) {
    const isWhole = await isNamed([pack.name, pack.key]);
    const entries: ToolEntry[] = [];
    for (const entry of pack.entries) {
      if (await isNamed(wireNames(entry, wires))) entries.push(entry);
    }
    if (isWhole) matching.push(pack);
    else if (entries.length > 0) matching.push({ ...pack, entries, whole: false });
  }
  return { packs: matching, unmatched: filter.filter((entry) => !used.has(entry)) };
}

function isGlob(entry: string): boolean {
  return entry.includes("*") || entry.includes("?");
}

/** The names of a tool. A spelling that is the wire name of another tool is that tool's alone. */
function wireNames(
  { wire, pack, packKey, toolKey }: ToolEntry,
  wires: ReadonlySet<string>,
): string[] {
  const spellings = [`${pack}__${toolKey}`, `${packKey}__${toolKey}`];
  return [wire, ...spellings.filter((name) => !wires.has(name))];
}

/** Matches in time that no pattern can make long: programs send these, and a library's regular
 * expressions can be made to backtrack. */
export function matchesGlob(name: string, glob: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let next = 0;
  while (at < name.length) {
    const code = glob.charCodeAt(next);
    if (code === STAR) {
      star = next++;
      resume = at;
    } else if (code === QUESTION || code === name.charCodeAt(at)) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (glob.charCodeAt(next) === STAR) next++;
  return next === glob.length;
}
