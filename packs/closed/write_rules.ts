/** Rules of the paths that programs may not change, because they decide which programs start and
 * how. */

import {
  decidesStart,
  isAmong,
  isBelow,
  isConfiguration,
  isOpenDotName,
  isSecrets,
  keyOf,
  listsPackages,
  startsPrograms,
  STATE_FOLDER,
  UNWRITTEN_STATE,
} from "./names.ts";
import { nameOf, type ReadNames, type ReadOptions, SECRETS, stateTails } from "./read_rules.ts";

/** Rules for changes. Paths are keys, except `places`. */
export interface WriteRules {
  /** Files of the configuration. */
  readonly configuration: ReadonlySet<string>;
  /** Programs, scripts and the files in their arguments, with what a folder in their place would
   * hold. */
  readonly files: ReadonlySet<string>;
  /** Folders that are closed with all their entries. */
  readonly trees: readonly string[];
  /** Folders whose modules a program may load. */
  readonly modules: readonly ModuleFolder[];
  /** Names that decide what is started, in any folder below one. */
  readonly named: readonly ModuleFolder[];
  /** Folders that a program starts in. */
  readonly starts: ReadonlySet<string>;
  /** The project and the allowed folders. Names above them close nothing. */
  readonly bases: readonly string[];
  /** Roots of projects. */
  readonly roots: ReadonlySet<string>;
  /** Targets of links with a closed name, and links on the way there. */
  readonly linked: ReadonlySet<string>;
  /** Folders that programs may use, and that a closed link leads to as a whole. */
  readonly wide: readonly WideFolder[];
  /** Files and folders that git's settings name; the files may be missing. */
  readonly git: {
    readonly files: ReadonlySet<string>;
    readonly folders: ReadonlySet<string>;
    /** Folders of hooks in which other files lie. */
    readonly around: ReadonlySet<string>;
    /** Folders above the files. */
    readonly above: ReadonlySet<string>;
  };
  /** Folders above all other closed paths. */
  readonly above: ReadonlySet<string>;
  /** Reason why a link or a setting that decides which programs start may lead to any file. */
  readonly undecided?: string;
  readonly reading: ReadNames;
  /** Paths below which closed files may be. */
  readonly places: readonly string[];
  /** True for a path that `packs.file.writable` opens. */
  readonly isOpened: (path: string) => boolean;
}

export interface ModuleFolder {
  readonly folder: string;
  readonly ending: RegExp;
}

export interface WideFolder {
  readonly folder: string;
  readonly why: string;
}

export interface Refusal {
  readonly why: string;
  /** True if `packs.file.writable` can open it. */
  readonly opens: boolean;
}

export const GIT = "it belongs to git";
export const BY_GIT = "git's settings name it";
const LINKED = "a link with a closed name leads there, or goes through it";
const TOOLSCRIPT = "it belongs to Toolscript";
const CONFIGURES = "it configures Toolscript";
export const RUNS = "a server or a pack runs it, or what lies there";
const STARTS = "it decides how a server starts";

/** Reason why a real path may not be changed, or undefined. */
export function writeReason(
  path: string,
  rules: WriteRules,
  { isNamed = false }: ReadOptions = {},
): Refusal | undefined {
  const key = keyOf(path);
  const fixed = fixedReason(key, rules, isNamed);
  if (fixed !== undefined) return { why: fixed, opens: false };
  const parts = partsBelow(key, rules);
  const why = startReason(key, parts, rules) ?? nameReason(parts, rules) ??
    rules.undecided ?? rules.wide.find(({ folder }) => isBelow(key, folder))?.why;
  return why === undefined || rules.isOpened(path) ? undefined : { why, opens: true };
}

/** Reason that no setting overrides: a change would choose which programs start, or reveal
 * secrets. */
function fixedReason(key: string, rules: WriteRules, isNamed: boolean): string | undefined {
  const name = nameOf(key);
  if (rules.configuration.has(key) || isConfiguration(name)) return CONFIGURES;
  const tails = stateTails(key, rules.reading);
  const isState = isNamed
    ? tails.some(([first]) => first === undefined || UNWRITTEN_STATE.has(first))
    : tails.length > 0;
  if (isState) return TOOLSCRIPT;
  return rules.reading.secrets.includes(key) || isSecrets(name) ? SECRETS : undefined;
}

