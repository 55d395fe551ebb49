/** The folders that a pack may use: every path goes through here, its links resolved. */

import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ClosedPaths, ReadRules, Refusal } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { systemPhrase } from "./failure.ts";

/** A path that was let through. */
export interface Place {
  /** Absolute, without links. */
  readonly path: string;
  /** Relative to the project where it lies in it. */
  readonly shown: string;
}

export interface Folders {
  /** The real path of the project, which results are shown relative to. */
  base(): Promise<string>;
  /** Something that exists, its links followed. `action` begins the message of an error. */
  existing(path: string, action: string): Promise<Place>;
  /** Something that may be changed and need not exist yet, its links followed. */
  writable(path: string, action: string): Promise<Place>;
  /** The same, but where the last name is a link, it is the link that is meant. */
  entry(path: string, action: string): Promise<Place>;
  /** Throws unless a real path lies in an allowed folder and may be changed, as the world is now. */
  check(place: Place, action: string): Promise<void>;
  /** Throws where the name of a place is closed: it goes with the folder that it lies in. */
  checkEntry(place: Place, action: string): Promise<void>;
  /** Throws where a real path, there or not, is closed to reading. */
  checkReadable(place: Place, action: string): Promise<void>;
  /** Whether what exists at a real path may be read. */
  isReadable(path: string): Promise<boolean>;
  /** Whether a real path may be changed. */
  isWritable(path: string): Promise<boolean>;
  /** The same for threads, which ask `readReason`. */
  readRules(): Promise<ReadRules>;
  /** Throws where a place is an allowed folder itself, or holds one, or holds what is closed. */
  refuseRoot(place: Place, action: string): Promise<void>;
  show(path: string): string;
}

export interface FolderOptions {
  /** Absolute. */
  readonly project: string;
  /** Absolute. */
  readonly allowed: readonly string[];
  /** The key in the config that lists them, for messages. */
  readonly key: string;
  readonly closed: ClosedPaths;
}

/** Makes the guard. */
export function createFolders(
  { project, allowed, key, closed }: FolderOptions,
): Folders {
  let shownFrom = project;

  async function inside(path: string): Promise<boolean> {
    shownFrom = await realOf(project);
    return (await Promise.all(allowed.map(realOf))).some((root) => isWithin(path, root));
  }

  async function check(path: string, { given, action }: Asked): Promise<Place> {
    if (await inside(path)) return { path, shown: show(path) };
    const folders = allowed.map((folder) => quote(show(folder))).join(", ") || "none";
    throw refused({ given, action }, `outside the allowed folders (${folders}): add it to ${key}`);
  }

  function show(path: string): string {
    if (isWithin(path, shownFrom)) return relative(shownFrom, path) || ".";
    return path;
  }

  async function existing(given: string, action: string): Promise<Place> {
    const asked = { given, action };
    const path = lexical(given, project, asked);
    const real = await Deno.realPath(path).catch(async (error) => {
      // Whether something outside exists is nobody's business.
      await check(await realAncestor(path, asked), asked);
      throw refused(asked, systemPhrase(error) ?? "it cannot be read");
    });
    const place = await check(real, asked);
    await readable(real, asked);
    return place;
  }

  async function readable(path: string, asked: Asked): Promise<void> {
    const why = await closed.read(path);
    if (why !== undefined) throw unreadable(asked, why);
  }

  async function changed(path: string, asked: Asked): Promise<Place> {
    const place = await check(path, asked);
    const refusal = await closed.change(path);
    if (refusal !== undefined) throw unwritable({ ...asked, shown: place.shown }, refusal);
    return place;
  }

  return {
    base: async () => shownFrom = await realOf(project),
    existing,
    async writable(given, action) {
      const asked = { given, action };
      return await changed(await realAncestor(lexical(given, project, asked), asked), asked);
    },
    async entry(given, action) {
      const asked = { given, action };
      const path = lexical(given, project, asked);
      const parent = await realAncestor(dirname(path), asked);
      const real = path === dirname(path) ? path : join(parent, basename(path));
      return await changed(real, asked);
    },
    async check(place, action) {
      await changed(place.path, { given: place.shown, action });
    },
    async checkEntry({ path, shown }, action) {
      const refusal = await closed.change(path, { byName: true });
      if (refusal !== undefined) throw unwritable({ given: shown, action, shown }, refusal);
    },
    checkReadable: ({ path, shown }, action) => readable(path, { given: shown, action }),
    isReadable: async (path) => await closed.read(path) === undefined,
    isWritable: async (path) => await closed.change(path) === undefined,
    readRules: () => closed.readRules(),
    async refuseRoot({ path, shown }, action) {
      const roots = await Promise.all([project, ...allowed].map(realOf));
      const asked = { given: shown, action };
      if (roots.some((root) => isWithin(root, path))) {
        throw refused(asked, "it is an allowed folder itself, or holds one");
      }
      if (await closed.holds(path)) {
        const why = "it holds what configures Toolscript, or what a server runs";
        throw unwritable({ ...asked, shown }, { why, opens: false });
      }
    },
    show,
  };
}

function realOf(folder: string): Promise<string> {
  return Deno.realPath(folder).catch(() => resolve(folder));
}

interface Asked {
  readonly given: string;
  readonly action: string;
}

function refused({ given, action }: Asked, why: string): PackError {
  return new PackError("tool_error", `Cannot ${action} ${quote(given)}: ${why}`);
}

function unreadable(asked: Asked, why: string): PackError {
  const message = `${refused(asked, why).message}: it stays closed to programs`;
  return new PackError("blocked", message, { details: { reason: "protected" } });
}

function unwritable(asked: Asked & Pick<Place, "shown">, { why, opens }: Refusal): PackError {
  const wayOut = opens
    ? `change it yourself, or open it with packs.file.writable: [${quote(asked.shown)}]`
    : "change it yourself: packs.file.writable does not open it";
  const message = `${refused(asked, why).message}: ${wayOut}`;
  return new PackError("blocked", message, { details: { reason: "protected" } });
}

function quote(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
}

/** `..` is taken away before any link is followed. */
function lexical(given: string, project: string, asked: Asked): string {
  if (given.includes("\0")) throw refused(asked, "a path has no NUL character");
  return isAbsolute(given) ? resolve(given) : resolve(project, given);
}

/** The real path of what exists of a path, and the rest of it. */
async function realAncestor(path: string, asked: Asked): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    // A link that leads nowhere would be followed by whoever writes.
    const isLink = isMissing && await Deno.lstat(path).then(() => true, () => false);
    if (isLink) throw refused(asked, "it is a link that leads nowhere");
    if (!isMissing) throw refused(asked, systemPhrase(error) ?? "it cannot be read");
    const parent = dirname(path);
    return parent === path ? path : join(await realAncestor(parent, asked), basename(path));
  }
}

function isWithin(path: string, folder: string): boolean {
  const from = folder.endsWith(sep) ? folder : folder + sep;
  return path === folder || path.startsWith(from);
}
