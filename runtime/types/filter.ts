/** Which tools a `?filter=` names. */

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

/** Keeps the packs and tools that an entry names: a server, a tool as `server__tool`, or a glob of
 * either, with `*` and `?`. Both spellings of a name count. */
export function filterPacks<P extends EmitPack>(
  packs: readonly P[],
  filter: readonly string[],
): Filtered<P> {
  const plain = new Set(filter.filter((entry) => !isGlob(entry)));
  const globs = filter.filter((entry) => isGlob(entry) && entry.length <= MAX_LENGTH)
    .slice(0, MAX_GLOBS);
  const used = new Set<string>();
  const wires = new Set(packs.flatMap(({ entries }) => entries.map(({ wire }) => wire)));
  const matches = (names: readonly string[]) => {
    const matches = [
      ...names.filter((name) => plain.has(name)),
      ...globs.filter((glob) => names.some((name) => matchesGlob(name, glob))),
    ];
    for (const entry of matches) used.add(entry);
    return matches.length > 0;
  };
  const matching = packs.flatMap((pack) => {
    const all = matches([pack.name, pack.key]);
    const entries = pack.entries.filter((entry) => matches(wireNames(entry, wires)));
    if (all) return [pack];
    return entries.length === 0 ? [] : [{ ...pack, entries, whole: false }];
  });
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
    if (next < glob.length && glob[next] === "*") {
      star = next++;
      resume = at;
    } else if (next < glob.length && (glob[next] === "?" || glob[next] === name[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (glob[next] === "*") next++;
  return next === glob.length;
}
