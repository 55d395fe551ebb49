/** Decides which paths programs may read and change, for all packs. */

import { basename, dirname, extname, join } from "node:path";
import { hardLinks } from "./closed_links.ts";
import { isExecutable } from "./command/first_bytes.ts";
import { HEAD, isHead } from "./git/repositories.ts";
import { IMPLIED, isEvery } from "./languages.ts";
import { isBelow, isDraft, isHookIn, keyOf, ROOT_MARKS } from "./names.ts";
import {
  inodeOf,
  linkReason,
  type ReadNames,
  type ReadOptions,
  readReason,
  type ReadRules,
} from "./read_rules.ts";
import type { Looks } from "./look/looks.ts";
import { type ClosedSources, readNamesOf } from "./rules.ts";
import { infoOf } from "./scripts.ts";
import {
  BY_GIT,
  GIT,
  isRun,
  partsBelow,
  type Refusal,
  RUNS,
  undecidedFolders,
  writeReason,
  type WriteRules,
} from "./write_rules.ts";

export interface ClosedPathsDeps {
  readonly sources: () => ClosedSources;
  readonly looks: Looks;
  readonly now: () => number;
}

export interface LookOptions extends ReadOptions {
  /** Info of the file, if the caller has read it: another file may lie at the path since. */
  readonly info?: Deno.FileInfo;
}

export interface ChangeOptions extends LookOptions {
  /** True if only a name changes, not the contents, which may have another name. */
  readonly byName?: boolean;
  /** True if a folder comes to lie there. */
  readonly isFolder?: boolean;
}

export interface ClosedPaths extends AsyncDisposable {
  /** Reason why a real path may not be read, or undefined. */
  read(path: string, options?: LookOptions): Promise<string | undefined>;
  /** Reason why a real path, existing or not, may not be changed, or undefined. */
  change(path: string, options?: ChangeOptions): Promise<Refusal | undefined>;
  /** True if a path below a real path is closed by its name. */
  holds(path: string): Promise<boolean>;
  /** Names that are closed to reading, without the rules for hard links: enough for a listing. */
  readNames(): Promise<ReadNames>;
  /** Rules for reading, for threads. */
  readRules(): Promise<ReadRules>;
  /** Drops cached results of the disk: a program deleted or moved a folder. */
  outdate(): void;
}

/** Time for which the result of a look at the disk is valid. */
const FRESH_MS = 2_000;

/** Creates the decider. It reads the disk only at the first question. */
export function createClosedPaths({ sources, looks, now }: ClosedPathsDeps): ClosedPaths {
  const names = createKept(now, (of: ClosedSources) => Promise.resolve(readNamesOf(of)));
  const inodes = createKept(now, (of: ClosedSources) => looks.inodes(of));
  const rules = createKept(now, (of: ClosedSources) => looks.rules(of));

  return {
    async read(path, options) {
      const of = sources();
      const info = options?.info ?? await lookAt(path);
      const why = readReason(path, await names.current(of), options);
      if (why !== undefined || !info || !hasOthers(info)) return why;
      return linkReason(info, { inodes: await inodes.current(of) });
    },
    async change(path, options) {
      const all = await rules.current(sources());
      return writeReason(path, all, options) ?? await shadowReason(path, all) ??
        await fileReason(path, all, options) ??
        await scriptReason(path, all) ?? await executableReason(path, all) ??
        await nestedReason(path, all) ??
        await repositoryReason(path, all) ??
        (options?.byName ? undefined : await otherName(path, all, options));
    },
    holds: async (path) => (await rules.current(sources())).above.has(keyOf(path)),
    readNames: () => names.current(sources()),
    async readRules() {
      const of = sources();
      return { ...await names.current(of), inodes: await inodes.current(of) };
    },
    outdate() {
      for (const kept of [names, inodes, rules]) kept.drop();
    },
    [Symbol.asyncDispose]: () => looks[Symbol.asyncDispose](),
  };
}

interface Kept<T> {
  current(of: ClosedSources): Promise<T>;
  drop(): void;
}

/** Shares the result of a look while the look runs, and for `FRESH_MS` after its end. */
function createKept<T>(now: () => number, look: (of: ClosedSources) => Promise<T>): Kept<T> {
  let latest: { readonly of: ClosedSources; readonly given: Promise<T>; at?: number } | undefined;
  return {
    current(of) {
      const isFresh = latest?.of === of &&
        (latest.at === undefined || Math.abs(now() - latest.at) <= FRESH_MS);
      if (latest && isFresh) return latest.given;
      const next: typeof latest = latest = { of, given: look(of) };
      const end = () => next.at = now();
      next.given.then(end, end);
      return next.given;
    },
    drop: () => latest = undefined,
  };
}

/** Refuses a file that would be loaded in place of a module: `require("./lib")` takes `lib` before
 * `lib.js`. */
async function shadowReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  const others = laterNames(path);
  const runs = others.some((other) => isRun(keyOf(other), rules) && !rules.isOpened(other));
  if (!runs || rules.isOpened(path)) return undefined;
  for (const other of others) {
    if (await Deno.lstat(other).catch(() => undefined)) return { why: RUNS, opens: true };
  }
  return undefined;
}

/** Names of SQLite's files beside a database: SQLite deletes the file that a journal names, and
 * reads the contents of the others as those of the database. */
const JOURNAL = /-(?:journal|wal|shm|mj[\da-f]{8,9})$/;

/** Refuses a journal of SQLite, a file that git's settings name, a file in the place of a folder
 * above a closed path, and a file without an ending where every program may be started. A folder
 * may have such a name. */
