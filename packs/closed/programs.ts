/** Files that the configured servers start with. */

import { basename, delimiter, extname, join, resolve } from "node:path";
import { under } from "#files";
import { type Language, languageOfCommand, languageOfInterpreter } from "../interpreters.ts";
import { packagesOf, startsApart } from "../package_runner.ts";
import { runsPackage } from "../runs_package.ts";
import type { StartedProgram } from "../server_config.ts";
import { DATA, IMPLIED, languagesThere, MODULES } from "./languages.ts";
import { namesOf, pathIn } from "./link_names.ts";
import {
  addData,
  type Adding,
  addLoaded,
  addManifest,
  addPackage,
  addScript,
  addStart,
  addUnbuilt,
  CODE,
  COMMAND,
  infoOf,
  MOST_DEPTH,
  type ProgramPlaces,
  type Programs,
  type Reader,
  startedBy,
} from "./scripts.ts";
import { isBelow } from "./names.ts";
import { candidatesOf, commandsIn, linesIn, manifestsOf, wordsOf } from "./words.ts";

/** An option that is followed by a file to load, or by a list of what is installed. */
const LOAD_OPTION =
  /^--?(?:[rc]|require|import|loader|experimental-loader|preload|env-file(?:-if-exists)?|(?:with-)?requirements?|(?:build-)?constraints?|overrides?|rcfile|init-file)$/;
/** Variables with folders and files that a program loads before its own. */
const LOADING =
  /^(?:PYTHON\w+|NODE_\w+|PERL5\w*|RUBY\w+|LD_\w+|DYLD_\w+|CLASSPATH|BASH_ENV|ENV|ZDOTDIR|VIRTUAL_ENV)$/i;

