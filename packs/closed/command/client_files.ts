/** Programs that other clients start by their files in a folder: servers, hooks of agents, tasks. */

import { basename, extname, isAbsolute, join, resolve } from "node:path";
import { resolvePath } from "#files";
import { isObject } from "#base";
import { isOwnEntry } from "../../own_entry.ts";
import { packagesOf } from "../../package_runner.ts";
import { nameOf } from "../../program_name.ts";
import { runsPackage } from "../../runs_package.ts";
import { DATA, isTool, languageOfName } from "../languages.ts";
import { namesOf, pathIn, realOf } from "../link_names.ts";
import { isBelow } from "../names.ts";
import { addServer } from "../programs.ts";
import { addStart, infoOf, noPrograms, type ProgramPlaces, type Programs } from "../scripts.ts";
import { candidatesOf, entriesOf, filesAmong, pathsAmong, wordsOf as wordsIn } from "../words.ts";
import {
  inPlace,
  readEntries,
  rootsOf,
  type Start,
  startedBy,
  startsIn,
  textsIn,
  variablesOf,
  variantsOf,
} from "./client_entries.ts";
import {
  CLIENT_FILES,
  CLIENT_FOLDERS,
  CONFIGURATIONS,
  PLUGIN,
  PLUGIN_FILES,
  WORKSPACE,
} from "./client_names.ts";
import { filesBelow, ownFiles } from "./client_texts.ts";
import { addLinters } from "./linters.ts";
import { looksAround, NAMES_FOLDER, packageNames } from "./manifests.ts";

const MOST = {
  ownBytes: 4 * 1024 * 1024,
  starts: 200,
  paths: 5_000,
  files: 100,
  folders: 500,
};

/** Folders in which clients are opened. */
export interface ClientPlaces extends ProgramPlaces {
  /** The project, whose configuration is read elsewhere. */
  readonly project: string;
  /** Folders above and below the allowed ones that a person may open in a client. */
  readonly folders: readonly string[];
}

/** Adds what servers load, but of hooks, tasks and other settings only the files that they name:
 * these often work on a whole project, and all of it would be closed with what they load. Returns
 * a reason if there are too many. */
export async function addClientFiles(
  programs: Programs,
  places: ClientPlaces,
): Promise<string | undefined> {
  const { allowed, folders, home, project } = places;
  let opened = 0;
  const own: unknown[] = [];
  for (const path of await ownFiles(home)) own.push(await readEntries(path, MOST.ownBytes));
  for (const folder of new Set([...allowed, ...folders])) {
    const naming = { programs, folder, entries: await entriesOf(folder), places };
    const files = await filesIn(naming);
    const configurations = CONFIGURATIONS.map((name) => join(folder, name));
    if (folder !== project && folder !== realOf(home)) files.push(...configurations);
    const left = { starts: MOST.starts, paths: MOST.paths };
    let isOpened = false;
    for (const file of files) {
      const value = await readEntries(file);
      isOpened ||= value !== undefined;
      const reason = await addFile(value, { ...naming, left }, rootsOf(file, value, folder));
      if (reason !== undefined) return reason;
    }
    // Most of the folders with such a name have none of the files: `.github` is usual.
    if (isOpened && ++opened > MOST.folders) {
      return `over ${MOST.folders} folders have files of clients`;
    }
    if (!allowed.includes(folder)) continue;
    for (const value of own) await addOwn(value, naming);
  }
  return undefined;
}

interface Naming {
  readonly programs: Programs;
  readonly folder: string;
  /** Names in it. */
  readonly entries: ReadonlySet<string>;
  readonly places: ProgramPlaces;
}

/** The same for another folder. */
async function namingIn(folder: string, naming: Naming): Promise<Naming> {
  return folder === naming.folder
    ? naming
    : { ...naming, folder, entries: await entriesOf(folder) };
}

interface FileNaming extends Naming {
  /** Programs and paths that may still be looked at. */
  readonly left: { starts: number; paths: number };
}

