/** Files that the configured servers start with. */

import { basename, delimiter, dirname } from "node:path";
import { resolvePath } from "#files";
import { type Language, languageOfCommand, languageOfInterpreter } from "../interpreters.ts";
import { foldersOf, packagesOf, startsApart } from "../package_runner.ts";
import { runsPackage } from "../runs_package.ts";
import type { StartedProgram } from "../server_config.ts";
import { addAddress, ADDRESS } from "./command/addresses.ts";
import { loadedByCode } from "./command/code_text.ts";
import { commandsBehind } from "./command/commands_behind.ts";
import { addLinters, addMembers } from "./command/linters.ts";
import { decisiveManifests, manifestsOf, pathsRun } from "./command/manifests.ts";
import { commandsInside } from "./command/mounts.ts";
import {
  addFetched,
  addFolder,
  addGlobalPackages,
  addLocalPrograms,
  addModules,
  addWithEnding,
  addWord,
} from "./command/path_words.ts";
import { fedBy, inputOf } from "./command/read_input.ts";
import { CODE, COMMAND, startedBy } from "./command/script_words.ts";
import { searchPathOf } from "./command/search_path.ts";
import { shellWords } from "./command/shell_text.ts";
import { addVariable } from "./command/variables.ts";
import { addEnvironments, MOST_WORDS } from "./editable.ts";
import { aroundInterpreters } from "./environments.ts";
import { languagesThere, MODULES } from "./languages.ts";
import { namesOf, pathIn } from "./link_names.ts";
import { isBelow } from "./names.ts";
import {
  addData,
  addLoaded,
  addManifest,
  addNamed,
  addPackage,
  addScript,
  addStart,
  addUnbuilt,
  infoOf,
  type ProgramPlaces,
  type Programs,
  type Reader,
} from "./scripts.ts";
import { candidatesOf, commandsIn, linesIn, wordsOf } from "./words.ts";

/** An option that is followed by a file to load, or by a list of what is installed. */
const LOAD_OPTION =
  /^--?(?:[rcb]|require|import|loader|experimental-loader|preload|env-file(?:-if-exists)?|(?:experimental-)?config-file|(?:with-)?requirements?|(?:build-)?constraints?|overrides?|rcfile|init-file)$/;
/** An option that is followed by a folder of modules. */
const MODULES_OPTION = /^--?(?:app-dir|chdir|python-?path)$/;

/** Adds the files that a program runs, and those that decide how it starts. */
export async function addServer(
  server: StartedProgram,
  programs: Programs,
  places: ProgramPlaces,
): Promise<void> {
  const isApart = startsApart(server);
  const isFetched = runsPackage([server.command, ...server.args]) !== undefined;
  const place = { programs, places, isApart, loadsThere: isFetched || !isApart };
  await addCommandLine(server, place);
  for (const [command = "", ...args] of await commandsBehind(server)) {
    await addCommandLine({ ...server, command, args }, place);
  }
}

interface Place {
  readonly programs: Programs;
  readonly places: ProgramPlaces;
  /** True if the program starts in another folder than the one that its words are relative to. */
  readonly isApart: boolean;
  /** False for a server of the home folder that starts apart: folders among its words are data. */
  readonly loadsThere: boolean;
  /** True for a command in a container. */
  readonly isInside?: boolean;
}

