/** What programs may read and change: one answer for every pack. */

import { join } from "node:path";
import { hardLinks } from "./closed_links.ts";
import { isBelow, keyOf, ROOT_MARKS } from "./names.ts";
import { inodeOf, linkReason, type ReadOptions, readReason, type ReadRules } from "./reading.ts";
import { type ClosedSources, rulesOf } from "./rules.ts";
import { type Refusal, undecidedFolders, writeReason, type WriteRules } from "./writing.ts";

export interface ClosedPathsDeps {
  readonly sources: () => ClosedSources;
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
}

export interface ChangeOptions extends ReadOptions {
  /** Whether only a name changes, and no contents that another name may lead to. */
  readonly byName?: boolean;
}

export interface ClosedPaths {
  /** Why a real path may not be read, or undefined. */
  read(path: string, options?: ReadOptions): Promise<string | undefined>;
  /** Why a real path, there or not, may not be changed, or undefined. */
  change(path: string, options?: ChangeOptions): Promise<Refusal | undefined>;
  /** Whether something closed lies below a real path, by its name. */
  holds(path: string): Promise<boolean>;
  /** What a thread needs to say what may be read. */
  readRules(): Promise<ReadRules>;
}

/** Milliseconds for which what was seen on the disk counts. */
const FRESH_MS = 2_000;

/** Makes it; nothing is looked at before the first question. */
export function createClosedPaths({ sources, environment, now }: ClosedPathsDeps): ClosedPaths {
  let known:
    | { readonly of: ClosedSources; readonly at: number; readonly rules: Promise<WriteRules> }
    | undefined;

  function current(): Promise<WriteRules> {
    const of = sources();
    if (known?.of !== of || Math.abs(now() - known.at) > FRESH_MS) {
      known = { of, at: now(), rules: rulesOf(of, environment.PATH ?? "") };
    }
    return known.rules;
  }

  return {
    async read(path, options) {
      const { reading } = await current();
      const info = await Deno.lstat(path).catch(() => undefined);
      return readReason(path, reading, options) ?? (info && linkReason(info, reading));
    },
    async change(path, options) {
      const rules = await current();
      return writeReason(path, rules, options) ?? await nestedReason(path, rules) ??
        (options?.byName ? undefined : await otherName(path, rules));
    },
    async holds(path) {
      const { configuration, files, trees, starts, linked, reading } = await current();
      const key = keyOf(path);
      const closed = [configuration, files, trees, linked, reading.secrets, reading.homeState];
      return [...closed, [...starts].flatMap(startsInside)].some((keys) =>
        [...keys].some((one) => one !== key && isBelow(one, key))
      );
    },
    readRules: async () => (await current()).reading,
  };
}

/** A folder that a program starts in is moved with what decides how it starts. */
function startsInside(folder: string): string[] {
  return [`${folder}/package.json`];
}

/** A name that begins with a dot, at the root of a project within the project. */
async function nestedReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  if (rules.isOpened(path)) return undefined;
  for (const folder of undecidedFolders(path, rules)) {
    const marks = ROOT_MARKS.map((name) => Deno.lstat(join(folder, name)).catch(() => undefined));
    if ((await Promise.all(marks)).every((info) => info === undefined)) continue;
    return { why: "it may configure the project that it is at the root of", opens: true };
  }
  return undefined;
}

/** A closed file under another name: a hard link. */
async function otherName(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (!info?.isFile || (info.nlink ?? 1) < 2 || rules.isOpened(path)) return undefined;
  const linked = await hardLinks(rules.places, (one) => writeReason(one, rules) !== undefined);
  if (linked !== undefined && !linked.includes(inodeOf(info))) return undefined;
  return { why: "it is a closed file under another name", opens: true };
}