async function fileReason(
  path: string,
  rules: WriteRules,
  { isFolder = false }: ChangeOptions = {},
): Promise<Refusal | undefined> {
  const refusal = isFolder ? undefined : fileRefusal(keyOf(path), rules);
  if (!refusal || refusal.opens && rules.isOpened(path)) return undefined;
  return await isFolderAt(path) ? undefined : refusal;
}

function fileRefusal(key: string, { modules, git, above }: WriteRules): Refusal | undefined {
  if (JOURNAL.test(key)) return { why: "it may be the journal of a database", opens: false };
  if (git.files.has(key) || isHookIn(git.around, key)) return { why: BY_GIT, opens: true };
  if (above.has(key) || git.above.has(key)) return { why: ARCHIVE, opens: true };
  const isStart = extname(key) === "" &&
    modules.some(({ folder, ending }) => isEvery(ending) && isBelow(key, folder));
  return isStart ? { why: RUNS, opens: true } : undefined;
}

/** Python reads `a/b.py` from an archive `a`. */
const ARCHIVE = "it lies above a file that configures Toolscript, or that a server runs or may run";

/** Refuses a path that is, or lies in, a folder in the place of a missing file that git's settings
 * name. A name without an ending is exempt: it is often an ordinary word of a setting, and the
 * name of an ordinary folder. */
async function scriptReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  if (rules.isOpened(path)) return undefined;
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (extname(at) === "" || !rules.git.files.has(keyOf(at))) continue;
    if (!await isFolderAt(at)) return { why: BY_GIT, opens: true };
  }
  return undefined;
}

/** Refuses an executable in an allowed folder where a server starts: the server may name it in a
 * form that no rule reads. */
async function executableReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  const { bases, starts } = rules;
  const isThere = bases.some((base) => starts.has(base) && isBelow(keyOf(path), base));
  if (!isThere || rules.isOpened(path)) return undefined;
  const info = await infoOf(path);
  if (!info?.isFile() || !await isExecutable(path, info)) return undefined;
  return { why: "it is a program, and a server starts in a folder there", opens: true };
}

/** Names that an import tries after a path: with an ending, and in a folder. */
function laterNames(path: string): string[] {
  const name = path.replace(/\.json$/, "");
  return [
    ...(name === path ? IMPLIED : ["node"]).map((ending) => `${name}.${ending}`),
    ...IMPLIED.map((ending) => `${name}/index.${ending}`),
    `${name}/package.json`,
  ];
}

/** Refuses a name that begins with a dot at the root of a nested project. */
async function nestedReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  if (rules.isOpened(path)) return undefined;
  for (const folder of undecidedFolders(path, rules)) {
    const marks = ROOT_MARKS.map((name) => Deno.lstat(join(folder, name)).catch(() => undefined));
    if ((await Promise.all(marks)).every((info) => info === undefined)) continue;
    return { why: "it may configure the project that it is at the root of", opens: true };
  }
  return undefined;
}

/** Refuses what belongs to a repository under another name than `.git`. */
async function repositoryReason(path: string, rules: WriteRules): Promise<Refusal | undefined> {
  if (rules.isOpened(path) || !await isInGitFolder(path, rules)) return undefined;
  return { why: GIT, opens: true };
}

/** Refuses a hard link to a closed file. */
async function otherName(
  path: string,
  rules: WriteRules,
  options: ChangeOptions | undefined,
): Promise<Refusal | undefined> {
  const info = options?.info ?? await lookAt(path);
  if (rules.isOpened(path) || !info || !hasOthers(info)) return undefined;
  const linked = await hardLinks(rules.places, { isClosed: (one) => closesOthers(one, rules) });
  // Meanwhile a new file may have lost the name of its draft, and have one name again.
  const now = await lookAt(path);
  if (now && inodeOf(now) === inodeOf(info) && !hasOthers(now)) return undefined;
  if (typeof linked === "string") {
    return { why: `it may be a closed file under another name: ${linked}`, opens: true };
  }
  if (!linked.includes(inodeOf(info))) return undefined;
  return { why: "it is a closed file under another name", opens: true };
}

/** True for a file with more than one name. */
function hasOthers({ isFile, nlink }: Deno.FileInfo): boolean {
  return isFile && (nlink ?? 1) > 1;
}

function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  return Deno.lstat(path).catch(() => undefined);
}

/** True for a path that closes the other names of its file. A draft at a root is closed only
 * because its name begins with a dot, which says nothing of the file. */
function closesOthers(path: string, rules: WriteRules): boolean {
  if (!isDraft(basename(path))) return writeReason(path, rules) !== undefined;
  const roots = rules.roots.difference(new Set([keyOf(dirname(path))]));
  return writeReason(path, { ...rules, roots }) !== undefined;
}

/** Entries that make a folder a repository, or that decide which programs git starts there. */
const IN_REPOSITORY =
  /^(?:branches|commondir|config(?:\.worktree)?|gitdir|hooks|index|info|modules|objects|packed-refs|refs|worktrees)$/;

/** True if a real path is a repository's `HEAD`, or lies beside one under a name of git's. */
async function isInGitFolder(path: string, rules: WriteRules): Promise<boolean> {
  const names = path.split("/");
  const parts = partsBelow(keyOf(path), rules);
  const last = parts.at(-1);
  if (last && isHead(names[last.depth] ?? "", false) && !await isFolderAt(path)) return true;
  for (const { part, depth } of parts) {
    if (!IN_REPOSITORY.test(part)) continue;
    const info = await lookAt(join(names.slice(0, depth).join("/") || "/", HEAD));
    if (info && isHead(HEAD, info.isDirectory)) return true;
  }
  return false;
}

async function isFolderAt(path: string): Promise<boolean> {
  return await Deno.lstat(path).then((info) => info.isDirectory, () => false);
}