/** Adds the files that a program runs, and those that decide how it starts. */
export async function addServer(
  server: StartedProgram,
  programs: Programs,
  places: ProgramPlaces,
): Promise<void> {
  const { command, args, cwd, env } = server;
  const words = wordsOf([command, ...args]);
  const isPackage = runsPackage([command, ...args]) !== undefined;
  const names = words.map((word) => basename(word));
  const language = languageOfCommand(names);
  const fetched = packageOf([command, ...args]);
  const interpreter = isImage(names) ? undefined : interpreterOf(isPackage ? [fetched] : names);
  const seen = new Set<string>();
  const bases = [cwd];
  const reader: Reader = { programs, places, bases, seen, isPackage, language, interpreter };
  const isApart = startsApart(server);
  const started = isPackage ? [fetched] : isImage(names) ? [] : names;
  if (!isApart) addStart(cwd, programs);
  await addCommand(command, { path: env.PATH ?? places.path, cwd, reader });
  await addEntry(args, reader);
  for (const text of args.filter((word) => /\s/.test(word))) {
    for (const line of commandsIn(text)) await addEntry(line, reader);
  }
  if (args.some((word) => CODE.test(word))) addPackage(cwd, language, reader);
  for (const word of words.slice(1)) await addWord(word, reader, 0);
  if (!isImage(names)) await addLines(server, reader);
  for (const manifest of manifestsOf(words)) await addManifest(manifest, reader);
  const folders = reader.bases.flatMap(namesOf);
  for (const language of isApart ? [] : languagesThere(started, { args, isPackage })) {
    for (const folder of folders) {
      programs.modules.push({ folder, ending: MODULES[language] });
      if (language !== "python") addPackage(folder, language, reader);
    }
  }
  const variables = words.flatMap((word) => {
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

/** Adds what is not built yet of a command, and of those in its arguments, data files that these may
 * run, and packages that they fetch. */
async function addLines({ command, args }: StartedProgram, reader: Reader): Promise<void> {
  const words = [command, ...args];
  const packages = packagesOf(words);
  const own = words.slice(runsPackage(words) ?? 0);
  const hasInterpreter = packages.some((word) => languageOfInterpreter(word) !== undefined);
  if (!reader.isPackage || hasInterpreter) await addUnbuilt(own, reader);
  await addFetched(packages, reader);
  for (const text of args.filter((word) => /\s/.test(word))) {
    const lines = linesIn(text);
    const runs = lines.flat().some(startedBy);
    for (const line of lines) {
      await addUnbuilt(line, reader);
      // An interpreter may read what another program prints.
      if (runs && !line.some(startedBy)) await addData(line, { ...reader, language: "shell" });
      await addFetched(packagesOf(line), reader);
    }
  }
}

/** Adds folders that are packages: their manifest, which may be missing, says what runs. */
async function addFetched(words: readonly string[], reader: Reader): Promise<void> {
  const { programs, places, bases } = reader;
  const paths = wordsOf(words).flatMap((word) =>
    candidatesOf(word.replace(/^git\+(?=file:)/, ""), places.home)
  );
  for (const path of paths.filter((path) => /^\.|\//.test(path))) {
    for (const base of [...bases]) {
      const folder = pathIn(base, path);
      if (!(await infoOf(folder))?.isDirectory()) continue;
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

/** Name of the package that a command fetches and runs; later words are data. */
function packageOf(words: readonly string[]): string {
  const name = words.slice(runsPackage(words)).find((word) => !word.startsWith("-")) ?? "";
  return basename(name.replace(/(?<=.)(?:@|[<=>~[]).*/, ""));
}

/** Tells that a container runs, which has its own programs. */
function isImage(names: readonly string[]): boolean {
  return /^(?:docker|podman)$/.test(names[0] ?? "") && !names.includes("compose");
}

interface Command {
  readonly path: string;
  readonly cwd: string;
  readonly reader: Reader;
}

async function addCommand(command: string, { path, cwd, reader }: Command): Promise<void> {
  const { programs: { files }, places } = reader;
  if (command.includes("/")) {
    return await addScript(resolve(cwd, command), reader, { isEntry: true });
  }
  for (const folder of path.split(delimiter)) {
    const file = pathIn(pathIn(cwd, folder), command);
    const names = namesOf(file);
    for (const name of names) files.add(name);
    const isInside = names.some((name) => places.allowed.some((one) => isBelow(name, one)));
    if (isInside && await infoOf(file)) await addScript(file, reader, { isEntry: true });
  }
}

/** Program behind the word of a command: `node server`, `cd server && node .`, `uvx --from ./server`.
 * Later words are data, but for a script that a fetched program runs: `npx tsx src/server`. */
async function addEntry(args: readonly string[], reader: Reader): Promise<void> {
  const { isPackage, bases: [cwd = "/"] } = reader;
  let isData = false;
  for (const [at, word] of args.entries()) {
    const isOption = word.startsWith("-");
    if (isOption && !word.includes("=")) continue;
    if (COMMAND.test(word)) continue;
    if (/^(?:npm|jsr|https?|node):/.test(word)) return;
    const value = isOption ? word.slice(word.indexOf("=") + 1) : word;
    const path = pathIn(cwd, candidatesOf(value, reader.places.home)[0] ?? value);
    const info = await infoOf(path);
    const option = isOption ? word.slice(0, word.indexOf("=")) : args[at - 1] ?? "";
    if (LOAD_OPTION.test(option) && !/\s/.test(word)) await addLoaded(path, reader);
    if (info?.isDirectory() && !isData) await addFolder(path, reader);
    const isThere = info !== undefined || await addWithEnding(path, reader);
    if (isOption) continue;
    isData ||= isPackage;
    const isValue = args[at - 1]?.startsWith("-") && info?.isDirectory();
    if (isThere && !isValue && !isPackage) return;
  }
}

/** Adds files whose ending a command leaves out. */
async function addWithEnding(path: string, reader: Reader): Promise<boolean> {
  const files = IMPLIED.map((ending) => `${path}.${ending}`);
  const infos = await Promise.all(files.map(infoOf));
  for (const file of files.filter((_, at) => infos[at]?.isFile())) {
    await addScript(file, reader, { isEntry: false });
  }
  return infos.some((info) => info?.isFile());
}

const ENTRIES = [
  ...["package.json", "index.js", "index.mjs", "index.ts"],
  ...["__main__.py", "__init__.py", "pyproject.toml", "setup.py"],
];
const PYTHON_ENTRY = /\.(?:py|toml)$/;

/** Adds a folder that is a program, with the package that it belongs to. */
async function addFolder(path: string, reader: Reader): Promise<void> {
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
async function addWord(word: string, reader: Reader, depth: number): Promise<void> {
  if (reader.seen.has(word) || reader.seen.size > 2_000) return;
  reader.seen.add(word);
  for (const candidate of candidatesOf(word, reader.places.home)) {
    for (const base of [...reader.bases]) await addPath(candidate, base, { reader, depth });
  }
}

async function addPath(word: string, base: string, { reader, depth }: Adding): Promise<void> {
  const { programs, bases } = reader;
  const path = pathIn(base, word);
  // Links on the way may not be replaced.
  if (path !== under(base, word)) programs.files.add(under(base, word));
  const info = await infoOf(path);
  if (info?.isDirectory()) {
    if (reader.isPackage) return;
    addStart(path, programs);
    if (depth === 0 && bases.length < 10 && !bases.includes(path)) bases.push(path);
  } else if (info?.isFile()) {
    // The system runs what may be executed.
    if (DATA.test(path) && (info.mode & 0o111) === 0) return;
    await addScript(path, reader, { isEntry: false, depth });
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

async function addVariable(name: string, value: string, reader: Reader): Promise<void> {
  const { bases: [cwd = "/"] } = reader;
  if (name === "PATH") {
    // Whatever the server starts by name lies there.
    for (const folder of value.split(delimiter)) {
      for (const path of namesOf(pathIn(cwd, folder))) addPackage(path, "shell", reader);
    }
    return;
  }
  const loads = LOADING.test(name);
  // A missing entry of a list of folders is no script.
  const own = /PATH$/i.test(name) ? { ...reader, interpreter: undefined } : reader;
  const words = wordsOf([value]).flatMap((word) =>
    loads ? word.replace(/^-I=?/, "").split(delimiter) : [word]
  );
  for (const word of words) {
    if (loads) await addModules(word, own);
    if (loads || /[./]/.test(word)) await addWord(word, own, MOST_DEPTH);
  }
}

/** Adds folders of modules that a word of a variable names. */
async function addModules(word: string, { programs, places, bases }: Reader): Promise<void> {
  for (const candidate of candidatesOf(word, places.home)) {
    const path = pathIn(bases[0] ?? "/", candidate);
    if (!(await infoOf(path))?.isDirectory()) continue;
    addStart(path, programs);
    for (const folder of namesOf(path)) programs.modules.push({ folder, ending: MODULES.other });
  }
}
