/** Makes the rules of closed paths from the configuration and the disk. */

import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { StartedProgram } from "../server_config.ts";
import { closedElsewhere } from "./closed_elsewhere.ts";
import { foldersOfClients, hardLinks, type LinkPlaces, searchBase } from "./closed_links.ts";
import { addClientFiles } from "./command/client_files.ts";
import { addEditable } from "./editable.ts";
import { addInterpreters, aroundInterpreters, environmentsIn } from "./environments.ts";
import { ownSettings } from "./git/own_settings.ts";
import type { GitReader } from "./git/reader.ts";
import { addHomeLinks, addLinkedModules, addLinkedPackages } from "./linked_modules.ts";
import { MODULES } from "./languages.ts";
import { namesOf, realOf, type Way, wayTo } from "./link_names.ts";
import { isBelow, keyOf, STATE_FOLDER, UNREAD_STATE } from "./names.ts";
import { addPacks, type PackSources } from "./packs.ts";
import { addServer } from "./programs.ts";
import { addStart, noPrograms, type Programs } from "./scripts.ts";
import { type ReadNames, readReason, type ReadRules } from "./read_rules.ts";
import type { Found, Search } from "./search.ts";
import { addSettings } from "./settings.ts";
import type { ModuleFolder, WriteRules } from "./write_rules.ts";
import picomatch from "picomatch";

/** Parts of the configuration that close paths. All paths are absolute. */
export interface ClosedSources extends PackSources {
  /** Folders that programs may use. */
  readonly allowed: readonly string[];
  /** Folders that the configuration names as projects. */
  readonly projects: readonly string[];
  /** Servers, and programs that print secrets for the configuration. */
  readonly programs: readonly StartedProgram[];
  /** Files of the configuration. */
  readonly configuration: readonly string[];
  readonly secrets: readonly string[];
  /** Files that the gateway writes outside its state folder: such as its log. */
  readonly logs: readonly string[];
  /** Globs of `packs.file.writable`, as the config has them. */
  readonly writable: readonly string[];
}

/** Folders of a `.onetool` whose files are not closed under a second name: package managers
 * hard-link the files of packages, and a deleted file in the trash may have had other names
 * before. */
const SHARED = /\/(?:\.onetool\/(?:tools|trash)|node_modules)$/;
const WAY_OUT = "delete old files in the tmp, stats and run of .onetool";
/** Folder of the gateway's own program. */
const TOOLSCRIPT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

export interface RulesTools {
  /** Variables of the gateway. */
  readonly environment: Readonly<Record<string, string>>;
  readonly search: Search;
  readonly read: GitReader;
}

/** Makes the rules for changes. */
export async function rulesOf(
  sources: ClosedSources,
  { environment, search, read }: RulesTools,
): Promise<WriteRules> {
  const path = environment.PATH ?? "";
  const rules = firstRules(sources);
  const bases = basesOf(sources);
  const home = realOf(sources.home);
  const places = { bases, home, search };
  const environments = await environmentsIn(places);
  const { programs, undecided } = await programsOf(sources, { path, places });
  const roots = rootsOf(sources);
  const configuration = configurationOf(sources);
  const folders = [...await pathFolders(path, bases), ...homeFolders(home, bases)];
  const trees = [...programs.trees, ...folders, ...environments];
  const ways = waysTo([
    ...configuration,
    ...sources.secrets,
    ...programs.files,
    ...trees,
    ...programs.starts,
    ...[...programs.modules, ...programs.named].map(({ folder }) => folder),
  ], bases);
  const git = { read, own: ownSettings(environment, home) };
  const more = { passed: ways.passed, undecided: undecided ?? ways.gap };
  return await closedElsewhere({
    ...rules,
    files: keys(programs.files),
    trees: [...keys(trees)],
    modules: withKeys(programs.modules),
    named: withKeys(programs.named),
    starts: keys(programs.starts),
    places: [...new Set([...roots, ...configuration, ...programs.files, ...trees])],
  }, { ...places, ...git, ...more });
}

