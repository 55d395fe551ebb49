/** Commands in containers, where folders that are mounted have other paths: `docker run -v ./srv:/app
 * node:22 node /app/index.js`. */

import { dirname, extname, relative } from "node:path";
import { unversioned } from "../../interpreters.ts";
import { DATA, isRunner } from "../languages.ts";
import { pathIn } from "../link_names.ts";
import { infoOf } from "../scripts.ts";
import { commandAmong, valueOf } from "./commands_behind.ts";

/** A command that works in folders of this machine. */
export interface InnerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Folder from which its words lead. */
  readonly cwd: string;
  /** Variables that name what is mounted. */
  readonly env: Readonly<Record<string, string>>;
  /** True where it starts in its folder. */
  readonly startsThere: boolean;
}

interface Mount {
  /** Folder or file of this machine. */
  readonly source: string;
  readonly target: string;
  /** Index of the word that says so. */
  readonly at: number;
}

/** An option that is followed by what is mounted. */
const MOUNT_OPTION = /^(?:-[a-z]{0,6}[vB]|--(?:volume|mount|bind))$/;
/** Such an option and what is mounted, as one word. */
const MOUNT = /^(?:-[a-z]{0,6}?[vB]=?|--(?:volume|mount|bind)=)(.+[:=]\/.*)$/s;
/** An option that is followed by a folder, and by its path there. */
const BIND_OPTION = /^--(?:ro-|dev-)?bind$/;
const WORKDIR_OPTION = /^(?:-w|--(?:workdir|pwd|chdir))$/;
const WORKDIR = /^(?:-w=?|--(?:workdir|pwd|chdir)=)(\/.*)$/s;
const VARIABLE = /^(?:-e=?|--env=)?(\w+)=(.+)$/s;

export interface InsideOptions {
  /** Folder that what is mounted is relative to. */
  readonly cwd: string;
  /** True if a mounted folder or file counts even if it is missing. */
  readonly maybeMissing: boolean;
}

/** Commands that run where folders are mounted, as far as they lead into these: the one behind an
 * interpreter or a runner, and programs by their paths. Other words are data, or files of an image. */
export async function commandsInside(
  words: readonly string[],
  { cwd, maybeMissing }: InsideOptions,
): Promise<InnerCommand[]> {
  const mounts = mountsIn(words);
  const infos = await Promise.all(mounts.map(({ source }) => infoOf(pathIn(cwd, source))));
  const first = maybeMissing ? mounts[0] : mounts.find((_, at) => infos[at]);
  if (first === undefined) return [];
  const isMount = new Set(mounts.map(({ at }) => at));
  const rest = words.filter((_, at) => at > first.at && !isMount.has(at));
  const [program = "", ...behind] = await commandAmong(rest, cwd) ?? [];
  // A runner works in the folder that its options name.
  const worksIn = isRunner(unversioned(program)) ? behind : [];
  const folder = await folderOf([...workdirsOf(words), ...worksIn], {
    map: mapOf(mounts, { from: cwd, to: cwd }),
    cwd,
  });
  const startsThere = folder !== undefined;
  const base = folder ?? cwd;
  const map = mapOf(mounts, { from: cwd, to: base });
  const args = behind.filter((word) => startsThere || word.startsWith("-") || map(word) !== word);
  const env = variablesOf(rest, map);
  const leadsThere = startsThere || Object.keys(env).length > 0 ||
    args.some((word) => !word.startsWith("-"));
  const commands = program && leadsThere ? [[program, ...args.map(map)]] : [];
  const programs = await programsAmong(rest.map(valueOf), { map, cwd: base });
  return [...commands, ...programs.map((program) => [program])]
    .map(([command = "", ...args]) => ({ command, args, cwd: base, env, startsThere }));
}

/** Gives a word with the paths of this machine in place of those in the container. */
type WordMap = (word: string) => string;

/** Variables that name what is mounted. */
function variablesOf(words: readonly string[], map: WordMap) {
  return Object.fromEntries(words.flatMap((word) => {
    const [, name = "", value = ""] = VARIABLE.exec(word) ?? [];
    return map(value) === value ? [] : [[name, map(value)] as const];
  }));
}

interface Inside {
  readonly map: WordMap;
  readonly cwd: string;
}

/** Words that are programs in what is mounted: paths of files, existing or not, but for data. */
async function programsAmong(
  words: readonly string[],
  { map, cwd }: Inside,
): Promise<string[]> {
  const paths = words.filter((word) => !/\s/.test(word))
    .map((word) => ({ path: map(word), isMapped: map(word) !== word }))
    .filter(({ path, isMapped }) => (isMapped && !path.includes("=")) || /^\.{1,2}\//.test(path))
    .map(({ path }) => path);
  const infos = await Promise.all(paths.map((path) => infoOf(pathIn(cwd, path))));
  return paths.filter((path, at) => {
    const isProgram = infos[at] ? !infos[at].isDirectory() : extname(path) !== "";
    return isProgram && !DATA.test(path);
  });
}

function mountsIn(words: readonly string[]): Mount[] {
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? "";
    const next = words[at + 1] ?? "";
    if (BIND_OPTION.test(before) && next.startsWith("/")) {
      return [{ source: word, target: withoutSlash(next), at }];
    }
    const text = MOUNT_OPTION.test(before) ? word : MOUNT.exec(word)?.[1];
    const mount = mountOf(text ?? "");
    return mount ? [{ ...mount, at }] : [];
  });
}

/** Reads `source:target:options`, and `type=bind,source=…,target=…`. */
function mountOf(text: string): Omit<Mount, "at"> | undefined {
  const target = /(?:^|,)(?:target|dst|destination)=([^,]+)/.exec(text)?.[1];
  const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(text)?.[1];
  if (target && source) return { source, target: withoutSlash(target) };
  const [, from, to] = /^(.+?):(\/(?!\/).*?)(?::[\w,=]+)?$/s.exec(text) ?? [];
  return from && to ? { source: from, target: withoutSlash(to) } : undefined;
}

/** Folders that options say a command starts in, the last one first. */
function workdirsOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const folder = WORKDIR_OPTION.test(words[at - 1] ?? "") ? word : WORKDIR.exec(word)?.[1];
    return folder === undefined ? [] : [folder];
  }).reverse();
}

/** Folder of this machine that the first of the words leads to. */
async function folderOf(
  words: readonly string[],
  { map, cwd }: Inside,
): Promise<string | undefined> {
  for (const word of words) {
    if (!word.startsWith("/") || map(word) === word) continue;
    const folder = pathIn(cwd, map(word));
    return (await infoOf(folder))?.isFile() ? dirname(folder) : folder;
  }
  return undefined;
}

interface Folders {
  readonly from: string;
  readonly to: string;
}

/** Makes the map of words, the longest path first. Paths lead from the folder of the command: a shell
 * would divide others at their blanks. */
function mapOf(mounts: readonly Mount[], { from, to }: Folders): WordMap {
  const rows = mounts.toSorted((one, other) => other.target.length - one.target.length)
    .map(({ source, target }) => {
      const path = relative(to, pathIn(from, source));
      return {
        pattern: new RegExp(`(?<![\\w./-])${RegExp.escape(target)}(?![\\w.-])`, "gs"),
        path: path.startsWith("..") ? path : `./${path}`,
      };
    });
  return (word) => {
    const row = rows.find(({ pattern }) => word.search(pattern) >= 0);
    return row ? word.replaceAll(row.pattern, () => row.path) : word;
  };
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
