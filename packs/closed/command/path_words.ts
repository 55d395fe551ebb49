/** Words of commands that may be files, folders that are programs, or folders of modules. */

import { basename, dirname, extname, join } from "node:path";
import { under } from "#files";
import { DATA, IMPLIED, MODULES, unknownEnding } from "../languages.ts";
import { namesOf, pathIn } from "../link_names.ts";
import { isBelow } from "../names.ts";
import { type Adding, addPackage, addScript, addStart, infoOf, type Reader } from "../scripts.ts";
import { candidatesOf, wordsOf } from "../words.ts";
import { globalPackages } from "./named_programs.ts";

/** Adds files whose ending a command leaves out. */
export async function addWithEnding(path: string, reader: Reader): Promise<boolean> {
  const files = IMPLIED.map((ending) => `${path}.${ending}`);
  const infos = await Promise.all(files.map(infoOf));
  for (const file of files.filter((_, at) => infos[at]?.isFile())) {
    await addScript(file, reader, { isEntry: false });
  }
  return infos.some((info) => info?.isFile());
}

const ENTRIES = [
  "package.json",
  "index.js",
  "index.mjs",
  "index.ts",
  "__main__.py",
  "__init__.py",
  "pyproject.toml",
  "setup.py",
];
const PYTHON_ENTRY = /\.(?:py|toml)$/;

/** Adds a folder that is a program, with the package that it belongs to. */
export async function addFolder(path: string, reader: Reader): Promise<void> {
  const infos = await Promise.all(ENTRIES.map((name) => infoOf(join(path, name))));
  const entries = ENTRIES.filter((_, at) => infos[at]);
  if (entries.length === 0) return;
  const isPython = entries.every((name) => PYTHON_ENTRY.test(name));
  for (const folder of namesOf(path)) {
    reader.programs.modules.push({ folder, ending: MODULES.other });
    addPackage(folder, isPython ? "python" : "javascript", reader);
  }
}

/** Adds a word of a command if it may be a file, existing or not, or a folder to start in. */
export async function addWord(word: string, reader: Reader, depth: number): Promise<void> {
  if (reader.seen.has(word) || reader.seen.size > 2_000) return;
  reader.seen.add(word);
  for (const candidate of candidatesOf(word, reader.places.home)) {
    for (const base of [...reader.bases]) await addPath(candidate, base, { reader, depth });
  }
}

async function addPath(word: string, base: string, { reader, depth }: Adding): Promise<void> {
  const { programs, bases, starts } = reader;
  const path = pathIn(base, word);
  // Links on the way may not be replaced.
  if (path !== under(base, word)) programs.files.add(under(base, word));
  const info = await infoOf(path);
  if (info?.isDirectory()) {
    if (reader.isPackage) return;
    addStart(path, programs);
    if (depth === 0 && bases.length < 10 && !bases.includes(path)) bases.push(path);
    if (depth === 0 && starts.size < 10) starts.add(path);
  } else if (info?.isFile()) {
    // The system runs a data file with the executable bit.
    if (DATA.test(path) && (info.mode & 0o111) === 0) return;
    await addScript(path, reader, { isEntry: false, depth });
    if (depth === 0 && !reader.isPackage) addAlike(path, reader);
  } else if (info === undefined && !DATA.test(path)) {
    const isPath = word.includes("/") || extname(word) !== "";
    if (isPath) await addScript(path, reader, { isEntry: false, depth });
    // A missing word may be a folder that the server starts in.
    else if (!reader.isPackage) {
      for (const name of namesOf(path)) programs.files.add(name);
    }
  }
  if (!/^[\w@.+-]+(?:\/[\w@.+-]+)*$/.test(word) || info?.isFile()) return;
  for (const name of namesOf(path)) {
    for (const ending of IMPLIED) programs.files.add(`${name}.${ending}`);
  }
  // A Python module: `-m pkg.server`.
  const [first = ""] = word.split(".");
  if (word.includes("/") || first === "") return;
  const folder = under(base, first);
  if ((await infoOf(folder))?.isDirectory()) addStart(folder, programs);
  for (const name of namesOf(folder)) {
    programs.files.add(`${name}.py`);
    programs.modules.push({ folder: name, ending: MODULES.python });
  }
}

/** Adds files with the ending of one that may be a script, in its folder and below. */
function addAlike(path: string, { programs }: Reader): void {
  const ending = unknownEnding(path);
  if (ending === undefined) return;
  for (const name of namesOf(path)) programs.modules.push({ folder: dirname(name), ending });
}

/** Adds folders that a word of a variable names, with the modules in them that have such endings. */
export async function addModules(
  word: string,
  ending: RegExp,
  { programs, places, bases }: Reader,
): Promise<void> {
  for (const candidate of candidatesOf(word, places.home)) {
    const path = pathIn(bases[0] ?? "/", candidate);
    if (!(await infoOf(path))?.isDirectory()) continue;
    addStart(path, programs);
    for (const folder of namesOf(path)) programs.modules.push({ folder, ending });
  }
}

/** Adds folders that are packages, or hold such, also those that are not there yet: their manifest, which
 * may be missing, says what runs. */
export async function addFetched(words: readonly string[], reader: Reader): Promise<void> {
  const { programs, places, bases } = reader;
  const paths = wordsOf(words).flatMap((word) =>
    candidatesOf(word.replace(/^git\+(?=file:)/, ""), places.home)
  );
  for (const path of paths) {
    for (const base of [...bases]) {
      const folder = pathIn(base, path);
      const info = await infoOf(folder);
      for (const name of info ? [] : namesOf(folder)) programs.files.add(name);
      if (!info?.isDirectory()) continue;
      addStart(folder, programs);
      for (const name of namesOf(folder)) addPackageFolder(name, reader);
    }
  }
}

/** Closes a folder with all that is in it; where programs work in it, all but data. */
function addPackageFolder(folder: string, { programs, places }: Reader): void {
  if (places.allowed.some((one) => isBelow(one, folder))) {
    programs.modules.push({ folder, ending: MODULES.shell });
  } else programs.trees.add(folder);
}

/** Adds programs that a package runner finds in `node_modules` instead of fetching them. */
export async function addLocalPrograms(words: readonly string[], reader: Reader): Promise<void> {
  const names = words.map((word) => basename(word).replace(/@.*/s, "")).filter(Boolean);
  const folders = new Set<string>();
  for (const base of reader.bases) {
    for (let at = base; at !== dirname(at); at = dirname(at)) folders.add(at);
  }
  for (const folder of folders) {
    for (const file of names.map((name) => join(folder, "node_modules/.bin", name))) {
      if (await infoOf(file)) await addScript(file, reader, { isEntry: true });
    }
  }
}

/** Adds npm's global packages, which a package runner does not fetch either. */
export async function addGlobalPackages(words: readonly string[], reader: Reader): Promise<void> {
  const { bases, places: { path } } = reader;
  for (const folder of await globalPackages(words, { bases, path })) {
    await addFolder(folder, reader);
  }
}
