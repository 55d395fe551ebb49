/** Rules for changes as JSON, for another process. */

import type { ModuleFolder, WriteRules } from "../write_rules.ts";

/** Part that a look adds to the rules that the configuration decides. */
export interface PlainRules {
  readonly sets: Readonly<Record<SetName, readonly string[]>>;
  readonly git: Readonly<Record<GitSet, readonly string[]>>;
  readonly modules: readonly PlainModules[];
  readonly named: readonly PlainModules[];
  readonly rest: Pick<WriteRules, "trees" | "wide" | "places" | "undecided">;
}

/** Folder of modules, and the source and the flags of their ending. */
type PlainModules = readonly [folder: string, source: string, flags: string];

const SETS = ["files", "starts", "linked", "above"] as const;
type SetName = typeof SETS[number];
const GIT_SETS = ["files", "folders", "around", "above"] as const;
type GitSet = typeof GIT_SETS[number];

/** Makes them plain. */
export function toPlain(rules: WriteRules): PlainRules {
  const { trees, wide, places, undecided } = rules;
  return {
    sets: listsOf(rules, SETS),
    git: listsOf(rules.git, GIT_SETS),
    modules: rules.modules.map(plainModules),
    named: rules.named.map(plainModules),
    rest: { trees, wide, places, undecided },
  };
}

/** Makes rules of them again. */
export function fromPlain(
  { sets, git, modules, named, rest }: PlainRules,
): Pick<WriteRules, SetName | "git" | "modules" | "named" | keyof PlainRules["rest"]> {
  const endings = new Map<string, RegExp>();
  const foldersOf = ([folder, source, flags]: PlainModules) => {
    const id = `${flags}\n${source}`;
    const ending = endings.get(id) ?? new RegExp(source, flags);
    endings.set(id, ending);
    return { folder, ending };
  };
  return {
    ...setsOf(sets, SETS),
    git: setsOf(git, GIT_SETS),
    modules: modules.map(foldersOf),
    named: named.map(foldersOf),
    ...rest,
  };
}

function plainModules({ folder, ending }: ModuleFolder): PlainModules {
  return [folder, ending.source, ending.flags];
}

type Named<K extends string, T> = Readonly<Record<K, T>>;

function listsOf<K extends string>(sets: Named<K, ReadonlySet<string>>, names: readonly K[]) {
  const lists = names.map((name): [K, readonly string[]] => [name, [...sets[name]]]);
  return Object.fromEntries(lists) as Named<K, readonly string[]>;
}

function setsOf<K extends string>(lists: Named<K, readonly string[]>, names: readonly K[]) {
  const sets = names.map((name): [K, ReadonlySet<string>] => [name, new Set(lists[name])]);
  return Object.fromEntries(sets) as Named<K, ReadonlySet<string>>;
}
