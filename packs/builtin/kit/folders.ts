/** Guard of the folders that a pack may use: it resolves the links of every path and checks it. */

import { Buffer } from "node:buffer";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type CloneLink, cloneOf, linkInClone, resolvePath } from "#files";
import type {
  ChangeOptions,
  ClosedPaths,
  ReadNames,
  ReadRules,
  Refusal,
} from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { type CheckedFile, checkedFile } from "./checked_file.ts";
import { systemPhrase } from "./failure.ts";

/** A path that passed the guard. */
export interface Place {
  /** Absolute, without links. */
  readonly path: string;
  /** Path for results and messages: relative to the project if it is in there. */
  readonly label: string;
}

/** The place of something that may be read. */
export interface ReadablePlace extends Place {
  /** The file that was checked there: a hard link to a closed file may be moved there later. */
  readonly file: CheckedFile | undefined;
}

export interface Folders {
  /** Real path of the project, the base of labels. */
  base(): Promise<string>;
  /** Place of an existing path, links followed. `action` begins the message of an error. */
  existing(path: string, action: string): Promise<ReadablePlace>;
  /** Place of a path that may be changed and need not exist, links followed. */
  writable(path: string, action: string, options?: EntryOptions): Promise<Place>;
  /** Place of a path that may be changed. A link in the last name is not followed. */
  entry(path: string, action: string): Promise<Place>;
  /** Throws unless a real path is in an allowed folder and may be changed now. */
  check(place: Place, action: string): Promise<void>;
  /** Throws if the name of a place is closed. For entries of a folder that is moved or deleted. */
  checkEntry(place: Place, action: string, options?: EntryOptions): Promise<void>;
  /** Throws if a real path is closed to reading, whether it exists or not. */
  checkReadable(place: Place, action: string): Promise<void>;
  /** True if the file at a real path may be read. */
  isReadable(path: string): Promise<boolean>;
  /** True if a real path may be changed. */
  isWritable(path: string, options?: EntryOptions): Promise<boolean>;
  /** Names for `readReason`, where the entries of a folder are listed. */
  readNames(): Promise<ReadNames>;
  /** Rules for `readReason` and `linkReason` in workers. */
  readRules(): Promise<ReadRules>;
  /** Throws if a place is an allowed folder, contains one, or contains a closed path. */
  refuseRoot(place: Place, action: string): Promise<void>;
  /** Notes that a folder was deleted or moved: which paths are closed may depend on it. */
  outdate(): void;
  /** Label of a real path. */
  labelOf(path: string): string;
  /** Reason why a path that the configuration names does not count, with the way out: a link of the
   * project, or of the repository around it, is on the way, or may be. */
  strangerLink(path: string): string | undefined;
}

export type EntryOptions = Pick<ChangeOptions, "isFolder">;

export interface FolderOptions {
  /** Absolute. */
  readonly project: string;
  /** Absolute. */
  readonly home: string;
  /** Absolute. */
  readonly allowed: readonly string[];
  /** Config key that lists them, for messages. */
  readonly key: string;
  readonly closed: ClosedPaths;
}

/** Makes the guard. Its methods throw `PackError`. */
export function createFolders(options: FolderOptions): Folders {
  const { project, home, allowed, key, closed } = options;
  const { readNames, readRules, outdate } = closed;
  let base = project;

  function strangerLink(path: string): string | undefined {
    const link = linkInClone(path, cloneOf(project, home));
    return link && linkText(labelOf(link.path), link);
  }

  async function check(path: string, access: Access): Promise<Place> {
    base = await realOf(project);
    const own = allowed.filter((folder) => strangerLink(folder) === undefined);
    const roots = await Promise.all(own.map(realOf));
    if (roots.some((root) => isWithin(path, root))) return { path, label: labelOf(path) };
    const folders = own.map((folder) => quote(labelOf(folder))).join(", ");
    const [link] = allowed.flatMap((folder) => strangerLink(folder) ?? []);
    const fix = link === undefined ? "add it to" : `${link} in`;
    throw refused(access, `outside the allowed folders (${folders || "none"}): ${fix} ${key}`);
  }

  function labelOf(path: string): string {
    return isWithin(path, base) ? relative(base, path) || "." : path;
  }

  async function existing(name: string, action: string): Promise<ReadablePlace> {
    const access = { name, action };
    const path = absolute(access, project);
    const real = await Deno.realPath(path).catch(async (error) => {
      // An outside path gets one error, whether it exists or not.
      await check(await realAncestor(path, access), access);
      throw refused(access, systemPhrase(error) ?? "it cannot be read");
    });
    const place = await check(real, access);
    const info = await Deno.lstat(real).catch(() => undefined);
    await checkReadable(real, access, info);
    return { ...place, file: checkedFile(info) };
  }

  async function checkReadable(path: string, access: Access, info?: Deno.FileInfo) {
    const why = await closed.read(path, { info });
    if (why !== undefined) throw unreadable(access, why);
  }

  async function checkWritable(
    path: string,
    access: Access,
    options?: EntryOptions,
  ): Promise<Place> {
    const place = await check(path, access);
    const refusal = await closed.change(path, options);
    if (refusal !== undefined) throw unwritable(access, place.label, refusal);
    return place;
  }

  return {
    base: async () => base = await realOf(project),
    existing,
    async writable(name, action, options) {
      const access = { name, action };
      const path = await realAncestor(absolute(access, project), access);
      return await checkWritable(path, access, options);
    },
    async entry(name, action) {
      const access = { name, action };
      const path = absolute(access, project);
      const parent = await realAncestor(dirname(path), access);
      const real = path === dirname(path) ? path : join(parent, basename(path));
      return await checkWritable(real, access);
    },
    async check({ path, label }, action) {
      await checkWritable(path, { name: label, action });
    },
    async checkEntry({ path, label }, action, options) {
      const refusal = await closed.change(path, { ...options, byName: true });
      if (refusal !== undefined) throw unwritable({ name: label, action }, label, refusal);
    },
    checkReadable: ({ path, label }, action) => checkReadable(path, { name: label, action }),
    isReadable: async (path) => await closed.read(path) === undefined,
    isWritable: async (path, options) => await closed.change(path, options) === undefined,
    readNames,
    readRules,
    outdate,
    async refuseRoot({ path, label }, action) {
      const roots = await Promise.all([project, ...allowed].map(realOf));
      const access = { name: label, action };
      if (roots.some((root) => isWithin(root, path))) {
        throw refused(access, "it is an allowed folder itself, or holds one");
      }
      if (await closed.holds(path)) {
        const why = "it holds what configures Toolscript, or what a server runs";
        throw unwritable(access, label, { why, opens: false });
      }
    },
    labelOf,
    strangerLink,
  };
}

