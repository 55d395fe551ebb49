/** Servers of clients that start them in no project (Claude Desktop): in a project's configuration their
 * words must not mean what lies there, which may be a stranger's. */

import { isAbsolute, join } from "node:path";
import { isObject } from "#base";
import { mayMeanProject, startsApart } from "#packs/package-runner";
import type { ClientServer } from "./client_files.ts";

type Entry = ClientServer["entry"];

/** Folder where such servers start, as a reference that is set everywhere. */
const HOME = "${userHome}";
/** References of these clients, but those to the folder where they are read. */
const FIXED = /^\$\{(?:userHome|env:(?!(?:PWD|OLDPWD|INIT_CWD)\})[A-Za-z_]\w*)\}/;
/** Reference of other clients to their project. */
const WORKSPACE = "${workspaceFolder}";
/** Options of a container that stand alone, and those whose value is no path. */
const ALONE = /^(?:-[itd]+|--(?:rm|init|interactive|tty|detach))$/;
const VALUED = /^(?:-e|--env|--name)$/;
/** An image, or the name of a container. */
const IMAGE = /^\w[\w.-]*(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:\w+)?$/;

export interface StartPlace {
  readonly command: unknown;
  readonly cwd: string | undefined;
  /** True where the folder is not the client's word. */
  readonly isOwn: boolean;
  /** True where `${workspaceFolder}` is the project. */
  readonly namesProject: boolean;
}

/** Program and folder of a server in a project's configuration. An empty folder counts as not
 * written. */
export function startPlaceOf({ entry, isApart }: ClientServer): StartPlace {
  const { command } = entry;
  const folder = typeof entry.cwd === "string" && entry.cwd !== "" ? entry.cwd : undefined;
  const place = { command, cwd: folder, namesProject: !isApart || isProject(folder) };
  if (place.namesProject || typeof command !== "string") return { ...place, isOwn: false };
  const cwd = folder === undefined || isFixed(folder) ? folder : join(HOME, folder);
  const isPath = /[\\/]/.test(command) && !isFixed(command);
  const program = isPath ? join(cwd ?? HOME, command) : command;
  const isOwn = cwd === undefined && needsFolder(command, entry);
  return { command: program, cwd: isOwn ? HOME : cwd, isOwn, namesProject: false };
}

/** True for a folder that can only mean the project. */
function isProject(folder = ""): boolean {
  return folder === "." || folder.startsWith(WORKSPACE);
}

/** True for a path that is not relative to where a server starts, or that a reference begins. */
function isFixed(path: string): boolean {
  return isAbsolute(path) || /^~(?:\/|$)/.test(path) || FIXED.test(path);
}

/** Returns true for a server that would look in the project for modules, settings and tasks of its
 * program, or for what its words name. */
function needsFolder(command: string, { args, env }: Entry): boolean {
  const start = {
    command,
    args: (Array.isArray(args) ? args : []).map(String),
    env: textsOf(env),
    cwd: ".",
    isDefaultCwd: true,
  };
  if (startsApart(start)) return mayMeanProject(start);
  return startsApart({ ...start, isHomes: true }) || !isPlainContainer(start);
}

/** True for a container without a word that its client may read as a path. Which program a bare name
 * stands for, files of the folder may say. */
function isPlainContainer(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
): boolean {
  const words = args.slice(1);
  const image = words.findIndex((word, at) =>
    !ALONE.test(word) && !VALUED.test(word) && !VALUED.test(words[at - 1] ?? "")
  );
  return isAbsolute(command) && IMAGE.test(words[image] ?? "");
}

/** A map with its values as texts. */
export function textsOf(map: unknown): Record<string, string> {
  const entries = Object.entries(isObject(map) ? map : {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
