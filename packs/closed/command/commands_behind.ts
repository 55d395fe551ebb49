/** Commands behind a package that is fetched: `npx cross-env A=1 node ./dist`. */

import { languageOfInterpreter, unversioned } from "../../interpreters.ts";
import { programOf, startsAnother } from "../../program_name.ts";
import { runsPackage } from "../../runs_package.ts";
import type { StartedProgram } from "../../server_config.ts";
import { isRunner, runsAlone } from "../languages.ts";
import { pathIn } from "../link_names.ts";
import { infoOf } from "../scripts.ts";
import { linesIn } from "../words.ts";

/** An option of a package runner whose value is a version of Python. */
const PYTHON_VERSION = /^(?:-p|--python)$/;
/** Long options, which Python does not have. */
const FOREIGN = /^--(?!check-hash)/;
/** A path, but no URL, that a shell replaces a part of. */
const REPLACED_PATH = /^(?![a-z][\w+.-]*:\/\/)(?=.*\/).*(?:`|\$.)/is;
/** A text that begins with a program by its path. */
const BY_PATH = /^\s*(?:\w+=\S*\s+)*["']?[^\s"'/$`]*[/$`]/;
const CONTAINERS = /^(?:docker|podman)$/;

/** Limit of packages that start packages: real commands have few. */
const MOST_DEPTH = 4;
const MOST_COMMANDS = 20;

type Command = Pick<StartedProgram, "command" | "args" | "cwd">;

/** Commands that a fetched package may start, itself included where it is a known program, and those
 * behind packages that these fetch; none for a command that fetches nothing. */
export async function commandsBehind(
  { command, args, cwd }: Command,
  depth = 0,
): Promise<string[][]> {
  const words = [command, ...args];
  const from = fetchedAt(words);
  if (from === undefined || depth > MOST_DEPTH) return [];
  const own = words.slice(from);
  const texts = own.map(textOf).filter((text) => text !== undefined);
  const among = await commandAmong(own, cwd);
  const runs = (text: string) => namesProgram(text) || BY_PATH.test(text);
  const all = [...texts.filter(runs).map(commandOf), ...(among ? [among] : [])];
  const behind = all.slice(0, MOST_COMMANDS).map(([command = "", ...args]) =>
    commandsBehind({ command, args, cwd }, depth + 1)
  );
  return [...all, ...(await Promise.all(behind)).flat()].slice(0, MOST_COMMANDS);
}

/** Number of words before those of a package, or of an address that Deno runs. */
function fetchedAt(words: readonly string[]): number | undefined {
  const from = runsPackage(words);
  if (from !== undefined || unversioned(programOf(words)[0]) !== "deno") return from;
  const at = words.findIndex((word) => /^(?:npm|jsr|https?):/.test(word));
  return at < 0 ? undefined : at;
}

/** Command of a text: the text's own words if it is one command that fetches a package, else a
 * shell with the text. */
export function commandOf(text: string): string[] {
  const [line = [], ...more] = linesIn(text);
  return more.length === 0 && fetchedAt(line) !== undefined ? line : ["sh", "-c", text];
}

/** Words from the first program on. */
export async function commandAmong(
  words: readonly string[],
  cwd: string,
): Promise<string[] | undefined> {
  for (const [at, word] of words.entries()) {
    const value = valueOf(word);
    const isVersion = PYTHON_VERSION.test(words[at - 1] ?? "");
    if (isVersion && languageOfInterpreter(value) === "python") continue;
    if (startsAny(value, words[at + 1]) && !(await isFolder(value, cwd))) {
      return [value, ...words.slice(at + 1)];
    }
  }
  return undefined;
}

/** Value of an option that holds it. */
export function valueOf(word: string): string {
  return word.replace(/^-[^=\s]*=/, "");
}

/** A word that is a command: a text with blanks, a path that a shell replaces a part of, or a list in
 * JSON. */
function textOf(word: string): string | undefined {
  const text = valueOf(word);
  if (/^[[{]/.test(text)) return text.replaceAll(/[[\]{},]+/g, " ");
  return /\s/.test(text) || REPLACED_PATH.test(text) ? text : undefined;
}

function namesProgram(text: string): boolean {
  return linesIn(text).some((line) => line.some((word, at) => startsAny(word, line[at + 1])));
}

/** True for a program that may start something else. Most start nothing without a word behind them:
 * alone, the word may be the name of a language. */
function startsAny(word: string, next: string | undefined): boolean {
  const name = unversioned(word);
  if (runsAlone(name)) return true;
  if (next === undefined) return false;
  if (isRunner(name) || startsAnother(name) || CONTAINERS.test(name)) return true;
  const language = languageOfInterpreter(name);
  return language === "python"
    ? !FOREIGN.test(next)
    : language !== undefined || runsPackage([name, next]) !== undefined;
}

async function isFolder(word: string, cwd: string): Promise<boolean> {
  return word.includes("/") && (await infoOf(pathIn(cwd, word)))?.isDirectory() === true;
}
