/** Steps by which the system reaches a path, name by name: `..` is the parent of the folder reached
 * so far, even if a link led there. */

import { basename, dirname, join, parse, resolve, sep } from "node:path";
import { isUnclear } from "#base";

/** Links that Linux follows on one way; other systems follow fewer. */
export const MOST_LINKS = 40;

/** One entry on the way; the path of its folder holds no link. */
export interface Step {
  readonly path: string;
  /** Undefined where it cannot be inspected; the names that follow are then read as if it was a
   * folder. */
  readonly info: Deno.FileInfo | undefined;
  /** Set beside `info` for a link that cannot be read, since its text is not UTF-8. */
  readonly error?: unknown;
  /** Path behind a link, with the names that follow; `..` is left where it follows a name. */
  readonly next?: string;
  /** Number of links so far. */
  readonly links: number;
}

export interface WayOptions {
  /** True to resolve `..` in the text of a link before other links are followed, as Node.js
   * does. */
  readonly byWords?: boolean;
}

/** Steps to an absolute path. A link over the limit is the last one. */
export function* stepsTo(path: string, { byWords = false }: WayOptions = {}): Generator<Step> {
  const way = new Rest(parse(path).root, byWords ? resolvePath("/", path) : path);
  let links = 0;
  // First entry that is missing: what is below it is not looked at.
  let missing: Pick<Step, "error"> & { readonly path: string } | undefined;
  for (let at = way.take(); at !== undefined; at = way.take()) {
    if (missing && !at.startsWith(missing.path + sep)) missing = undefined;
    const { info, text, error } = missing ? { ...missing, info: undefined } : look(at);
    if (error !== undefined) missing ??= { path: at, error };
    const isLink = text !== undefined;
    const next = isLink ? way.follow(text, byWords) : undefined;
    if (!isLink) way.folder = at;
    yield { path: at, info, error, next, links: isLink ? ++links : links };
    if (links > MOST_LINKS) return;
  }
}

interface Look extends Pick<Step, "info" | "error"> {
  /** Text of a link. */
  readonly text?: string;
}

function look(path: string): Look {
  let info: Deno.FileInfo | undefined;
  try {
    info = Deno.lstatSync(path);
    return info.isSymlink ? { info, text: Deno.readLinkSync(path) } : { info };
  } catch (error) {
    return { info, error };
  }
}

/** Names that are left of a way, from a folder without links. */
class Rest {
  folder: string;
  /** In reverse: the next one stands last. */
  #names: string[];

  constructor(folder: string, path: string) {
    this.folder = folder;
    this.#names = namesIn(path).reverse();
  }

  /** Path of the next entry. */
  take(): string | undefined {
    const name = this.#names.pop();
    if (name === undefined) return undefined;
    return name === ".." ? dirname(this.folder) : join(this.folder, name);
  }

  /** Puts the text of a link before the remaining names; returns the whole path. */
  follow(text: string, byWords: boolean): string {
    for (const name of namesIn(text).reverse()) this.#names.push(name);
    this.folder = parse(text).root || this.folder;
    if (byWords) {
      const path = resolvePath(this.folder, [...this.#names].reverse().join(sep));
      this.folder = parse(path).root;
      this.#names = namesIn(path).reverse();
    }
    while (this.#names.at(-1) === "..") {
      this.#names.pop();
      this.folder = dirname(this.folder);
    }
    return under(this.folder, [...this.#names].reverse().join(sep));
  }
}

function namesIn(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep)
    .filter((name) => name !== "" && name !== ".");
}

/** Longest text that Node.js resolves: its time grows with the square of the text. */
const MOST_CHARACTERS = 4_096;

/** Absolute path of a text in a folder, as `resolve` of Node.js makes it, in linear time. `..` is
 * resolved before any link. */
export function resolvePath(folder: string, text: string): string {
  if (text.length <= MOST_CHARACTERS) return resolve(folder, text);
  const { root } = parse(text);
  const base = resolve(folder, root);
  const names = root === "" ? namesIn(base) : [];
  for (const name of namesIn(text)) {
    if (name === "..") names.pop();
    else names.push(name);
  }
  return parse(base).root + names.join(sep);
}

/** Absolute path that a text names in a folder. As for the system, `..` stays where it is. */
export function under(folder: string, text: string): string {
  const { root } = parse(text);
  const names = namesIn(text).join(sep);
  if (root !== "") return root + names;
  if (names === "") return folder;
  return folder.endsWith(sep) ? folder + names : folder + sep + names;
}

/** Does the same for the text of a link in a folder that is reached without links: `..` stays only
 * behind a name. */
export function behindLink(folder: string, text: string): string {
  return new Rest(folder, "").follow(text, false);
}

/** True for an error that says that nothing is at a path, or nothing for this user. */
export function isNothing(error: unknown, path: string): boolean {
  return isMissing(error, path) || error instanceof Deno.errors.PermissionDenied;
}

/** True for an error that says that nothing is at a path. False where a missing name holds U+FFFD,
 * which stands for bytes that are not UTF-8: an entry with such bytes may exist. */
export function isMissing(error: unknown, path: string): boolean {
  const { NotFound, NotADirectory } = Deno.errors;
  if (error instanceof NotADirectory) return true;
  return error instanceof NotFound && !isUnclear(firstMissing(path));
}

/** Name of the first entry on the way to a path that is not found; the path where no name is unclear. */
function firstMissing(path: string): string {
  if (!isUnclear(path)) return path;
  let at = path;
  while (at !== dirname(at) && look(dirname(at)).info === undefined) at = dirname(at);
  return basename(at);
}

/** Entries of a folder; none where it is missing or closed to this user. Throws any other error. */
export function entriesIn(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (isNothing(error, folder)) return [];
    throw error;
  }
}

/** True if `..` follows a name: a link before it decides where that leads. */
export function hasTurn(path: string): boolean {
  return path.includes("..") && namesIn(path).includes("..");
}