async function addCommandLine(started: StartedProgram, place: Place): Promise<void> {
  const { command, cwd, env } = started;
  const { programs, isApart, loadsThere } = place;
  const places = { ...place.places, path: searchPathOf(started, place.places) };
  const variables = { HOME: places.home, ...env, PWD: "." };
  const { args, isPlain } = shellWords([command, ...started.args], variables);
  const server = { ...started, args };
  const words = wordsOf([command, ...args]);
  const names = words.map((word) => basename(word));
  const isPackage = runsPackage([command, ...args]) !== undefined;
  // Programs behind a package are commands of their own; a container has its own programs.
  const starters = isPackage || isImage(names) ? [] : names;
  const language = languageOfCommand(names);
  const starts = new Set(isApart ? [] : [cwd]);
  const own = { isPackage, language, interpreter: interpreterOf(starters) };
  const reader: Reader = { programs, places, bases: [cwd], starts, seen: new Set(), ...own };
  if (!isApart) addStartFolder(cwd, programs);
  // A program that is started by its bare name, without arguments, has its libraries elsewhere.
  if (!isApart && (args.length > 0 || command.includes("/"))) addLibraries(cwd, reader);
  await addCommand(command, cwd, reader);
  await addEntry(args, reader);
  for (const text of args.filter(hasBlank)) {
    for (const line of commandsIn(text)) await addEntry(line, reader);
  }
  if (!isPackage && args.some((word) => CODE.test(word))) addPackage(cwd, language, reader);
  for (const word of words.slice(1)) await addWord(word, reader, 0);
  // A text of a shell may change to its folder later: `trap ./stop EXIT; cd srv`.
  const again = reader.bases.length > 1 ? wordsOf(args.filter(hasBlank)) : [];
  reader.seen.clear();
  for (const word of again) await addWord(word, reader, 0);
  if (!place.isInside) await addContainers(server, { place, bases: [...reader.bases] });
  await addEnvironments(words, reader);
  await addNames(words, reader);
  addLinters(words, reader);
  if (!isImage(names)) await addLines(server, reader);
  for (const manifest of manifestsOf(words)) await addManifest(manifest, reader);
  const looked = { folders: reader.bases, allowed: places.allowed };
  for (const path of decisiveManifests(words, looked)) programs.manifests.add(path);
  if (!isPlain && !isImage(names)) addAnywhere(reader);
  if (loadsThere) addThere(languagesThere(starters, args), reader);
  await addVariables(server, reader);
}

/** Folders below the start folder of a program from which it loads code by itself, at any depth: settings
 * that are code, and packages of R. */
const LOADED: Readonly<Record<string, RegExp>> = {
  config: MODULES.other,
  renv: MODULES.shell,
  packrat: MODULES.shell,
};

/** Adds the start folder of a program. */
function addStartFolder(cwd: string, programs: Programs): void {
  addStart(cwd, programs);
  for (const [name, ending] of Object.entries(LOADED)) {
    for (const folder of namesOf(pathIn(cwd, name))) programs.modules.push({ folder, ending });
  }
}

/** Adds the shared libraries around the start folder: a program may load them from any folder. */
function addLibraries(cwd: string, { programs, places }: Reader): void {
  for (const folder of places.allowed) {
    const isAround = namesOf(cwd).some((name) => isBelow(name, folder) || isBelow(folder, name));
    if (isAround) programs.modules.push({ folder, ending: MODULES.native });
  }
}

interface Containers {
  readonly place: Place;
  /** Folders that what is mounted may be relative to. */
  readonly bases: readonly string[];
}

/** Adds the files of commands that run where folders of this machine are mounted. */
async function addContainers(
  started: StartedProgram,
  { place, bases }: Containers,
): Promise<void> {
  const { command, args, env } = started;
  for (const words of [[command, ...args], ...args.filter(hasBlank).flatMap(linesIn)]) {
    for (const [at, base] of bases.entries()) {
      const inside = await commandsInside(words, { cwd: base, maybeMissing: at === 0 });
      for (const { startsThere, ...inner } of inside) {
        const own = { ...place, isApart: !startsThere, loadsThere: startsThere, isInside: true };
        await addCommandLine({ ...started, ...inner, env: { ...env, ...inner.env } }, own);
      }
    }
  }
}

/** Adds what programs of languages load from the folders that they start in. */
function addThere(languages: readonly Language[], reader: Reader): void {
  for (const folder of [...reader.starts].flatMap(namesOf)) {
    for (const language of languages) {
      reader.programs.modules.push({ folder, ending: MODULES[language] });
      if (language !== "python") addPackage(folder, language, reader);
    }
  }
}

/** Adds all but data: what starts may lie in any folder that programs may use. */
function addAnywhere({ programs, places, starts }: Reader): void {
  for (const folder of [...places.allowed, ...[...starts].flatMap(namesOf)]) {
    programs.modules.push({ folder, ending: MODULES.shell });
  }
}

/** Adds what variables name, those among the words too. */
async function addVariables({ command, args, env }: StartedProgram, reader: Reader): Promise<void> {
  const variables = wordsOf([command, ...args]).flatMap((word) => {
    const [, name, value] = /^(\w+)=(.+)$/s.exec(word) ?? [];
    return name && value ? [[name, value] as const] : [];
  });
  for (const [name, value] of [...variables, ...Object.entries(env)]) {
    await addVariable(name, value, reader);
  }
}

/** Language of the first interpreter, shells aside: they start programs of any language. */
function interpreterOf(names: readonly string[]): Language | undefined {
  return names.map(languageOfInterpreter).find((language) => language && language !== "shell");
}

