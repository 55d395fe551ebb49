/** Editable installs of Python: environments whose programs load modules from folders elsewhere. */

import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt, isObject } from "#base";
import { readRegularText, under } from "#files";
import { languageOfInterpreter } from "../interpreters.ts";
import {
  firstBytes,
  interpretersAmong,
  interpretersIn,
  type Lookup,
} from "./command/first_bytes.ts";
import { behindShim } from "./command/named_programs.ts";
import { runsPackage } from "../runs_package.ts";
import { namesOf, pathIn, realOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import {
  addPackage,
  addStart,
  infoOf,
  type ProgramPlaces,
  type Programs,
  type Reader,
} from "./scripts.ts";
import { candidatesOf } from "./words.ts";

/** Folders of programs in an environment. */
const PROGRAMS = /^(?:bin|scripts)$/i;
/** Folder of a version of Python in an environment. */
const VERSION = /^(?:python|pypy)/;
/** Words of a command that are looked at. */
export const MOST_WORDS = 200;
const MOST_ENVIRONMENTS = 200;
/** Scripts whose header is read, and its bytes. */
const MOST_SCRIPTS = 200;
const HEADER_BYTES = 8 * 1024;
/** Lines of a script that say what `uv run` and its like install for it. */
const HEADER = /^# \/\/\/ script\s*$(.*?)^# \/\/\/\s*$/ms;
/** A folder in it. */
const SOURCE = /(?:\bpath\s*=\s*["']|(?=file:))([^\s"',]+)/g;
/** Entries of a folder of packages, and bytes of a file there. */
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024;

/** Adds the interpreters among the words of a command, and the environments that its programs lie
 * in. */
export async function addEnvironments(
  words: readonly string[],
  { programs, places, bases }: Reader,
): Promise<void> {
  const { path } = places;
  const lookup = { bases, path };
  for (const one of interpretersAmong(words, lookup)) programs.interpreters.add(one);
  const candidates = new Set(
    words.slice(0, MOST_WORDS).filter((word) => !isOther(word))
      .flatMap((word) => candidatesOf(word, places.home)),
  );
  const paths = [...candidates].filter((one) => one.includes("/"))
    .flatMap((one) => bases.map((base) => pathIn(base, one)));
  for (const file of [...paths, ...await programs.texts.named.onPath([...candidates], lookup)]) {
    const { environments, interpreters } = await leadsOf(file, { ...lookup, home: places.home });
    for (const one of environments) programs.environments.add(one);
    for (const one of interpreters) programs.interpreters.add(one);
  }
}

/** True for an interpreter of another language, and for a program that fetches packages. */
function isOther(word: string): boolean {
  const language = languageOfInterpreter(word);
  return (language !== undefined && language !== "python") || runsPackage([word]) !== undefined;
}

interface Leads {
  readonly environments: readonly string[];
  /** Interpreters that the first lines of a script name. */
  readonly interpreters: readonly string[];
}

const NOWHERE: Leads = { environments: [], interpreters: [] };

async function leadsOf(
  path: string,
  { home, ...lookup }: Lookup & { readonly home: string },
): Promise<Leads> {
  const info = await infoOf(path);
  if (info === undefined) return NOWHERE;
  const names = namesOf(path);
  if (info.isDirectory()) {
    const folders = names.map((name) => PROGRAMS.test(basename(name)) ? dirname(name) : name);
    return { environments: folders, interpreters: [] };
  }
  // The first bytes of a pipe may never come.
  if (!info.isFile()) return NOWHERE;
  const bytes = await firstBytes(path);
  return {
    environments: environmentsOf(names, home),
    interpreters: interpretersIn(bytes, lookup),
  };
}

/** Environments that the names of a program lead to. */
function environmentsOf(names: readonly string[], home: string): string[] {
  const isPython = names.some(isPythons);
  const folders = names.map(dirname).filter((folder) => PROGRAMS.test(basename(folder)));
  // Each interpreter loads what the user has installed.
  return [...folders.map(dirname), ...(isPython ? [join(home, ".local")] : [])];
}

function isPythons(path: string): boolean {
  return languageOfInterpreter(basename(path)) === "python";
}

/** Adds the environments of interpreters and of scripts that programs lead to, and what the first lines
 * of these scripts say to install. */
async function addLeads(programs: Programs, places: ProgramPlaces): Promise<void> {
  const { pythons, interpreters, environments } = programs;
  const paths = [...pythons, ...[...interpreters].filter(isPythons)];
  const behind = await Promise.all(paths.map(behindShim));
  for (const path of new Set([...paths, ...behind.flat()])) {
    if (!(await infoOf(path))?.isFile()) continue;
    for (const one of environmentsOf(namesOf(path), places.home)) environments.add(one);
  }
  for (const path of [...pythons].slice(0, MOST_SCRIPTS)) {
    const text = new TextDecoder().decode(await firstBytes(path, HEADER_BYTES));
    const [, header = ""] = HEADER.exec(text) ?? [];
    for (const [, source = ""] of header.matchAll(SOURCE)) {
      const [candidate = source] = candidatesOf(source, places.home);
      addFolder(pathIn(dirname(path), candidate), programs, places);
    }
  }
}

/** Adds the folders of editable installs in the environments, as far as programs may use them. */
export async function addEditable(programs: Programs, places: ProgramPlaces): Promise<void> {
  await addLeads(programs, places);
  const sites = new Set<string>();
  for (const environment of [...programs.environments].slice(0, MOST_ENVIRONMENTS)) {
    for (const site of await sitesOf(environment)) sites.add(realOf(site));
  }
  for (const site of sites) {
    const names = await readdir(site).catch(() => []);
    for (const name of names.slice(0, MOST_ENTRIES)) {
      for (const folder of foldersOf(site, name)) addFolder(folder, programs, places);
    }
  }
}

/** Folders of packages in an environment. */
async function sitesOf(environment: string): Promise<string[]> {
  const folders = [join(environment, "Lib")];
  for (const library of ["lib", "lib64"].map((name) => join(environment, name))) {
    const names = await readdir(library).catch(() => []);
    folders.push(...names.filter((name) => VERSION.test(name)).map((name) => join(library, name)));
  }
  return folders.flatMap((folder) =>
    ["site-packages", "dist-packages"].map((name) => join(folder, name))
  );
}

/** Folders that modules are loaded from, by an entry of a folder of packages. */
function foldersOf(site: string, name: string): readonly string[] {
  if (name.endsWith(".dist-info")) return sourceOf(join(site, name, "direct_url.json"));
  return name.endsWith(".pth") ? pathsIn(join(site, name), site) : [];
}

/** Folder of an editable install, by what `direct_url.json` says. */
function sourceOf(file: string): string[] {
  const value: unknown = attempt(() => JSON.parse(textOf(file)));
  if (!isObject(value) || !isObject(value.dir_info) || value.dir_info.editable !== true) return [];
  const folder = attempt(() => fileURLToPath(String(value.url)));
  return folder === undefined ? [] : [folder];
}

/** Folders of modules that lines of a `.pth` file name; its other lines are code. */
function pathsIn(file: string, site: string): string[] {
  const lines = textOf(file).split(/[\r\n]+/).map((line) => line.trimEnd());
  return lines.filter((line) => line !== "" && !/^(?:#|import\s)|\0/.test(line))
    .map((line) => under(site, line));
}

function textOf(file: string): string {
  return attempt(() => readRegularText(file, MOST_BYTES)) ?? "";
}

function addFolder(path: string, programs: Programs, places: ProgramPlaces): void {
  for (const folder of namesOf(path)) {
    if (!places.allowed.some((one) => isBelow(one, folder) || isBelow(folder, one))) continue;
    addStart(folder, programs);
    addPackage(folder, "python", { programs, places, from: folder });
  }
}