/** Adds what a file starts in a folder, or in the roots of a workspace. */
async function addFile(
  value: unknown,
  { left, ...naming }: FileNaming,
  roots: readonly string[],
): Promise<string | undefined> {
  for (const root of roots) {
    const reason = await addStarts(value, { ...await namingIn(root, naming), left });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

async function addStarts(value: unknown, naming: FileNaming): Promise<string | undefined> {
  const { programs, folder, places, left } = naming;
  const env = variablesOf(value, { ...places, folder });
  for (const start of startsIn(value)) {
    if (isOwnEntry(start.words) && !await isThere(start, naming)) continue;
    if (--left.starts < 0) return `files of clients start over ${MOST.starts} programs`;
    const started = startedBy(start, { ...places, folder });
    if (start.isServer) {
      // A package that is fetched may load settings there, too.
      addStart(started.cwd, programs);
      await addClientServer(started, programs, places);
    } else await addNamed({ ...started, env: { ...env, ...started.env } }, programs, places);
  }
  for (const text of textsIn(value)) {
    const paths = pathsIn(text, naming);
    left.paths -= paths.length;
    if (left.paths < 0) return `files of clients name over ${MOST.paths} paths`;
    for (const file of await filesAmong(paths)) if (!DATA.test(file)) addNames(file, programs);
  }
  return undefined;
}

async function filesIn({ programs, folder, entries }: Naming): Promise<string[]> {
  const names = new Set([...entries].map((name) => name.toLowerCase()));
  const isThere = (path: string) => names.has(path.split("/")[0] ?? path);
  const below = CLIENT_FOLDERS.filter(isThere).map((name) => filesBelow(join(folder, name)));
  const isPlugin = [...entries].some((name) => PLUGIN.test(name));
  const own = isPlugin ? PLUGIN_FILES.map((name) => join(folder, name)) : [];
  for (const file of own) addNames(file, programs);
  const files = [...CLIENT_FILES.filter(isThere).map((name) => join(folder, name)), ...own];
  const workspaces = [...entries].filter((name) => WORKSPACE.test(name)).slice(0, MOST.files);
  return [
    ...files,
    ...workspaces.map((name) => join(folder, name)),
    ...(await Promise.all(below)).flat(),
  ];
}

/** Adds what a file of the home folder starts, when a client is opened in the folder. */
async function addOwn(value: unknown, naming: Naming): Promise<void> {
  const { projects, ...others } = isObject(value) ? value : {};
  for (const start of startsIn(others)) await addOwnStart(start, naming);
  if (!isObject(projects)) return;
  for (const [project, inner] of Object.entries(projects)) {
    const opened = await namingIn(resolve(project), naming);
    for (const start of startsIn(inner)) await addOwnStart(start, naming, opened);
  }
}

/** Adds files of the folder that a program of the person names, and all that it loads where it is of
 * one project, leads into a folder that programs may use, or looks around where it starts. */
async function addOwnStart(start: Start, naming: Naming, opened?: Naming): Promise<void> {
  const { programs, places } = naming;
  const { folder } = opened ?? naming;
  const isProjects = opened !== undefined;
  const started = startedBy(start, { ...places, folder });
  const { command, args, env, cwd } = started;
  const words = wordsIn([command, ...args]);
  const isFetched = runsPackage([command, ...args]) !== undefined;
  // Words behind a package that is fetched are data.
  const texts = [...isFetched ? [] : words, ...Object.values(env)];
  const paths = [naming, ...opened ? [opened] : []]
    .flatMap((one) => texts.flatMap((text) => pathsIn(text, one)));
  const files = await filesAmong(paths);
  for (const file of files) addNames(file, programs);
  const isAllowed = (path: string) =>
    namesOf(path).some((name) => places.allowed.some((one) => isBelow(name, one)));
  const isOver = !isBelow(places.home, cwd) && places.allowed.some((one) => isBelow(one, cwd));
  const base = isProjects || cwd !== folder ? cwd : undefined;
  const leads = [...files, ...await leadsTo(words, places, base)].some(isAllowed);
  const isThere = isAllowed(cwd) || (isProjects && isOver);
  if (!isThere && !leads) return;
  if (!start.isServer) return await addNamed(started, programs, places);
  addLinters(words, naming);
  const ending = isThere ? packageNames(words) : undefined;
  if (ending) { for (const one of places.allowed) programs.named.push({ folder: one, ending }); }
  const isOfFolder = leads || cwd !== folder || isProjects;
  if (isOfFolder) addStart(cwd, programs);
  if (isOfFolder || isFetched || looksAround(words)) {
    return await addClientServer(started, programs, places);
  }
  // Its words are data: only the program may lead into the folder, by a link or a script of that name.
  if (!isOwnEntry(start.words) && !command.includes("/") && !isTool(command)) {
    await addServer({ ...started, args: [], isHomes: true }, programs, places);
  }
}

/** Paths of programs among the words, built or not, and of the folders in which runners look; relative
 * ones count in the base. */
async function leadsTo(
  words: readonly string[],
  places: ProgramPlaces,
  base?: string,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [at, word] of words.entries()) {
    const [, option = words[at - 1] ?? "", value = word] = /^(--?[\w-]+)=(.+)$/s.exec(word) ?? [];
    for (const one of candidatesOf(value, places.home)) {
      const isPath = one.includes("/") || languageOfName(one) || NAMES_FOLDER.test(option);
      const path = base !== undefined && isPath ? resolvePath(base, one) : one;
      if (!isAbsolute(path)) continue;
      const isFolder = (await infoOf(path))?.isDirectory() ?? places.allowed.includes(path);
      if (isFolder ? NAMES_FOLDER.test(option) : !DATA.test(path)) paths.push(path);
    }
  }
  return paths;
}

/** Paths that the words of a text may be. */
function pathsIn(text: string, { folder, entries, places: { home } }: Naming): string[] {
  return pathsAmong(wordsIn([inPlace(text, { folder, home })]), { folder, entries, home });
}

function addNames(file: string, { files }: Programs): void {
  for (const name of namesOf(file)) files.add(name);
}

/** True for an entry whose program, or a word of it, is a file of the folder. */
async function isThere(start: Start, naming: Naming): Promise<boolean> {
  const { command, args } = startedBy(start, { ...naming.places, folder: naming.folder });
  if (command.startsWith(".")) return true;
  const files = await filesAmong(pathsIn([command, ...args].join(" "), naming));
  return files.some((file) => naming.places.allowed.some((folder) => isBelow(file, folder)));
}

/** Adds what a server loads, and what a package runner looks up where the client starts it. */
async function addClientServer(
  ...[started, programs, places]: Parameters<typeof addServer>
): Promise<void> {
  const own = { ...programs, manifests: new Set<string>() };
  await addServer(started, own, places);
  const words = [started.command, ...started.args];
  // `pipx run` takes a file with the name of the package.
  const scripts = nameOf(started.command) === "pipx" ? packagesOf(words) : [];
  const files = [...own.manifests, ...scripts.map((name) => pathIn(started.cwd, name))];
  for (const path of files.flatMap(namesOf)) programs.files.add(path);
}

/** Adds the files that the words name: those that are there, and missing ones but for plain words. Of a
 * runner, each manifest counts. */
async function addNamed(
  ...[started, { files, named: atAnyDepth, texts }, places]: Parameters<typeof addServer>
): Promise<void> {
  for (const variant of variantsOf(started)) {
    const alone = { ...texts, isDone: () => true };
    const named = { ...noPrograms(), named: atAnyDepth, texts: alone };
    await addServer(variant, named, places);
    for (const path of [...named.manifests].flatMap(namesOf)) files.add(path);
    const text = [variant.command, ...variant.args].join(" ");
    for (const file of named.files) {
      const name = basename(file);
      const isWritten = text.includes(extname(name) === "" ? `/${name}` : name);
      if (isWritten || await infoOf(file)) files.add(file);
    }
  }
}
