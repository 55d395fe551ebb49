/** Links of the project that a server's words name: a clone, or a `git pull`, may lead them anywhere. */

import { dirname, join, relative } from "node:path";
import { attempt, createTurns, escapeUnseen, messageOf } from "#base";
import { cloneOf, isInside, linkInClone, realPathOf } from "#files";
import { languageOfName } from "../../closed/languages.ts";
import { argumentsFrom } from "../../package_runner.ts";
import type { StdioServer } from "../../server_config.ts";

export interface LinkPlaces {
  readonly project: string;
  readonly home: string;
  /** True for a server that starts in a folder of Toolscript's own. */
  readonly isApart: boolean;
}

/** Entries of folders that are looked at for one start. */
const MOST_ENTRIES = 100_000;
/** End of a path in a text. */
const REST = /^[^\s"'`<>|&;,:=(){}[\]]*/;

/** Reason why a server does not start, with the way out: its folder, or what its words and variables name,
 * leads out of the project by a link in it. */
export async function leadsOut(
  server: StdioServer,
  places: LinkPlaces,
): Promise<string | undefined> {
  try {
    return await linkOf(server, places);
  } catch (error) {
    if (error instanceof UnreadFolder) return error.message;
    throw error;
  }
}

async function linkOf(server: StdioServer, places: LinkPlaces): Promise<string | undefined> {
  const { project, home } = places;
  const real = realPathOf(project);
  const clone = cloneOf(project, home);
  const { cwd, isDefaultCwd = false, isHomes = false } = server;
  const own = isDefaultCwd ? [] : [cwd];
  const folders = [real, ...own.map(realPathOf)].flatMap((path) => foldersTo(path, clone));
  for (const path of [...own, ...await namedBy(server, { folders, ...places })]) {
    const link = linkInClone(path, clone);
    if (!link || (link.isRead && staysIn(path, isHomes ? real : clone))) continue;
    // A trusted project names the programs that it runs, as that of a virtual environment.
    if (!isHomes && link.isRead && isProgram(path)) continue;
    const state = link.isRead
      ? "is a link of the project"
      : "may be a link of the project: it cannot be read";
    const label = isInside(real, link.path) ? relative(real, link.path) : link.path;
    return `${quote(label)} ${state}, which does not count: name what it leads to`;
  }
  return undefined;
}

/** Error for a folder that a word names and whose links cannot be found. */
class UnreadFolder extends Error {
  constructor(folder: string, why: string) {
    super(`${quote(folder)} cannot be looked through for links: ${why}`);
  }
}

/** A folder of a clone, and those above it there. */
function foldersTo(path: string, clone: string): readonly string[] {
  const isHere = path === clone || isInside(clone, path);
  return isHere ? [path, ...path === clone ? [] : foldersTo(dirname(path), clone)] : [];
}

/** Links, and what lies behind them, that stand in the words and variables by their names: whatever
 * divides a list, a mount or a text of a shell. */
async function namedBy(
  server: StdioServer,
  { folders, isApart }: Pick<LinkPlaces, "isApart"> & { readonly folders: readonly string[] },
): Promise<readonly string[]> {
  const variables = Object.entries(server.env).filter(([name]) => name !== "PATH");
  const words = isApart ? argumentsFrom(server) : server.args;
  const texts = [...words, ...variables.map(([, value]) => value)];
  const endsAfter = pathEnds(texts.join("\n"), isApart);
  const names = namesIn(texts);
  const named: string[] = [];
  const open = folders.map((path) => ({ path, isAlone: false }));
  const visited = new Set<string>();
  const turn = createTurns();
  let entries = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { path, isAlone } = folder;
    const real = attempt(() => Deno.realPathSync(path));
    if (real === undefined || visited.has(`${isAlone} ${real}`)) continue;
    visited.add(`${isAlone} ${real}`);
    for await (const { name, isSymlink, isDirectory } of isAlone ? among(names, real) : all(real)) {
      await turn();
      if (++entries > MOST_ENTRIES) throw new UnreadFolder(real, "it has too many entries");
      if (!isSymlink && !isDirectory) continue;
      const ends = endsAfter(name);
      if (isSymlink) named.push(...ends.map((end) => `${join(real, name)}${end}`));
      const isBehind = ends.some((end) => end !== "");
      if (ends.length > 0) open.push({ path: join(real, name), isAlone: !isBehind });
    }
  }
  return named;
}

/** Names that may be those of entries, where a text goes on behind the name of a folder alone: `cd data`,
 * `-C data`. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split(/[\s"'`<>|&;,:=(){}[\]/\\]+/)).filter(Boolean));
}

/** Those of the names that a folder has. */
function* among(names: ReadonlySet<string>, folder: string): Generator<Deno.DirEntry> {
  for (const name of names) {
    const info = attempt(() => Deno.lstatSync(join(folder, name)));
    if (info) yield { name, ...info };
  }
}

/** Entries of a folder; none where it is no folder. Throws `UnreadFolder`. */
async function* all(folder: string): AsyncGenerator<Deno.DirEntry> {
  try {
    yield* Deno.readDir(folder);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return;
    throw new UnreadFolder(folder, messageOf(error));
  }
}

/** Makes a function that finds the ends of the paths which a name begins in a text, each time that it
 * stands there, in any case. In a folder of Toolscript's own only a whole path can mean the project. */
function pathEnds(words: string, isApart: boolean): (name: string) => readonly string[] {
  const text = words.normalize("NFC");
  const lower = text.toLowerCase();
  const before = isApart ? "(?<=[/\\\\])" : "(?<![\\w.-])";
  return (entry) => {
    const name = entry.normalize("NFC");
    if (!lower.includes(name.toLowerCase())) return [];
    const pattern = new RegExp(`${before}${RegExp.escape(name)}(?![\\w.-])`, "gi");
    const ends = text.matchAll(pattern).map(({ index }) =>
      REST.exec(text.slice(index + name.length))?.[0] ?? ""
    );
    return [...new Set(ends)];
  };
}

/** True for a path that ends in the project, whatever is missing there; a link to nothing may end
 * anywhere. */
function staysIn(path: string, project: string): boolean {
  const real = attempt(() => Deno.realPathSync(path));
  if (real !== undefined) return real === project || isInside(project, real);
  if (attempt(() => Deno.lstatSync(path).isSymlink)) return false;
  const above = dirname(path);
  return above !== path && staysIn(above, project);
}

/** True for an executable, and for a file that an interpreter runs, by the name that it has itself. */
function isProgram(path: string): boolean {
  const real = attempt(() => Deno.realPathSync(path));
  const info = attempt(() => Deno.statSync(path));
  if (real === undefined || !info?.isFile) return false;
  return languageOfName(real) !== undefined || ((info.mode ?? 0) & 0o111) !== 0;
}

function quote(path: string): string {
  return escapeUnseen(JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path));
}
