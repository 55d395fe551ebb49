/** Files that the configured servers start with. */

import { open, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { basename, delimiter, dirname, extname, join, resolve } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { startsApart } from "../package_runner.ts";
import { runsPackage } from "../runs_package.ts";
import type { StartedProgram } from "../server_config.ts";
import {
  IMPLIED,
  type Language,
  languageOfBytes,
  languageOfCommand,
  languageOfName,
  languagesThere,
  MODULES,
  PACKAGES,
} from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import { candidatesOf, filesNamedIn, INCLUDED, manifestsOf, wordsOf } from "./words.ts";

/** Paths, both as written and without links. */
export interface Programs {
  readonly files: Set<string>;
  readonly trees: Set<string>;
  readonly modules: { readonly folder: string; readonly ending: RegExp }[];
  readonly starts: Set<string>;
}

export interface ProgramPlaces {
  readonly home: string;
  /** The gateway's `PATH`. */
  readonly path: string;
  /** Folders that programs may use, without links. */
  readonly allowed: readonly string[];
}

/** Bytes that are read of a file that names others. */
export const MOST_BYTES = 256 * 1024;
const MOST_DEPTH = 3;
/** Variables with folders and files that a program loads before its own. */
const LOADING =
  /^(?:PYTHON\w+|NODE_\w+|PERL5\w*|RUBY\w+|LD_\w+|DYLD_\w+|CLASSPATH|BASH_ENV|ENV|ZDOTDIR|VIRTUAL_ENV)$/i;

export function noPrograms(): Programs {
  return { files: new Set(), trees: new Set(), modules: [], starts: new Set() };
}

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
  const reader: Reader = { programs, places, bases: [cwd], seen: new Set(), isPackage, language };
  const isApart = startsApart(server);
  if (!isApart) await addStart(cwd, programs);
  await addCommand(command, { path: env.PATH ?? places.path, cwd, reader });
  await addEntryFolder(args, reader);
  for (const word of words.slice(1)) await addWord(word, reader, 0);
  for (const manifest of manifestsOf(words)) await addManifest(manifest, reader);
  for (const language of isApart ? [] : languagesThere(names, isPackage)) {
    const ending = MODULES[language];
    for (const base of reader.bases) {
      for (const folder of await namesOf(base)) programs.modules.push({ folder, ending });
    }
  }
  for (const [name, value] of Object.entries(env)) await addVariable(name, value, reader);
}

interface Reader {
  readonly programs: Programs;
  readonly places: ProgramPlaces;
  /** Folders that words may be relative to. */
  readonly bases: string[];
  readonly seen: Set<string>;
  /** True if a package is downloaded and run: folders in its arguments are data. */
  readonly isPackage: boolean;
  /** Language of scripts without an ending. */
  readonly language: Language | undefined;
}

/** Adds a folder and those above it: their files may decide how a program starts. */
export async function addStart(folder: string, { starts }: Programs): Promise<void> {
  for (const path of await namesOf(folder)) {
    for (let at = path; !starts.has(at); at = dirname(at)) starts.add(at);
  }
}

interface Command {
  readonly path: string;
  readonly cwd: string;
  readonly reader: Reader;
}

async function addCommand(command: string, { path, cwd, reader }: Command): Promise<void> {
  const { files } = reader.programs;
  if (command.includes("/")) {
    return await addScript(resolve(cwd, command), reader, { isEntry: true });
  }
  for (const folder of path.split(delimiter)) {
    for (const name of await namesOf(join(resolve(cwd, folder || "."), command))) files.add(name);
  }
}

/** Adds a folder that is run: `node .`, `uvx --from ./server`. Later words are data. */
async function addEntryFolder(args: readonly string[], reader: Reader): Promise<void> {
  const { programs, isPackage, bases: [cwd = "/"] } = reader;
  for (const [at, word] of args.entries()) {
    const isOption = word.startsWith("-");
    if (isOption && !word.includes("=")) continue;
    if (/^(?:run|exec|start|serve|watch|dev|tool|dlx|x)$/.test(word)) continue;
    if (/^(?:npm|jsr|https?|node):/.test(word)) return;
    const path = resolve(cwd, isOption ? word.slice(word.indexOf("=") + 1) : word);
    const info = await infoOf(path);
    if (info?.isDirectory() && await isProgram(path)) {
      for (const folder of await namesOf(path)) {
        programs.modules.push({ folder, ending: MODULES.other });
      }
    }
    const isLast = isPackage || info?.isFile() || !args[at - 1]?.startsWith("-");
    if (!isOption && isLast) return;
  }
}

const ENTRIES = ["package.json", "__main__.py", "__init__.py", "index.js", "index.mjs", "index.ts"];

async function isProgram(folder: string): Promise<boolean> {
  const infos = await Promise.all(ENTRIES.map((name) => infoOf(join(folder, name))));
  return infos.some((info) => info !== undefined);
}

/** Adds a word of a command if it may be a file, existing or not, or a folder to start in. */
async function addWord(word: string, reader: Reader, depth: number): Promise<void> {
  if (reader.seen.has(word) || reader.seen.size > 2_000) return;
  reader.seen.add(word);
  for (const candidate of candidatesOf(word, reader.places.home)) {
    for (const base of [...reader.bases]) await addPath(candidate, base, { reader, depth });
  }
}