/** True if the target of a link is closed because of the place of the link. Links in `node_modules`
 * lead to packages, of which other rules close the modules alone. */
export function closesTarget(path: string, rules: WriteRules): boolean {
  const refusal = writeReason(path, rules);
  if (refusal?.why !== STARTS) return refusal !== undefined;
  const parts = partsBelow(keyOf(path), rules);
  return nameReason(parts, rules) !== undefined ||
    !parts.slice(0, -1).some(({ part }) => part === "node_modules");
}

/** True if a link that leads to a folder that programs may use closes the whole of it. A link among
 * modules closes only the modules there, and `node_modules` usually links to the packages of a
 * workspace. */
export function closesAll(path: string, rules: WriteRules): boolean {
  const key = keyOf(path);
  const isClosed = fixedReason(key, rules, false) ?? nameReason(partsBelow(key, rules), rules);
  if (isClosed !== undefined) return true;
  return !isModule(key, rules) && !/\/node_modules\//.test(key);
}

function startReason(
  key: string,
  parts: readonly Part[],
  rules: WriteRules,
): string | undefined {
  const { modules, named, starts, linked, git, bases } = rules;
  if (isRun(key, rules)) return RUNS;
  if (isAmong(key, git.folders)) return BY_GIT;
  if (isAmong(key, linked)) return LINKED;
  const isList = bases.some((base) =>
    starts.has(base) && isBelow(key, base) && listsPackages(key.slice(base.length))
  );
  if (isList) return STARTS;
  const decides = parts.some(({ part, folder }) =>
    named.some((one) => one.ending.test(part) && isBelow(folder, one.folder)) ||
    decidesStart(part) &&
      (starts.has(folder) || modules.some((module) => isBelow(folder, module.folder)))
  );
  return decides ? STARTS : undefined;
}

/** True for the key of a file that a server runs, or loads. */
export function isRun(key: string, rules: WriteRules): boolean {
  return isAmong(key, rules.files) || rules.trees.some((tree) => isBelow(key, tree)) ||
    isModule(key, rules);
}

function isModule(key: string, { modules }: WriteRules): boolean {
  const name = nameOf(key);
  return modules.some(({ folder, ending }) => isBelow(key, folder) && ending.test(name));
}

function nameReason(parts: readonly Part[], rules: WriteRules): string | undefined {
  for (const { part, folder } of parts) {
    if (part === ".git") return GIT;
    // `fixedReason` closes `.onetool`, except a path that the configuration names.
    if (isOpenDotName(part) || part === STATE_FOLDER) continue;
    const atRoot = part.startsWith(".") && rules.roots.has(folder);
    if (startsPrograms(part) || atRoot) return `${part} may name programs to start`;
  }
  return undefined;
}

/** Folders whose entry on the path is closed if they are roots of projects. */
export function undecidedFolders(path: string, rules: WriteRules): string[] {
  const names = path.split("/");
  return partsBelow(keyOf(path), rules)
    .filter(({ part }) => part.startsWith(".") && !isOpenDotName(part))
    .map(({ depth }) => names.slice(0, depth).join("/") || "/");
}

export interface Part {
  readonly part: string;
  /** Key of its folder. */
  readonly folder: string;
  readonly depth: number;
}

/** Names of a path below the outermost folder that programs may use. */
export function partsBelow(key: string, { bases }: WriteRules): Part[] {
  const holders = bases.filter((base) => isBelow(key, base)).map((base) => base.length);
  const start = holders.length === 0 ? 0 : key.slice(0, Math.min(...holders)).split("/").length;
  const parts: Part[] = [];
  let end = -1;
  for (const [depth, part] of key.split("/").entries()) {
    if (depth >= start && part !== "") {
      parts.push({ part, folder: key.slice(0, end) || "/", depth });
    }
    end += part.length + 1;
  }
  return parts;
}