function linkText(label: string, { isRead }: CloneLink): string {
  const state = isRead
    ? "is a link of the project"
    : "may be a link of the project: it cannot be read";
  return `${quote(label)} ${state}, which does not count: name what it leads to`;
}

function realOf(folder: string): Promise<string> {
  return Deno.realPath(folder).catch(() => resolve(folder));
}

/** An access that a program requests. */
interface Access {
  /** Path as the program wrote it. */
  readonly name: string;
  readonly action: string;
}

function refused({ name, action }: Access, why: string): PackError {
  return new PackError("tool_error", `Cannot ${action} ${quote(name)}: ${why}`);
}

function unreadable(access: Access, why: string): PackError {
  const message = `${refused(access, why).message}: it stays closed to programs`;
  return new PackError("blocked", message, { details: { reason: "protected" } });
}

function unwritable(access: Access, label: string, { why, opens }: Refusal): PackError {
  const wayOut = opens
    ? `change it yourself, or open it with packs.file.writable: [${quote(label)}]`
    : "change it yourself: packs.file.writable does not open it";
  const message = `${refused(access, why).message}: ${wayOut}`;
  return new PackError("blocked", message, { details: { reason: "protected" } });
}

function quote(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
}

/** Bounds of an absolute path: the work on one grows with both. */
const MOST_BYTES = 4_096;
const MOST_NAMES = 256;
/** Limit of a path as it is written, in characters: `..` and `.` may stand in it. */
export const MOST_WRITTEN = 4 * MOST_BYTES;

/** Absolute path of an access. `..` is resolved before any link. */
function absolute(access: Access, project: string): string {
  const { name } = access;
  if (name.includes("\0")) throw refused(access, "a path has no NUL character");
  if (name.length > MOST_WRITTEN) {
    const most = MOST_WRITTEN.toLocaleString("en");
    throw refused(access, `a path has at most ${most} characters as it is written`);
  }
  const path = resolvePath(project, name);
  checkLength({ path, label: name }, access.action);
  return path;
}

/** Returns true for an absolute path that no pack takes. */
export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > MOST_BYTES || path.split(sep).length > MOST_NAMES;
}

/** Throws if the path of a place is too long, or has too many names. */
export function checkLength({ path, label }: Place, action: string): void {
  if (!isTooLong(path)) return;
  const most = `${MOST_BYTES.toLocaleString("en")} bytes and ${MOST_NAMES} names`;
  throw refused({ name: label, action }, `a path has at most ${most}`);
}

/** Real path of the part that exists, joined with the rest. */
async function realAncestor(path: string, access: Access): Promise<string> {
  const missing: string[] = [];
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const real = await realUnlessMissing(at, access);
    if (real !== undefined) return join(real, ...missing.reverse());
    missing.push(basename(at));
  }
  return path;
}

async function realUnlessMissing(path: string, access: Access): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    const info = isMissing ? await Deno.lstat(path).catch(() => undefined) : undefined;
    // A write would follow a dangling link.
    if (info?.isSymlink) throw refused(access, "it is a link that leads nowhere");
    // Another call has just made it.
    if (info) return await realUnlessMissing(path, access);
    if (!isMissing) throw refused(access, systemPhrase(error) ?? "it cannot be read");
    return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  const from = folder.endsWith(sep) ? folder : folder + sep;
  return path === folder || path.startsWith(from);
}