/** Files that a server works on, not programs. */
export const DATA =
  /\.(?:csv|db\d?|gif|jpe?g|jsonl|log|md|ndjson|parquet|pdf|png|sqlite\d?|svg|tsv|txt|xlsx?)$/i;

interface Adding {
  readonly reader: Reader;
  readonly depth: number;
}

async function addPath(word: string, base: string, { reader, depth }: Adding): Promise<void> {
  const { programs, bases } = reader;
  const path = resolve(base, word);
  const info = await infoOf(path);
  if (info?.isDirectory()) {
    if (reader.isPackage) return;
    await addStart(path, programs);
    if (depth === 0 && bases.length < 10 && !bases.includes(path)) bases.push(path);
  } else if (info?.isFile()) {
    if (DATA.test(path)) return;
    await addScript(path, reader, { isEntry: false, depth });
  } else if (
    info === undefined && !DATA.test(path) && (word.includes("/") || extname(word) !== "")
  ) {
    for (const name of await namesOf(path)) programs.files.add(name);
  }
  if (!/^[\w@.+-]+(?:\/[\w@.+-]+)*$/.test(word) || info?.isFile()) return;
  for (const name of await namesOf(path)) {
    for (const ending of IMPLIED) programs.files.add(`${name}.${ending}`);
  }
  // A Python module: `-m pkg.server`.
  const [first = ""] = word.split(".");
  if (word.includes("/") || first === "") return;
  for (const name of await namesOf(resolve(base, first))) {
    programs.files.add(`${name}.py`);
    programs.modules.push({ folder: name, ending: MODULES.python });
  }
}

interface ScriptOptions {
  /** True if the file itself is started. */
  readonly isEntry: boolean;
  readonly depth?: number;
}

/** Adds a file that is run or passed to a program, with the modules beside it. */
export async function addScript(
  path: string,
  reader: Reader,
  { isEntry, depth = 0 }: ScriptOptions,
): Promise<void> {
  const { programs } = reader;
  const info = await infoOf(path);
  const names = await namesOf(path);
  for (const name of names) programs.files.add(name);
  if (info === undefined || info.isDirectory()) return;
  const language = languageOfName(basename(names.at(-1) ?? path)) ??
    await languageIn(path, info) ?? (extname(path) === "" ? reader.language : undefined);
  if (language === undefined && !isEntry) return;
  for (const name of names) {
    const folder = dirname(name);
    // In an unknown language any file beside it may be a module.
    if (language === undefined) programs.trees.add(folder);
    else programs.modules.push({ folder, ending: MODULES[language] });
    if (language !== "native") await addStart(folder, programs);
    addPackage(name, language, reader);
  }
  if (language === "shell" && depth < MOST_DEPTH) await addText(path, { reader, depth });
}

/** Adds all modules of the allowed folder that a script lies in: its imports, and those of what it
 * imports, lead anywhere there, by relative paths, manifests and folders of packages. */
function addPackage(script: string, language: Language | undefined, reader: Reader): void {
  const ending = language && PACKAGES[language];
  if (ending === undefined) return;
  for (const folder of reader.places.allowed) {
    if (isBelow(script, folder)) reader.programs.modules.push({ folder, ending });
  }
}

async function languageIn(path: string, info: Stats): Promise<Language | undefined> {
  if ((info.mode & 0o111) === 0) return undefined;
  const file = await open(path).catch(() => undefined);
  try {
    const bytes = new Uint8Array(256);
    const length = (await file?.read(bytes, 0, bytes.length, 0))?.bytesRead ?? 0;
    return languageOfBytes(bytes.subarray(0, length));
  } finally {
    await file?.close();
  }
}

/** Adds a file that names commands: a Makefile, the scripts of a package.json. */
async function addManifest(name: string, reader: Reader): Promise<void> {
  for (const base of [...reader.bases]) {
    for (const path of await namesOf(join(base, name))) reader.programs.files.add(path);
    await addText(join(base, name), { reader, depth: 1 });
  }
}

async function addText(path: string, { reader, depth }: Adding): Promise<void> {
  const text = attempt(() => readRegularText(path, MOST_BYTES));
  if (text === undefined) return;
  const bases = [...new Set([...reader.bases, dirname(path)])];
  for (const base of bases) {
    for (const file of await filesNamedIn(text, base, reader.places.home)) {
      await addScript(file, reader, { isEntry: false, depth: depth + 1 });
      if (depth < MOST_DEPTH && INCLUDED.test(file)) {
        await addText(file, { reader, depth: depth + 1 });
      }
    }
  }
}

async function addVariable(name: string, value: string, reader: Reader): Promise<void> {
  const { programs, bases: [cwd = "/"] } = reader;
  const loads = LOADING.test(name);
  for (const word of wordsOf([value]).flatMap((word) => loads ? word.split(delimiter) : [word])) {
    const path = resolve(cwd, word);
    if (loads && (await infoOf(path))?.isDirectory()) {
      for (const folder of await namesOf(path)) {
        programs.modules.push({ folder, ending: MODULES.other });
      }
    } else if (loads || /[./]/.test(word)) {
      await addWord(word, reader, MOST_DEPTH);
    }
  }
}

async function infoOf(path: string): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}