/** Rules that the configuration alone decides. `undecided` is the reason why any other file may be
 * closed, too. */
export function firstRules(sources: ClosedSources, undecided?: string): WriteRules {
  const [project, home] = [realOf(sources.project), realOf(sources.home)];
  return {
    configuration: keys(configurationOf(sources)),
    files: new Set(),
    trees: [],
    modules: [],
    named: [],
    starts: new Set(),
    bases: [...keys([...basesOf(sources), ...namesOf(join(sources.home, STATE_FOLDER))])],
    roots: keys(rootsOf(sources)),
    linked: new Set(),
    wide: [],
    git: { files: new Set(), folders: new Set(), around: new Set(), above: new Set() },
    above: new Set(),
    reading: readNamesOf(sources),
    places: [],
    isOpened: openedBy(sources.writable, { project, home }),
    undecided,
  };
}

/** Sorted by length: the search of a folder then includes those of the folders below it. */
function basesOf({ project, allowed }: ClosedSources): string[] {
  return realPaths([project, ...allowed]).sort((one, other) => one.length - other.length);
}

function rootsOf(sources: ClosedSources): string[] {
  return realPaths([...basesOf(sources), sources.home, ...sources.projects]);
}

function configurationOf({ configuration, logs }: ClosedSources): string[] {
  return [...configuration, ...logs].flatMap(namesOf);
}

interface Ways extends Pick<Way, "gap"> {
  readonly passed: readonly string[];
}

/** Links on the ways to paths, as far as they lie in `bases`, and the reason why a way may lead
 * anywhere. */
function waysTo(paths: readonly string[], bases: readonly string[]): Ways {
  const passed = new Set<string>();
  for (const path of new Set(paths)) {
    const { links, gap } = wayTo(path);
    if (gap !== undefined) return { passed: [...passed], gap };
    for (const link of links) if (bases.some((base) => isBelow(link, base))) passed.add(link);
  }
  return { passed: [...passed] };
}

async function programsOf(
  sources: ClosedSources,
  { path, places }: { readonly path: string; readonly places: LinkPlaces },
): Promise<{ readonly programs: Programs; readonly undecided: string | undefined }> {
  const programs = noPrograms();
  const reach = { home: sources.home, path, allowed: places.bases };
  for (const program of sources.programs) await addServer(program, programs, reach);
  const project = realOf(sources.project);
  const folders = await foldersOfClients(places);
  const clients = await addClientFiles(programs, { ...reach, project, folders });
  await addHomeLinks(programs, places);
  await addPacks(sources, programs, reach);
  await addEditable(programs, reach);
  await addSettings(programs, sources.home);
  await addInterpreters(programs, places);
  const modules = await addLinkedModules(programs, places);
  const packages = await addLinkedPackages(programs, places);
  for (const name of namesOf(TOOLSCRIPT)) {
    programs.modules.push({ folder: name, ending: MODULES.javascript });
  }
  addStart(TOOLSCRIPT, programs);
  return { programs, undecided: programs.texts.undecided() ?? clients ?? modules ?? packages };
}

/** Names that are closed to reading. */
export function readNamesOf({ project, home, secrets }: ClosedSources): ReadNames {
  return {
    homeState: [...keys(namesOf(join(home, STATE_FOLDER)))],
    state: [...keys(namesOf(join(project, STATE_FOLDER)))],
    secrets: [...keys(secrets.flatMap(namesOf))],
  };
}

interface UnreadTools extends Pick<RulesTools, "search"> {
  /** Limit of the entries of `.onetool` that are looked at (50,000). */
  readonly most?: number;
}

