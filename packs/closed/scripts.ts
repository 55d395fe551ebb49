/** Scripts that servers start with, built or not, and the files that name their commands. */

import { stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { hasTurn } from "#files";
import { type Language, languageOfInterpreter } from "../interpreters.ts";
import { type CommandTexts, createCommandTexts } from "./command/command_texts.ts";
import { createModuleFolders, type ModuleFolders } from "./command/module_folders.ts";
import { firstBytes, firstWords, interpretersIn } from "./command/first_bytes.ts";
import { behindShim } from "./command/named_programs.ts";
import { COMMAND, isCode, isRunner, NO_SCRIPT, startedBy } from "./command/script_words.ts";
import { repositoryOf } from "./git/repositories.ts";
import { DATA, isTool, languageOfBytes, languageOfName, MODULES, PACKAGES } from "./languages.ts";
import { namesOf, pathIn, realOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import { candidatesOf, INCLUDED } from "./words.ts";

/** Paths, both as written and without links. */
export interface Programs {
  readonly files: Set<string>;
  readonly trees: Set<string>;
  readonly modules: ModuleFolders;
  readonly starts: Set<string>;
  /** Names that decide what is started, in any folder below one. */
  readonly named: ModuleFolders;
  /** Paths at which interpreters may lie that words and first lines of scripts name. */
  readonly interpreters: Set<string>;
  /** Folders in which programs of Python are installed. */
  readonly environments: Set<string>;
  /** Scripts of Python, and those that activate an environment. */
  readonly pythons: Set<string>;
  /** Manifests, also missing ones, of the runners among the words. */
  readonly manifests: Set<string>;
  readonly texts: CommandTexts;
}

export interface ProgramPlaces {
  readonly home: string;
  /** `PATH` of the gateway, or of a server. */
  readonly path: string;
  /** Folders that programs may use, without links. */
  readonly allowed: readonly string[];
}

export const MOST_DEPTH = 3;

export function noPrograms(): Programs {
  return {
    files: new Set(),
    trees: new Set(),
    modules: createModuleFolders(),
    starts: new Set(),
    named: createModuleFolders(),
    interpreters: new Set(),
    environments: new Set(),
    pythons: new Set(),
    manifests: new Set(),
    texts: createCommandTexts(),
  };
}

export interface Reader {
  readonly programs: Programs;
  readonly places: ProgramPlaces;
  /** Folders that words may be relative to. */
  readonly bases: string[];
  /** Folders that it may start in. */
  readonly starts: Set<string>;
  readonly seen: Set<string>;
  /** True if a package is downloaded and run: folders in its arguments are data. */
  readonly isPackage: boolean;
  /** Language of scripts without an ending. */
  readonly language: Language | undefined;
  /** The same for missing ones: that of an interpreter that starts no other program. */
  readonly interpreter: Language | undefined;
}

export interface Adding {
  readonly reader: Reader;
  readonly depth: number;
}

/** Adds a folder and those above it: their files may decide how a program starts. */
export function addStart(folder: string, { starts }: Programs): void {
  for (const path of namesOf(folder).filter((one) => !hasTurn(one))) {
    for (let at = path; !starts.has(at); at = dirname(at)) starts.add(at);
  }
}

/** Kinds of modules beside a program that is not built yet. */
const UNKNOWN = ["native", "other"] as const;

interface ScriptOptions {
  /** True if the file itself is started. */
  readonly isEntry: boolean;
  readonly depth?: number;
}

/** Adds a file that is run or passed to a program, existing or not, with the modules beside it. */
export async function addScript(
  path: string,
  reader: Reader,
  { isEntry, depth = 0 }: ScriptOptions,
): Promise<void> {
  const { programs } = reader;
  const info = await infoOf(path);
  if (info?.isDirectory()) return;
  const names = namesOf(path);
  for (const name of names) programs.files.add(name);
  // An interpreter of the project has packages that lead anywhere there.
  const isOwn = isEntry && reader.places.allowed.some((one) => isBelow(path, one));
  const installed = isOwn ? languageOfProgram(names) : undefined;
  const usual = info ? reader.language : reader.interpreter;
  const head = info?.isFile() && (info.mode & 0o111) !== 0
    ? await firstBytes(path)
    : new Uint8Array();
  if (head.length > 0) await addBehindProgram(path, head, { reader, depth });
  const language = installed ?? languageOfName(basename(names.at(-1) ?? path)) ??
    languageOfBytes(head) ?? (extname(path) === "" ? usual : undefined);
  if (info && (language === "python" || basename(path) === "activate")) programs.pythons.add(path);
  if (language === undefined && !isEntry) return;
  for (const name of names.filter((one) => !hasTurn(one))) {
    const folder = dirname(name);
    const from = await repositoryOf(name);
    // In an unknown language any file beside it may be a module.
    if (language === undefined && info) programs.trees.add(folder);
    else {
      for (const one of language ? [language] : UNKNOWN) {
        programs.modules.push({ folder, ending: MODULES[one] });
      }
    }
    if (language !== "native") addStart(folder, programs);
    // A script of Python imports from its own folder; one that is installed, from anywhere.
    if (language !== "python" || isEntry) addPackage(name, language, { ...reader, from });
  }
  if (language === "shell" && depth < MOST_DEPTH) await addText(path, { reader, depth });
}

/** Adds the programs behind a shim, and those that the first line of a script names. */
async function addBehindProgram(
  path: string,
  head: Uint8Array,
  { reader, depth }: Adding,
): Promise<void> {
  const { programs: { interpreters, texts }, places, bases } = reader;
  const lookup = { ...places, bases };
  for (const one of interpretersIn(head, lookup)) interpreters.add(one);
  if (depth >= MOST_DEPTH) return;
  const named = [...await behindShim(path), ...await texts.named.leads(firstWords(head), lookup)];
  for (const one of named) await addNamed(one, { reader, depth: depth + 1 });
}

/** Adds a program that is found by its name. Of one that belongs to no project only the text of a
 * shell counts. */
export async function addNamed(path: string, { reader, depth }: Adding): Promise<void> {
  const own = { ...reader, language: undefined, interpreter: undefined };
  const isUsable = (name: string) => reader.places.allowed.some((one) => isBelow(name, one));
  const leadsIn = isUsable(realOf(path)) && !isUsable(path);
  if (leadsIn || !isTool(basename(path))) {
    return await addScript(path, own, { isEntry: true, depth });
  }
  if (languageOfBytes(await firstBytes(path)) !== "shell") return;
  await addText(path, { reader: { ...own, bases: [dirname(path)] }, depth });
}

/** Language of an interpreter that has several names. */
function languageOfProgram(names: readonly string[]): Language | undefined {
  return names.map((name) => languageOfInterpreter(basename(name))).find(Boolean);
}

/** Adds all modules of the allowed folder that a script or a folder lies in, or of one in the same
 * repository: imports lead anywhere there, by relative paths, manifests and folders of packages, and so
 * do the commands of a shell. */
export function addPackage(
  path: string,
  language: Language | undefined,
  { places, programs, from }: Pick<Reader, "places" | "programs"> & { readonly from?: string },
): void {
  const ending = language && PACKAGES[language];
  if (ending === undefined) return;
  for (const folder of places.allowed) {
    if (isBelow(path, folder) || (from !== undefined && isBelow(folder, from))) {
      programs.modules.push({ folder, ending });
    }
  }
}

/** Adds what the first interpreter among words starts, with the modules of its language. */
export async function addUnbuilt(words: readonly string[], reader: Reader): Promise<void> {
  const at = words.findIndex((word) => startedBy(word) !== undefined);
  let language = startedBy(words[at] ?? "");
  if (language === undefined) return;
  const runs = isRunner(words[at] ?? "");
  let isValue = false;
  for (const [index, word] of words.entries()) {
    if (index <= at) continue;
    const isOption = word.startsWith("-");
    const inner = languageOfInterpreter(word);
    if (NO_SCRIPT.test(word) || isCode(word, language) || (runs && word === "task")) {
      return language === "shell" ? await addBehind(words.slice(index + 2), reader) : undefined;
    }
    if (inner !== undefined) language = inner;
    else if (/^-I./s.test(word)) {
      for (const folder of word.slice(2).split(":")) await addStarted(folder, language, reader);
    } else if (!isOption && !(runs && COMMAND.test(word))) {
      await addStarted(word, language, reader);
      // The value of an option may be all that it is.
      if (!isValue) return;
    }
    isValue = isOption;
  }
}

/** Adds the words behind the code of a shell, which may start them. */
async function addBehind(words: readonly string[], reader: Reader): Promise<void> {
  await addUnbuilt(words, reader);
  await addData(words, { ...reader, language: "shell" });
}

/** Adds data files that may be run: those among words, with `maybeMissing` also those that are not
 * there. */
export async function addData(
  words: readonly string[],
  reader: Reader,
  { maybeMissing = false } = {},
): Promise<void> {
  const { bases, places } = reader;
  const names = words.flatMap((word) => candidatesOf(word.replace(/^@/, ""), places.home));
  for (const path of bases.flatMap((base) => names.map((name) => pathIn(base, name)))) {
    if (!DATA.test(path)) continue;
    const info = await infoOf(path);
    if (info ? info.isFile() : maybeMissing) await addLoaded(path, reader);
  }
}

async function addStarted(word: string, language: Language, reader: Reader): Promise<void> {
  const { programs, places, bases } = reader;
  await addData([word], { ...reader, language });
  for (const base of bases) {
    const path = pathIn(base, candidatesOf(word, places.home)[0] ?? word);
    const info = await infoOf(path);
    if (info?.isFile() || (info && language === "shell")) continue;
    await addScript(path, { ...reader, interpreter: language }, { isEntry: false });
    for (const name of namesOf(path)) {
      if (info) programs.modules.push({ folder: name, ending: MODULES[language] });
      if (language !== "python") addPackage(name, language, reader);
    }
  }
}

/** Adds a file that is loaded whatever its ending, and what it names. */
export async function addLoaded(path: string, reader: Reader): Promise<void> {
  if ((await infoOf(path))?.isDirectory()) return;
  for (const name of namesOf(path)) reader.programs.files.add(name);
  if (DATA.test(path) && reader.language !== "python") addPackage(path, reader.language, reader);
  await addText(path, { reader, depth: 1 });
}

/** Adds a file that names commands: a Makefile, the scripts of a package.json. */
export async function addManifest(name: string, reader: Reader): Promise<void> {
  for (const base of [...reader.bases]) {
    for (const path of namesOf(join(base, name))) reader.programs.files.add(path);
    await addText(join(base, name), { reader, depth: 1 });
  }
}

/** Adds the files and the programs that a text names. */
async function addText(path: string, { reader, depth }: Adding): Promise<void> {
  const { programs: { texts, interpreters }, places, bases, language, interpreter } = reader;
  const isDone = (kind: string, file: string, at: number) =>
    texts.isDone([kind, file, language, interpreter, places.path, ...bases], at);
  if (!(await infoOf(path))?.isFile() || isDone("text", path, depth)) return;
  const next = depth + 1;
  const named = await texts.namedIn(path, { ...places, bases });
  for (const one of named.interpreters) interpreters.add(one);
  for (const file of named.programs) {
    if (depth < MOST_DEPTH && !isDone("program", file, next)) {
      await addNamed(file, { reader, depth: next });
    }
  }
  for (const file of named.files) {
    if (isDone("script", file, next)) continue;
    await addScript(file, reader, { isEntry: false, depth: next });
    if (depth < MOST_DEPTH && INCLUDED.test(file)) await addText(file, { reader, depth: next });
  }
}

export async function infoOf(path: string): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}