/** Adds unbuilt scripts of a command and of the commands in its arguments, data files that these
 * may run, and packages that they fetch. */
async function addLines(server: StartedProgram, reader: Reader): Promise<void> {
  const { command, args } = server;
  const words = [command, ...args];
  const packages = packagesOf(words);
  addMembers(words, reader);
  for (const path of pathsRun(words, reader.bases)) reader.programs.manifests.add(path);
  if (!reader.isPackage) await addUnbuilt(words, reader);
  await addData(loadedByCode(words), reader);
  const shell = { ...reader, language: "shell" as const };
  await addData(fedBy(words), shell, { maybeMissing: true });
  await addFetched(foldersOf(words), reader);
  await addAddress(words, reader);
  if (!startsApart(server)) await addLocalPrograms(packages, reader);
  await addGlobalPackages(packages, reader);
  for (const text of args.filter(hasBlank)) {
    const lines = linesIn(text);
    const runs = lines.flat().some(startedBy);
    await addData(inputOf(text), shell, { maybeMissing: true });
    for (const line of lines) {
      await addUnbuilt(line, reader);
      // An interpreter may read what another program prints.
      if (runs && !line.some(startedBy)) await addData(line, shell);
      await addFetched(foldersOf(line), reader);
      await addAddress(line, reader);
    }
  }
}

/** True for a word that may be a text of commands. */
function hasBlank(word: string): boolean {
  return /\s/.test(word);
}

/** True for a command that runs a container, which has its own programs. */
function isImage(names: readonly string[]): boolean {
  return /^(?:docker|podman)$/.test(names[0] ?? "") && !names.includes("compose");
}

/** Adds the scripts on `PATH` that words name. */
async function addNames(words: readonly string[], reader: Reader): Promise<void> {
  const { programs: { texts }, places, bases } = reader;
  const names = words.slice(0, MOST_WORDS).flatMap((word) => candidatesOf(word, places.home));
  for (const file of await texts.named.leads(names, { ...places, bases })) {
    await addNamed(file, { reader, depth: 0 });
  }
}

async function addCommand(command: string, cwd: string, reader: Reader): Promise<void> {
  const { programs: { files }, places } = reader;
  if (command.includes("/")) {
    return await addScript(resolvePath(cwd, command), reader, { isEntry: true });
  }
  for (const folder of places.path.split(delimiter)) {
    const file = pathIn(pathIn(cwd, folder), command);
    const names = namesOf(file);
    for (const name of names) files.add(name);
    const isInside = names.some((name) => places.allowed.some((one) => isBelow(name, one)));
    await addAround(dirname(file), reader);
    if (isInside && await infoOf(file)) await addScript(file, reader, { isEntry: true });
  }
}

/** Adds what the interpreters in a folder of programs load from. */
async function addAround(folder: string, { programs: { trees }, places }: Reader): Promise<void> {
  for (const name of namesOf(folder)) {
    for (const path of await aroundInterpreters(name, places.allowed)) trees.add(path);
  }
}

/** Program behind the word of a command: `node server`, `cd server && node .`, `uvx --from ./server`.
 * Behind a package that is fetched, folders are data. */
async function addEntry(args: readonly string[], reader: Reader): Promise<void> {
  const { isPackage, bases: [cwd = "/"] } = reader;
  let isData = false;
  for (const [at, word] of args.entries()) {
    const isOption = word.startsWith("-");
    if (isOption && !word.includes("=")) continue;
    if (COMMAND.test(word)) continue;
    if (ADDRESS.test(word)) return;
    const value = isOption ? word.slice(word.indexOf("=") + 1) : word;
    const path = pathIn(cwd, candidatesOf(value, reader.places.home)[0] ?? value);
    const info = await infoOf(path);
    const option = isOption ? word.slice(0, word.indexOf("=")) : args[at - 1] ?? "";
    if (LOAD_OPTION.test(option) && !/\s/.test(word)) await addLoaded(path, reader);
    if (MODULES_OPTION.test(option)) await addModules(value, MODULES.other, reader);
    if (info?.isDirectory() && !isData) await addFolder(path, reader);
    const isThere = info !== undefined || await addWithEnding(path, reader);
    if (isOption) continue;
    isData ||= isPackage;
    const isValue = args[at - 1]?.startsWith("-") && info?.isDirectory();
    if (isThere && !isValue && !isPackage) return;
  }
}