/** Files that may not be read under another name. */
export async function unreadInodes(
  sources: ClosedSources,
  { search, most }: UnreadTools,
): Promise<ReadRules["inodes"]> {
  const homeState = namesOf(join(sources.home, STATE_FOLDER));
  const state = namesOf(join(sources.project, STATE_FOLDER));
  const reading = readNamesOf(sources);
  const bases = basesOf(sources);
  const places = { bases, home: realOf(sources.home), search };
  const searches: Found[] = [];
  for (const base of bases) searches.push(await searchBase(base, places));
  const states = new Set([...state, ...searches.flatMap(({ states }) => states)]);
  const folders = [...states.difference(new Set(homeState))].flatMap((folder) => {
    return [...UNREAD_STATE].map((name) => join(folder, name));
  });
  const secrets = [...sources.secrets.flatMap(namesOf), ...searches.flatMap((one) => one.secrets)];
  const linked = await hardLinks([...homeState, ...folders, ...secrets], {
    isClosed: (path) => readReason(path, reading) !== undefined,
    isLeftOut: (folder) => SHARED.test(folder),
    most,
  });
  return typeof linked === "string" ? `${linked}: ${WAY_OUT}` : linked;
}

/** Folders of `PATH` below the folders that programs may use, and what their interpreters load from. */
async function pathFolders(path: string, bases: readonly string[]): Promise<string[]> {
  const all = path.split(delimiter).flatMap(namesOf);
  const folders = all.filter((folder) => {
    return bases.some((base) => folder !== base && isBelow(folder, base));
  });
  const around = folders.map((folder) => aroundInterpreters(folder, bases));
  return [...folders, ...(await Promise.all(around)).flat()];
}

/** Folders of the home folder from which shells, interpreters and desktops start programs, once the
 * folders exist. */
const HOME_FOLDERS = [
  "bin",
  "sbin",
  "go/bin",
  "perl5",
  "R",
  "vimfiles",
  "Library",
  "AppData",
  "Documents/PowerShell",
  "Documents/WindowsPowerShell",
];

/** Paths of these folders, if programs may use the whole home folder. */
function homeFolders(home: string, bases: readonly string[]): string[] {
  if (!bases.some((base) => isBelow(home, base))) return [];
  return HOME_FOLDERS.flatMap((name) => namesOf(join(home, name)));
}

/** Folders of modules by their keys, each once. */
function withKeys(folders: Iterable<ModuleFolder>): WriteRules["modules"] {
  const all = [...folders].map(({ folder, ending }) => ({ folder: keyOf(folder), ending }));
  const byKey = new Map(all.map((one) => [`${one.folder}\0${one.ending.source}`, one]));
  return [...byKey.values()];
}

function realPaths(folders: readonly string[]): string[] {
  return [...new Set(folders.map(realOf))];
}

function keys(paths: Iterable<string>): Set<string> {
  return new Set([...paths].map(keyOf));
}

interface PatternPlaces {
  /** Real paths. */
  readonly project: string;
  readonly home: string;
}

/** Tells whether a pattern opens a path: it matches the path or a folder above it. */
function openedBy(
  patterns: readonly string[],
  places: PatternPlaces,
): (path: string) => boolean {
  const openers = patterns.map((pattern) => one(pattern, places));
  return (path) => openers.some((opens) => opens(path));
}

function one(pattern: string, { project, home }: PatternPlaces): (path: string) => boolean {
  let folder = project;
  let rest = pattern;
  if (pattern.startsWith("~/")) [folder, rest] = [home, pattern.slice(2)];
  else if (isAbsolute(pattern)) [folder, rest] = ["/", pattern.slice(1)];
  for (let way = /^(\.\.?)\/+/.exec(rest); way; way = /^(\.\.?)\/+/.exec(rest)) {
    if (way[1] === "..") folder = dirname(folder);
    rest = rest.slice(way[0].length);
  }
  const matches = picomatch(rest.replace(/\/+$/, ""), { dot: true, nonegate: true });
  return (path) => {
    const way = relative(folder, path);
    if (way === "" || way === ".." || way.startsWith("../")) return false;
    const parts = way.split("/");
    return parts.some((_, at) => matches(parts.slice(0, at + 1).join("/")));
  };
}
