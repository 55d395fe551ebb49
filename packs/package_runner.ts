/** Servers that start in a folder of our own: fetched packages (`npx`, `uvx`), and servers of the home
 * folder, which may run or read what the project has. */

import { existsSync, statSync } from "node:fs";
import { delimiter, extname, isAbsolute, resolve } from "node:path";
import { languageOfName } from "./closed/languages.ts";
import { lastOfProgram, searchesStart } from "./home_start.ts";
import { runsPackage } from "./runs_package.ts";
import type { StartedProgram, StdioServer } from "./server_config.ts";

/** Options of package runners without a value. */
const FLAGS =
  /^(?:-[yqs]|--(?:yes|quiet|silent|offline|isolated|prefer-offline|refresh|no(?:-.*)?))$/;

/** Options whose value is a module, or a folder of modules. */
const LOADS =
  /^(?:-r|--(?:require|import|loader|experimental-loader|env-file|preload|app-dir|chdir|pythonpath|working-dir))(?:=|$)/;

/** Options of Deno with a list of folders, which are data wherever they stand. */
const GRANTS = /^(?:--(?:allow|deny)-(?:read|write)|-[A-Za-z]*[RW])=/;

/** Returns true for a server without a working directory of its own that must not start in the
 * project: a fetched package, and a server of the home folder that may look for something there. */
export function startsApart(server: StartedProgram): boolean {
  const { command, args, isDefaultCwd = false, isHomes = false } = server;
  return isDefaultCwd &&
    (runsPackage([command, ...args]) !== undefined || (isHomes && searchesStart(server)));
}

/** Words of a command that may be a package that it fetches: values of options, and the first other
 * word. Those after it are data. */
export function packagesOf(words: readonly string[]): string[] {
  const { from, end } = fetchedBy(words);
  return words.slice(from, end).map((word) => word.replace(/^-[^=]*=?/, "")).filter(Boolean);
}

/** Options whose value names a package, or a version. */
const NAMES = /^(?:-p|--(?:package|from|with|spec|python))$/;

/** Words before the package that may be folders of packages: values of options, whatever they look like,
 * and names with a slash or a dot in front. */
export function foldersOf(words: readonly string[]): string[] {
  const { start, end } = fetchedBy(words);
  return words.slice(start, end).flatMap((word, index) => {
    const at = start + index;
    const [, flag, value = word] = /^(--?[a-z][\w-]*)=(.*)$/is.exec(word) ??
      /^(-[a-z])(.+)$/i.exec(word) ?? [];
    const option = flag ?? (isValue(words, at, start) ? words[at - 1] : undefined);
    const isFolder = option === undefined || NAMES.test(option) ? isPath(value) : true;
    return isFolder && !/^-\S*$/.test(value) ? [value] : [];
  });
}

interface Fetched {
  /** Index of the first word behind the package runner, and of the first behind its command. */
  readonly start: number;
  readonly from: number;
  /** Index behind the package. */
  readonly end: number;
}

/** Place of the package among the words of a command; an empty one where it fetches none. */
function fetchedBy(words: readonly string[]): Fetched {
  const start = words.findIndex((_, at) => runsPackage(words.slice(at)) !== undefined);
  if (start < 0) return { start: 0, from: 0, end: 0 };
  const at = start + (runsPackage(words.slice(start)) ?? 0);
  // `uv tool run`.
  const from = words[at] === "run" ? at + 1 : at;
  const last = packageAt(words, from);
  return { start: start + 1, from, end: last < 0 ? words.length : last + 1 };
}

/** True for a package by its path; any other is a name. */
function isPath(word: string): boolean {
  return /^\.|\//.test(word);
}

/** Index of the package among words from one on, or -1: the value of an option is not yet the package,
 * as a file could stand in for that. */
function packageAt(words: readonly string[], from: number): number {
  return words.findIndex((word, at) => {
    return at >= from && !word.startsWith("-") && !isValue(words, at, from);
  });
}

/** Arguments for a start in another folder: paths relative to the project become absolute. Paths are
 * `.`, `..` and words that begin with one of them and a slash; after the package name of a project's
 * own server also existing files whose word has a slash or an extension. For a server of the home
 * folder, words that may say what runs stay as they are, as do names of programs: a package may run
 * them (`tsx ./server.ts`). Folders that Deno grants become absolute. */
export function argumentsFrom(server: StdioServer): readonly string[] {
  const { command, args, cwd, isHomes = false } = server;
  const start = (runsPackage([command, ...args]) ?? Infinity) - 1;
  const name = packageAt(args, start);
  const isPackage = start !== Infinity;
  const last = !isHomes ? -1 : !isPackage ? lastOfProgram(server) : name < 0 ? Infinity : name;
  return args.map((word, at) => {
    if (at <= last && isHomes && GRANTS.test(word)) return grantFrom(word, cwd);
    if (at <= last || (isHomes && LOADS.test(args[at - 1] ?? ""))) return word;
    const [, flag = "", value = word] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
    if (isHomes && (LOADS.test(flag) || isProgram(value))) return word;
    // What lies in the project decides nothing about a person's words.
    const isPath = isDotted(value) || (!isHomes && name >= 0 && at > name && isThere(value, cwd));
    return isPath ? flag + resolve(cwd, value) : word;
  });
}

/** Returns true for a package with a word that `argumentsFrom` may take for a path of the project,
 * whatever lies there, or with a folder of programs there. */
export function mayMeanProject(
  { command, args, env }: Pick<StdioServer, "command" | "args" | "env">,
): boolean {
  const name = packageAt(args, (runsPackage([command, ...args]) ?? 1) - 1);
  const isPath = (word: string, at: number) => {
    const fixed = word.replace(/^(--?[\w-]+=)?\$\{(?:env:HOME|userHome)\}/, "$1/");
    const value = fixed.replace(/^--?[\w-]+=/, "");
    return isDotted(value) || fixed.includes("${") || (at > name && looksLikePath(value));
  };
  const folders = Object.entries(env).flatMap(([name, value]) =>
    name.toUpperCase() === "PATH" ? value.split(delimiter) : []
  );
  return args.some(isPath) || folders.some((folder) => !isAbsolute(folder));
}

/** An option of Deno with its folders made absolute; a comma in a name is written twice. */
function grantFrom(word: string, cwd: string): string {
  const [option = "", ...values] = word.split("=");
  const absolute = (path: string) => resolve(cwd, path).replaceAll(",", ",,");
  return `${option}=${values.join("=").replace(/[^,]+/g, absolute)}`;
}

function isValue(args: readonly string[], at: number, start: number): boolean {
  const before = at > start ? args[at - 1] ?? "" : "";
  return before.startsWith("-") && !before.includes("=") && !FLAGS.test(before);
}

/** True for a program by its ending; `server.py:app` is one. */
function isProgram(value: string): boolean {
  return languageOfName(value.replace(/:\w+$/, "")) !== undefined;
}

function isDotted(value: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)/.test(value);
}

/** True for a word with a slash, or with an ending, that may name a file. */
function looksLikePath(value: string): boolean {
  return !/^[-/~@]|:\/\//.test(value) && (value.includes("/") || extname(value) !== "");
}

function isThere(value: string, cwd: string): boolean {
  if (!looksLikePath(value)) return false;
  if (value.includes("/")) return existsSync(resolve(cwd, value));
  return statSync(resolve(cwd, value), { throwIfNoEntry: false })?.isFile() === true;
}
