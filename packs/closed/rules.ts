/** Makes the rules of closed paths from the configuration and the disk. */

import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createTurns } from "#base";
import type { ServerConfig, StartedProgram } from "../server_config.ts";
import { closedElsewhere } from "./closed_elsewhere.ts";
import { hardLinks, type LinkPlaces, searchBase } from "./closed_links.ts";
import { addEditable } from "./editable.ts";
import { environmentsIn } from "./environments.ts";
import { ownSettings } from "./git/own_settings.ts";
import type { GitReader } from "./git/reader.ts";
import { addLinkedModules, addLinkedPackages } from "./linked_modules.ts";
import { MODULES } from "./languages.ts";
import { namesOf, realOf, type Way, wayTo } from "./link_names.ts";
import { isBelow, keyOf, STATE_FOLDER, UNREAD_STATE } from "./names.ts";
import { addPacks, type PackSources } from "./packs.ts";
import { addServer } from "./programs.ts";
import { addStart, noPrograms, type Programs } from "./scripts.ts";
import { type ReadNames, readReason, type ReadRules } from "./read_rules.ts";
import type { Found, Search } from "./search.ts";
import { addSettings } from "./settings.ts";
import type { WriteRules } from "./write_rules.ts";
import picomatch from "picomatch";

/** Parts of the configuration that close paths. All paths are absolute. */
export interface ClosedSources extends PackSources {
  /** Folders that programs may use. */
  readonly allowed: readonly string[];
  /** Folders that the configuration names as projects. */
  readonly projects: readonly string[];
  readonly servers: readonly ServerConfig[];
  /** Programs that print secrets for the configuration. */
  readonly commands: readonly StartedProgram[];
  /** Files of the configuration. */
  readonly configuration: readonly string[];
  readonly secrets: readonly string[];
  /** Files that the gateway writes outside its state folder: such as its log. */
  readonly logs: readonly string[];
  /** Globs of `packs.file.writable`, as the config has them. */
  readonly writable: readonly string[];
}

/** Folders of a `.onetool` whose files are not closed under a second name: package managers give files
 * of packages such names, and what programs delete had others before. */
const SHARED = /\/(?:\.onetool\/(?:tools|trash)|node_modules)$/;
/** Folder of the gateway's own program. */
const TOOLSCRIPT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

export interface RulesTools {
  /** Variables of the gateway. */
  readonly environment: Readonly<Record<string, string>>;
  readonly search: Search;
  readonly read: GitReader;
  /** Limit of the entries of `.onetool` that a search for hard links reads (50,000). */
  readonly most?: number;
}

/** Makes the rules. */
export async function rulesOf(
  sources: ClosedSources,
  { environment, search, read, most }: RulesTools,
): Promise<WriteRules> {
  const path = environment.PATH ?? "";
  const bases = realPaths([sources.project, ...sources.allowed]);
  const [project, home] = [realOf(sources.project), realOf(sources.home)];
  const places = { bases, home, search };
  // A search of a folder below them is a part of theirs then.
  bases.sort((one, other) => one.length - other.length);
  const environments = await environmentsIn(places);
  const { programs, undecided } = await programsOf(sources, { path, places });
  const roots = realPaths([...bases, sources.home, ...sources.projects]);
  const configuration = [...sources.configuration, ...sources.logs].flatMap(namesOf);
  const folders = [...pathFolders(path, bases), ...homeFolders(home, bases)];
  const trees = [...programs.trees, ...folders, ...environments];
  const ways = await waysTo([
    ...[...configuration, ...sources.secrets, ...programs.files, ...trees, ...programs.starts],
    ...[...programs.modules].map(({ folder }) => folder),
  ], bases);
  const rules: WriteRules = {
    configuration: keys(configuration),
    files: keys(programs.files),
    trees: [...keys(trees)],
    modules: modulesOf(programs),
    starts: keys(programs.starts),
    bases: [...keys([...bases, ...namesOf(join(sources.home, STATE_FOLDER))])],
    roots: keys(roots),
    linked: new Set(),
    wide: [],
    git: { files: new Set(), folders: new Set(), around: new Set(), above: new Set() },
    above: new Set(),
    ...readRulesOf(sources, { places, most }),
    places: [...new Set([...roots, ...configuration, ...programs.files, ...trees])],
    isOpened: openedBy(sources.writable, { project, home }),
  };
  const git = { read, own: ownSettings(environment, home) };
  const more = { passed: ways.passed, undecided: undecided ?? ways.gap };
  return await closedElsewhere(rules, { ...places, ...git, ...more });
}

