/** Servers of clients that start them in no project (Claude Desktop): their words must not mean what lies
 * in one, which may be a stranger's. */

import { isAbsolute, join } from "node:path";
import { isObject } from "#base";
import { mayMeanProject, startsApart } from "#packs/package-runner";
import type { ClientServer } from "./client_files.ts";

type Variables = Readonly<Record<string, string | undefined>>;
type Entry = ClientServer["entry"];

/** Folder where such servers start, as a reference that is set everywhere. */
const HOME = "${userHome}";
/** Variables with the folder where something was started: of another client, and of the gateway. */
export const PLACES = /^(?:PWD|OLDPWD|INIT_CWD)$/;
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
}

/** Program and folder of a server in the configuration. An empty folder counts as not written. */
export function startPlaceOf({ entry, isApart }: ClientServer, env: Variables): StartPlace {
  const { command } = entry;
  const folder = typeof entry.cwd === "string" && entry.cwd !== "" ? entry.cwd : undefined;
  if (!isApart || typeof command !== "string") return { command, cwd: folder, isOwn: false };
  const cwd = folder === undefined || isFixed(folder, env) ? folder : join(HOME, folder);
  const isPath = /[\\/]/.test(command) && !isFixed(command, env);
  const program = isPath ? join(cwd ?? HOME, command) : command;
  const isOwn = cwd === undefined && needsFolder(command, entry);
  return { command: program, cwd: isOwn ? HOME : cwd, isOwn };
}

/** True for a path that is not relative to where a server starts, also by a variable. */
function isFixed(path: string, env: Variables): boolean {
  const own = path.replace(/^\$\{env:([A-Za-z_]\w*)\}/, (text, name: string) => {
    return PLACES.test(name) ? text : env[name] ?? "";
  });
  return isAbsolute(own) || /^(?:~(?:\/|$)|\$\{userHome\})/.test(own);
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
