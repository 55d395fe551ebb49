/** All names that lead to a path through links, and these links: a program may use any name, and
 * replace any link. */

import { dirname, isAbsolute } from "node:path";
import { isUnclear, shorten } from "#base";
import {
  behindLink,
  hasTurn,
  isMissing,
  isNothing,
  MOST_LINKS,
  type Step,
  stepsTo,
  under,
  type WayOptions,
} from "#files";
import { isBelow, isLeftOut } from "./names.ts";

/** Limit of the names on one way, those in the targets of links included. */
const MOST_NAMES = 1_024;
const MOST_CHARACTERS = 100;

/** Names and links that lead to a path. */
export interface Way {
  /** The path, the path behind each link, and last the real path, which need not exist. `..` stands in
   * them where a link or a folder before it decides where that leads. */
  readonly names: readonly string[];
  /** Links on the way: what is put in the place of one decides where it leads. */
  readonly links: readonly string[];
  readonly real: string;
  /** Reason why it may lead anywhere, where it cannot be followed. */
  readonly gap?: string;
}

/** Way to a path, as the system follows it, and as Node.js does; empty for a path that is not
 * absolute. */
export function wayTo(path: string): Way {
  if (!isAbsolute(path)) return { names: [], links: [], real: path };
  const way = follow(path);
  if (!way.names.some(hasTurn)) return way;
  const other = follow(path, { byWords: true });
  const names = new Set([...other.names, ...way.names].filter((name) => name !== way.real));
  return {
    names: [...names, way.real],
    links: [...new Set([...way.links, ...other.links])],
    real: way.real,
    gap: way.gap ?? other.gap,
  };
}

export interface Link {
  /** Real path of the link itself. */
  readonly path: string;
  /** Absolute path that it says; `..` is left where it follows a name. Undefined where the link cannot
   * be read. */
  readonly target: string | undefined;
}

/** Link at a path in a folder; undefined where it has gone. */
export function linkAt(path: string, folder: string): Link | undefined {
  try {
    return { path, target: behindLink(folder, Deno.readLinkSync(path)) };
  } catch (error) {
    return isMissing(error, path) ? undefined : { path, target: undefined };
  }
}

/** Way to what a link leads to, which may be anything where it cannot be read. */
export function wayOf({ path, target }: Link): Way {
  if (target !== undefined) return wayTo(target);
  const gap = `a link may lead there: ${shorten(path, MOST_CHARACTERS)} cannot be read`;
  return { names: [], links: [], real: path, gap };
}

/** Creates a resolver of links. For a target below `top` it reads the disk only where the path has
 * `..`, or goes through one of `links` or a folder that was left out. */
export function resolverOf(top: string, links: readonly Link[]): (link: Link) => Way {
  let paths: ReadonlySet<string> | undefined;
  return (link) => {
    const { target } = link;
    if (target === undefined || target === top || !isBelow(target, top) || hasTurn(target)) {
      return wayOf(link);
    }
    paths ??= new Set(links.map(({ path }) => path));
    if (paths.has(target)) return wayTo(target);
    for (let at = dirname(target); at !== top; at = dirname(at)) {
      if (paths.has(at) || isLeftOut(at)) return wayTo(target);
    }
    return { names: [target], links: [], real: target };
  };
}

/** First name that two entries share, of which one matters. Names that differ only in bytes that
 * are no UTF-8 are listed as one, by which the system finds at most one of the entries. */
export function twinAmong(
  entries: readonly Deno.DirEntry[],
  matters: (entry: Deno.DirEntry) => boolean,
): string | undefined {
  const seen = new Map<string, boolean>();
  for (const entry of entries) {
    const { name } = entry;
    if (!isUnclear(name)) continue;
    const one = seen.get(name);
    const isOfOne = one === true || matters(entry);
    if (one !== undefined && isOfOne) return name;
    seen.set(name, isOfOne);
  }
  return undefined;
}

/** Names of a way. */
export function namesOf(path: string): readonly string[] {
  return wayTo(path).names;
}

/** Real path: the last of the names. */
export function realOf(path: string): string {
  return wayTo(path).real;
}

/** Absolute path of what a text names in a folder, without `..`: what is before it is followed. */
export function pathIn(folder: string, text: string): string {
  const path = under(folder, text);
  const [, head = "", tail = path] = /^(.*\/\.\.)((?:\/.*)?)$/s.exec(path) ?? [];
  return head === "" ? path : under(realOf(head), tail.slice(1));
}

function follow(path: string, options?: WayOptions): Way {
  const names = new Set<string>([under("/", path)]);
  const links = new Set<string>();
  let real = "/";
  let gap: string | undefined;
  let count = 0;
  for (const step of stepsTo(path, options)) {
    real = step.next ?? step.path;
    gap = ++count > MOST_NAMES ? `over ${MOST_NAMES.toLocaleString("en")} names` : problemOf(step);
    if (gap !== undefined) break;
    if (step.next === undefined) continue;
    links.add(step.path);
    // The links form a circle, and `names` has all names of it.
    if (names.has(step.next)) break;
    names.add(step.next);
  }
  names.delete(real);
  return { names: [...names, real], links: [...links], real, gap: gap && gapOf(path, gap) };
}

function gapOf(path: string, why: string): string {
  return `a link may lead there: the way to ${shorten(path, MOST_CHARACTERS)} has ${why}`;
}

/** Reason why a step cannot be followed. None for a path that is missing, or closed to this user:
 * nothing is behind it. */
function problemOf({ path, error, links }: Step): string | undefined {
  if (links > MOST_LINKS) return `over ${MOST_LINKS} links`;
  const isGone = error === undefined || isNothing(error, path) || isLongName(path, error);
  return isGone ? undefined : "a folder that cannot be looked at";
}

/** No entry has a name of over 255 bytes. */
function isLongName(path: string, error: unknown): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG" &&
    new TextEncoder().encode(name).length > 255;
}