interface Ways extends Pick<Way, "gap"> {
  readonly passed: readonly string[];
}

/** Links that programs may use, on the ways to paths, and the reason why one may lead anywhere. */
async function waysTo(paths: readonly string[], bases: readonly string[]): Promise<Ways> {
  const passed = new Set<string>();
  const turn = createTurns();
  for (const path of new Set(paths)) {
    const { links, gap } = wayTo(path);
    if (gap !== undefined) return { passed: [...passed], gap };
    for (const link of links) if (bases.some((base) => isBelow(link, base))) passed.add(link);
    await turn();
  }
  return { passed: [...passed] };
}

async function programsOf(
  sources: ClosedSources,
  { path, places }: { readonly path: string; readonly places: LinkPlaces },
): Promise<{ readonly programs: Programs; readonly undecided: string | undefined }> {
  const programs = noPrograms();
  const servers = sources.servers.filter((server) => server.kind === "stdio");
  const reach = { home: sources.home, path, allowed: places.bases };
  for (const program of [...servers, ...sources.commands]) {
    await addServer(program, programs, reach);
  }
  await addPacks(sources, programs, reach);
  await addEditable(programs, reach);
  await addSettings(programs, sources.home);
  const modules = await addLinkedModules(programs, places);
  const packages = await addLinkedPackages(programs, places);
  for (const name of namesOf(TOOLSCRIPT)) {
    programs.modules.push({ folder: name, ending: MODULES.javascript });
  }
  addStart(TOOLSCRIPT, programs);
  return { programs, undecided: programs.texts.undecided() ?? modules ?? packages };
}

function readRulesOf(
  { project, home, secrets }: ClosedSources,
  { places, most }: Pick<RulesTools, "most"> & { readonly places: LinkPlaces },
): Pick<WriteRules, "reading" | "inodes"> {
  const homeState = namesOf(join(home, STATE_FOLDER));
  const state = namesOf(join(project, STATE_FOLDER));
  const files = secrets.flatMap(namesOf);
  const reading: ReadNames = {
    homeState: [...keys(homeState)],
    state: [...keys(state)],
    secrets: [...keys(files)],
  };
  const closed = { homeState, state, files, isClosed: (path: string) => isUnread(path, reading) };
  let inodes: Promise<ReadRules["inodes"]> | undefined;
  return { reading, inodes: () => inodes ??= unreadInodes(closed, { places, most }) };
}

interface UnreadPlaces {
  readonly homeState: readonly string[];
  readonly state: readonly string[];
  /** Secrets files of the configuration. */
  readonly files: readonly string[];
  readonly isClosed: (path: string) => boolean;
}

function isUnread(path: string, reading: ReadNames): boolean {
  return readReason(path, reading) !== undefined;
}

/** Files that may not be read under another name. */
async function unreadInodes(
  { homeState, state, files, isClosed }: UnreadPlaces,
  { places, most }: Pick<RulesTools, "most"> & { readonly places: LinkPlaces },
): Promise<ReadRules["inodes"]> {
  const searches: Found[] = [];
  for (const base of places.bases) searches.push(await searchBase(base, places));
  const states = new Set([...state, ...searches.flatMap(({ states }) => states)]);
  const folders = [...states.difference(new Set(homeState))].flatMap((folder) => {
    return [...UNREAD_STATE].map((name) => join(folder, name));
  });
  return await hardLinks(
    [...homeState, ...folders, ...files, ...searches.flatMap(({ secrets }) => secrets)],
    { isClosed, isLeftOut: (folder) => SHARED.test(folder), most },
  );
}

/** Folders of `PATH` below the folders that programs may use. */
function pathFolders(path: string, bases: readonly string[]): string[] {
  const folders = path.split(delimiter).flatMap(namesOf);
  return folders.filter((folder) => {
    return bases.some((base) => folder !== base && isBelow(folder, base));
  });
}

/** Folders from which shells, interpreters and desktops start programs once they are there. */
const HOME_FOLDERS = [
  ...["bin", "sbin", "go/bin", "perl5", "R", "vimfiles", "Library", "AppData"],
  ...["Documents/PowerShell", "Documents/WindowsPowerShell"],
];

/** Those of the home folder, where programs may use it as a whole. */
function homeFolders(home: string, bases: readonly string[]): string[] {
  if (!bases.some((base) => isBelow(home, base))) return [];
  return HOME_FOLDERS.flatMap((name) => namesOf(join(home, name)));
}

function modulesOf({ modules }: Programs): WriteRules["modules"] {
  const all = [...modules].map(({ folder, ending }) => ({ folder: keyOf(folder), ending }));
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
