/** Links of the project that a server's words name: a clone, or a `git pull`, may lead them anywhere. */

import { dirname, join, relative } from "node:path";
import { attempt, createTurns, escapeUnseen } from "#base";
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

/** Entries of folders that are looked at for one start; beyond them, those that words name alone. */
const MOST_ENTRIES = 100_000;
/** Folders that are looked at for one start. */
const MOST_FOLDERS = 1_000;
/** Signs that divide a text into paths. */
const SIGNS = "\\s\"'`<>|&;,:=(){}\\[\\]";
const REST = new RegExp(`^[^${SIGNS}]*`);
const BETWEEN = [/[/\\]+/, new RegExp(`[${SIGNS}/\\\\]+`)];

/** Reason why a server does not start, with the way out: its folder, or what its words and variables name,
 * leads out of the project by a link in it. */
export async function leadsOut(
  server: StdioServer,
  places: LinkPlaces,
): Promise<string | undefined> {
  const { project, home } = places;
  const real = realPathOf(project);
  const clone = cloneOf(project, home);
  const { cwd, isDefaultCwd = false, isHomes = false } = server;
  const own = isDefaultCwd ? [] : [cwd];
  const folders = [real, ...own.map(realPathOf)].flatMap((path) => foldersTo(path, clone));
  const named = await namedBy(server, { folders, ...places });
  if (!named) return `its words name over ${MOST_FOLDERS} folders of the project: name fewer`;
  for (const path of [...own, ...named]) {
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

/** A folder of a clone, and those above it there. */
function foldersTo(path: string, clone: string): readonly string[] {
  const isHere = path === clone || isInside(clone, path);
  return isHere ? [path, ...path === clone ? [] : foldersTo(dirname(path), clone)] : [];
}

/** Links, and what lies behind them, that stand in the words and variables by their names: whatever
 * divides a list, a mount or a text of a shell. Undefined where they name too many folders. */
async function namedBy(
  server: StdioServer,
  { folders, isApart }: Pick<LinkPlaces, "isApart"> & { readonly folders: readonly string[] },
): Promise<readonly string[] | undefined> {
  const variables = Object.entries(server.env).filter(([name]) => name !== "PATH");
  const words = isApart ? argumentsFrom(server) : server.args;
  const texts = [...words, ...variables.map(([, value]) => value)];
  const endsAfter = pathEnds(texts.join("\n"), isApart);
  const entriesOf = createListing(namesIn(texts));
  const named: string[] = [];
  const open = [...folders];
  const visited = new Set<string>();
  const turn = createTurns();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const real = attempt(() => Deno.realPathSync(folder));
    if (real === undefined || visited.has(real)) continue;
    if (visited.add(real).size > MOST_FOLDERS) return undefined;
    for await (const { name, isSymlink, isDirectory } of entriesOf(real)) {
      await turn();
      if (!isSymlink && !isDirectory) continue;
      const ends = endsAfter(name);
      if (isSymlink) named.push(...ends.map((end) => `${join(real, name)}${end}`));
      if (ends.length > 0) open.push(join(real, name));
    }
  }
  return named;
}

/** Names that stand in texts: between slashes, and in parts. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const parts = BETWEEN.flatMap((between) => texts.flatMap((text) => text.split(between)));
  return new Set(parts.filter((part) => part !== "" && !part.includes("\0")));
}

/** Makes a function that lists a folder. Of one that cannot be read, and beyond the limit, the list has
 * the entries with these names. */
function createListing(names: ReadonlySet<string>) {
  let entries = 0;
  return async function* (folder: string): AsyncGenerator<Deno.DirEntry> {
    try {
      for await (const entry of Deno.readDir(folder)) {
        if (++entries > MOST_ENTRIES) break;
        yield entry;
      }
      if (entries <= MOST_ENTRIES) return;
    } catch {
      // The names are looked for one by one.
    }
    yield* among(names, folder);
  };
}

/** Those of the names that a folder has. */
function* among(names: ReadonlySet<string>, folder: string): Generator<Deno.DirEntry> {
  for (const name of names) {
    const info = attempt(() => Deno.lstatSync(join(folder, name)));
    if (info) yield { name, ...info };
  }
}

/** Makes a function that finds the ends of the paths which a name begins in a text, each time that it
 * stands there, in any case. In a folder of Toolscript's own only a whole path can mean the project. */
function pathEnds(words: string, isApart: boolean): (name: string) => readonly string[] {
  const text = words.normalize("NFC");
  const lower = text.toLowerCase();
  // A value may follow the letters of an option at once: `-Cdocs`.
  const before = isApart ? "(?<=[/\\\\])" : "(?:(?<![\\w.-])|(?<=(?<![\\w.-])-[A-Za-z]+))";
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
