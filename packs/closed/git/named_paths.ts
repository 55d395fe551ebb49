/** Paths that the value of a setting may be, or a command in it may name. */

import { attempt } from "#base";
import { entriesIn, hasTurn, under } from "#files";
import { isBelow, keyOf } from "../names.ts";
import { candidatesOf, MOST_CHARACTERS, wordsOf } from "../words.ts";

/** Characters after which a long value is cut between two words. */
const PIECE = 16_384;
/** Places to cut a text: behind a character that ends a word in every reading, else behind one that
 * ends a word in some reading. */
const ENDS = [/[^\\][\t-\r "';|&]/, /.[`()<>,{}\[\]$]/s];

/** Words of a value. */
export interface Command {
  /** Paths, relative to any folder that git starts it in. */
  readonly words: ReadonlySet<string>;
  /** Folders that it enters, or has in its `PATH`. */
  readonly folders: ReadonlySet<string>;
  /** True for more than one word. */
  readonly isCommand: boolean;
}

export interface CommandOptions {
  readonly home: string;
  /** Limit of the words. */
  readonly most: number;
}

/** Reads a value of any length; undefined where it has more words than the limit. */
export function commandOf(
  value: string,
  { home, most }: CommandOptions,
): Command | undefined {
  function add(to: Set<string>, texts: Iterable<string>): boolean {
    for (const word of texts) {
      for (const one of candidatesAmong(inHome(word, home), home)) to.add(one);
      if (to.size > most) return false;
    }
    return true;
  }
  const [words, folders] = [new Set<string>(), new Set<string>()];
  const isCommand = /\s/.test(value);
  for (const piece of piecesOf(value)) {
    if (!add(words, [...wordsOf([piece]), ...escapedIn(piece)])) return undefined;
  }
  const named = isCommand ? namedFolders(value).flatMap(piecesOf) : [];
  for (const piece of named) if (!add(folders, wordsOf([piece]))) return undefined;
  return { words, folders, isCommand };
}

/** Git and the shell that it starts read `~` as the home folder. */
export function inHome(value: string, home: string): string {
  return value.replace(/^~[^/]*(?=\/|$)|\$HOME\b|\$\{HOME\}/g, home);
}

/** Cuts a text between words into pieces that are longer than the longest word. */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > 2 * PIECE) {
    const window = text.slice(start + PIECE, start + 2 * PIECE);
    const ends = ENDS.map((end) => window.search(end)).filter((end) => end >= 0);
    const end = start + PIECE + (ends[0] ?? window.length) + 1;
    if (text.length - end <= MOST_CHARACTERS) break;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Folders of `cd tools && ./x` and `PATH=tools x`, also those that are missing. */
function* namedFolders(value: string): Generator<string> {
  for (const [, folder, folders] of value.matchAll(/\bcd\s+([^;&|]+)|\bPATH=(\S+)/g)) {
    yield folder ?? folders ?? "";
  }
}

function* candidatesAmong(word: string, home: string): Generator<string> {
  for (const candidate of candidatesOf(word, home)) {
    yield candidate;
    // What follows `$(git rev-parse --show-toplevel)` or `"$PWD"` looks like a whole path.
    if (candidate.startsWith("/")) yield `.${candidate}`;
  }
}

/** Words with an escaped blank in them. */
function escapedIn(text: string): string[] {
  return [...text.matchAll(/(?:[^\s\\;&|"']|\\[^\n])+/g)].map(([word]) => word)
    .filter((word) => word.includes("\\") && word.length <= MOST_CHARACTERS)
    .map((word) => word.replace(/\\(.)/gs, "$1"));
}

export interface Base {
  readonly base: string;
  /** Names in it. */
  readonly entries: ReadonlySet<string>;
}

/** Paths that the words may be from a folder, some of them twice. */
export function* pathsFrom(
  { words, folders, isCommand }: Command,
  { base, entries }: Base,
): Generator<string> {
  const started = new Set<string>();
  for (const word of words) {
    const path = under(base, word);
    yield path;
    if (!isCommand) continue;
    yield* modulesOf(word).map((module) => under(base, module));
    if (mayBeThere(path, base, entries) && isFolder(path)) started.add(path);
  }
  // Words may be relative to a folder that another one names.
  for (const folder of started) yield* pathsIn(folder, words);
  for (const word of folders) {
    const folder = under(base, word);
    if (!started.has(folder)) yield* pathsIn(folder, words);
  }
}

function* pathsIn(folder: string, words: Iterable<string>): Generator<string> {
  for (const word of words) {
    for (const name of [word, ...modulesOf(word)]) yield under(folder, name);
  }
}

/** Files that make a folder a program. */
const IN_FOLDER = [
  "package.json",
  "index.js",
  "index.cjs",
  "index.mjs",
  "index.ts",
  "index.json",
  "index.node",
  "__main__.py",
];

/** Files that an interpreter takes for a word: `python -m tools.x`, `node tools/x`. */
function modulesOf(word: string): string[] {
  if (!/^[\w./-]+$/.test(word) || word.endsWith("/")) return [];
  const endings = [".py", ".js", ".cjs", ".mjs", ".ts"].map((ending) => `${word}${ending}`);
  const inside = IN_FOLDER.map((name) => `${word}/${name}`);
  return [...endings, `${word.replaceAll(".", "/")}.py`, ...inside];
}

/** Keys of the names in a folder: the first name of most words is not among them. */
export function namesIn(folder: string): ReadonlySet<string> {
  return new Set(entriesIn(folder).map(({ name }) => keyOf(name)));
}

/** True for a path below a folder of which at least the first name is there. */
export function mayBeThere(path: string, base: string, entries: ReadonlySet<string>): boolean {
  const [first = ""] = path.slice(base.length).split("/").filter(Boolean);
  return isBelow(path, base) && (entries.has(keyOf(first)) || hasTurn(path));
}

function isFolder(path: string): boolean {
  return attempt(() => Deno.statSync(path).isDirectory) === true;
}
