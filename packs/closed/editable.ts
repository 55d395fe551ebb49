/** Editable installs of Python: environments whose programs load modules from folders elsewhere. */

import { readdir } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
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
/** The interpreter that a script names in its first lines. */
const INTERPRETER = /^#!.*?(\/[^\s'"]*\/bin\/(?:python|pypy)[\w.]*)/s;
/** Folder of a version of Python in an environment. */
const VERSION = /^(?:python|pypy)/;
/** Words of a command that are looked at. */
const MOST_WORDS = 200;
const MOST_ENVIRONMENTS = 50;
/** Entries of a folder of packages, and bytes of a file there. */
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024;

/** Adds the interpreters among the words of a command, and the environments that its programs lie in;
 * `path` is its `PATH`. */
export async function addEnvironments(
  words: readonly string[],
  path: string,
  { programs, places, bases }: Reader,
): Promise<void> {
  const lookup = { bases, path };
  for (const one of interpretersAmong(words, lookup)) programs.interpreters.add(one);
  const folders = path.split(delimiter).map((folder) => pathIn(bases[0] ?? "/", folder));
  const candidates = words.slice(0, MOST_WORDS).filter((word) => !isOther(word))
    .flatMap((word) => candidatesOf(word, places.home));
  for (const candidate of new Set(candidates)) {
    const isPath = candidate.includes("/");
    const files = (isPath ? bases : folders).map((folder) => pathIn(folder, candidate));
    for (const file of files) {
      const { environments, interpreters } = await leadsOf(file, { ...lookup, home: places.home });
      for (const one of environments) programs.environments.add(one);
      for (const one of interpreters) programs.interpreters.add(one);
    }
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
  const [, interpreter] = INTERPRETER.exec(new TextDecoder().decode(bytes)) ?? [];
  const programs = [...names, ...(interpreter ? namesOf(interpreter) : [])];
  const isPython = programs.some((name) => languageOfInterpreter(basename(name)) === "python");
  const folders = programs.map(dirname).filter((folder) => PROGRAMS.test(basename(folder)));
  return {
    // Each interpreter loads what the user has installed.
    environments: [...folders.map(dirname), ...(isPython ? [join(home, ".local")] : [])],
    interpreters: interpretersIn(bytes, lookup),
  };
}

/** Adds the folders of editable installs in the environments, as far as programs may use them. */
export async function addEditable(programs: Programs, places: ProgramPlaces): Promise<void> {
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
