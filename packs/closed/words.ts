/** Words of commands that may be paths. */

import { readdir, stat } from "node:fs/promises";
import { basename, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "#base";
import { hasTurn, under } from "#files";
import { languageOfCommand } from "../interpreters.ts";
import { startsAnother } from "../program_name.ts";
import { languageOfName } from "./languages.ts";

/** Longest text that is split into commands, and longest word, in characters. */
export const MOST_CHARACTERS = 4_096;
/** Limit of the words of one text that may be paths. */
export const MOST_NAMED = 500;
/** Files that manifests include, also those that are still missing. */
export const INCLUDED = /\.(?:mk|just|ya?ml|jsonc?|toml|env|txt|in)$/i;

/** Words of commands, also those inside a word that is a command itself: `sh -c "…"`. */
export function wordsOf(texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => {
      const inner = text.split(/[\s"'`;|&()<>,{}\[\]$]+/);
      // To a shell, other blanks, such as a byte order mark, are part of a name.
      if (OTHER_BLANK.test(text)) inner.push(...text.split(/[\t-\r "'`;|&()<>,{}\[\]$]+/));
      return text.length > MOST_CHARACTERS ? inner : [text, ...inner];
    })),
  ].filter((word) => word !== "" && word.length <= MOST_CHARACTERS && !word.includes("\0"));
}

const OTHER_BLANK = /[^\S\t-\r ]/;

/** Words of each command in a shell text. */
export function linesIn(text: string): string[][] {
  if (text.length > MOST_CHARACTERS) return [];
  return text.split(/&&|\|\||[;|&()\n]/).map((line) => line.split(/[\s"'`<>]+/).filter(Boolean));
}

/** Words of each command in a shell text, without the interpreters, and other programs that start a
 * program, at its start. */
export function commandsIn(text: string): string[][] {
  return linesIn(text).map((words) => {
    const first = words.findIndex((word) => !isStarter(basename(word)));
    return words.slice(first < 0 ? words.length : first);
  }).filter((words) => words.length > 0);
}

function isStarter(name: string): boolean {
  return name === "." || name === "source" || startsAnother(name) ||
    languageOfCommand([name]) !== undefined;
}

/** Paths that a word may contain: itself, the value of an option, a `file:` URL, the parts around
 * colons (`server.py:app`). A path with `..` is also listed as Node.js resolves it, which follows
 * no link before the `..`. */
export function candidatesOf(word: string, home: string): string[] {
  const values = [
    word,
    word.slice(word.indexOf("=") + 1),
    ...word.startsWith("-") ? [word.slice(2), word.replace(/^-+/, "")] : [],
  ];
  const paths = values.flatMap((value) => {
    if (value.startsWith("file:")) return [pathOf(value)];
    if (/^[a-z][\w+.-]*:\/\//i.test(value)) return [];
    return [value, ...value.split(":")];
  }).filter((path) => path.length <= MOST_CHARACTERS);
  const absolute = paths.map((path) => path.startsWith("~/") ? join(home, path.slice(2)) : path);
  const all = absolute.flatMap((path) => hasTurn(path) ? [path, normalize(path)] : [path]);
  return [...new Set(all)].filter((path) => path !== "" && !path.startsWith("-"));
}

/** Files that a manifest in a folder names: existing ones, and missing ones with the ending of a
 * file that manifests include. */
export async function filesNamedIn(text: string, folder: string, home: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return await filesAmong(pathsAmong(wordsOf([text]), { folder, entries, home }));
}

export async function entriesOf(folder: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(folder).catch(() => []));
}

interface ManifestPlaces {
  readonly folder: string;
  /** Names in the folder. */
  readonly entries: ReadonlySet<string>;
  readonly home: string;
}

/** Paths that words of a manifest in a folder may be. */
export function pathsAmong(
  words: readonly string[],
  { folder, entries, home }: ManifestPlaces,
): string[] {
  return words.filter((word) =>
    languageOfName(word) || word.includes("/") || INCLUDED.test(word) || entries.has(word)
  ).slice(0, MOST_NAMED).flatMap((word) => candidatesOf(word, home))
    .map((path) => under(folder, path));
}

/** Those of the paths that are files, or missing files with the ending of a file that manifests
 * include. */
export async function filesAmong(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const file of paths) {
    const info = await stat(file).catch(() => undefined);
    if (info?.isFile() || (info === undefined && INCLUDED.test(file))) files.push(file);
  }
  return files;
}

function pathOf(url: string): string {
  // Package managers read a `file:` without slashes as a path.
  if (!url.startsWith("file://")) return url.slice("file:".length);
  // The URL names another host.
  return attempt(() => fileURLToPath(url), "");
}
