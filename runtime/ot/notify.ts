/** `ot.notify`: a message goes to the file of its topic, as one more YAML document (OT-12, 13). */

import { dirname, join, relative } from "node:path";
import { CORE_SCHEMA, dump } from "js-yaml";
import { isInside, linkBelow, lockOpen, type LockOptions, refusalOf, RefusedFile } from "#files";
import { type Args, type ClosedPaths, compileNamePattern, expandBraces, inFolder } from "#packs";

export interface Topics {
  /** The first that matches wins. */
  readonly topics: readonly {
    /** `dev:*`, `{build,test}:?`: a star stands for any text, also slashes, dots and lines. */
    readonly pattern: string;
    /** Absolute. */
    readonly file: string;
  }[];
  /** Folders that files must lie in; shown paths are relative to the first. */
  readonly folders: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly closed: ClosedPaths;
  /** Ends the wait for other writers. */
  readonly signal?: AbortSignal;
  /** Longest wait for other writers, in milliseconds (10,000). */
  readonly patienceMs?: number;
}

const NO_TOPIC = "SKIP: no matching topic";
/** Longest topic: longer names are slow to match. */
const MAX_TOPIC = 500;
const PATIENCE_MS = 10_000;
const NEWLINE = 10;
const OUTSIDE = "it is outside the project";

/** Returns a confirmation when the message is written, or the text of the problem. */
export async function notify(
  { topics, folders, now, closed, signal, patienceMs = PATIENCE_MS }: Topics,
  { topic: name, message }: Args,
): Promise<string> {
  const topic = String(name);
  if (topic.length > MAX_TOPIC) return NO_TOPIC;
  const match = topics.find(({ pattern }) => matchesTopic(pattern, topic));
  if (!match) return NO_TOPIC;
  const [project = ""] = folders;
  const display = pathForReader(match.file, project);
  try {
    const path = await placeOf(match.file, folders);
    const check = async (info?: Deno.FileInfo) => {
      const refusal = await closed.change(path, { isNamed: true, info });
      if (refusal === undefined) return;
      throw new RefusedFile(`${refusal.why}: name another file in notify.topics`);
    };
    await check();
    const time = new Date(now()).toISOString();
    const document = dump({ topic, message: String(message), time }, LAYOUT);
    const place = { path, label: display };
    const options = { check, signal, timeoutMs: patienceMs };
    await inFolder(place, (throughFolder) => append(throughFolder, document, options));
    return `OK: ${topic} -> ${display}`;
  } catch (error) {
    const why = signal?.aborted ? "the run has ended" : refusalOf(error);
    return `Error: Cannot write to '${display}': ${why}`;
  }
}

function matchesTopic(pattern: string, topic: string): boolean {
  const all = expandBraces(pattern) ?? [];
  return all.some((alternative) => compileNamePattern(alternative)(topic));
}

const LAYOUT = { schema: CORE_SCHEMA, quoteStyle: "double", lineWidth: -1 } as const;

function pathForReader(file: string, project: string): string {
  const way = relative(project, file);
  return way.startsWith("..") ? file : way;
}

/** The path below the real folder, its folders made. Throws where a link is on the way. */
async function placeOf(file: string, folders: readonly string[]): Promise<string> {
  const path = await placeInside(file, folders);
  const holder = folders.find((folder) => isInside(folder, file)) ?? dirname(file);
  // A link in the project leads to a place that the project's author chose.
  if (linkBelow(file, { root: holder }) !== undefined) {
    throw new RefusedFile("a link is on the way");
  }
  return path;
}

async function placeInside(file: string, folders: readonly string[]): Promise<string> {
  const holder = folders.find((folder) => isInside(folder, file));
  if (holder === undefined) throw new RefusedFile(OUTSIDE);
  await Deno.mkdir(holder, { recursive: true });
  const root = await Deno.realPath(holder);
  const parent = await makeFolders(root, relative(holder, dirname(file)));
  const path = join(parent, relative(dirname(file), file));
  const real = await Deno.realPath(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined; // It is the first message.
    throw error;
  });
  if (real !== undefined) {
    if (isInside(root, real)) return real;
    throw new RefusedFile(OUTSIDE);
  }
  // Through a dangling link, the file would be made where the link points.
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info?.isSymlink) throw new RefusedFile(OUTSIDE);
  return path;
}

/** Makes folder after folder, and follows no link out of the root. */
async function makeFolders(root: string, way: string): Promise<string> {
  let folder = root;
  for (const name of way.split(/[/\\]/).filter(Boolean)) {
    const next = join(folder, name);
    await inFolder({ path: next, label: name }, (path) => Deno.mkdir(path)).catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    });
    folder = await Deno.realPath(next);
    if (folder !== root && !isInside(root, folder)) throw new RefusedFile(OUTSIDE);
  }
  return folder;
}

interface AppendOptions extends LockOptions {
  readonly check: (info: Deno.FileInfo) => Promise<void>;
}

/** Adds a document to a name in an open folder, whole or not at all; writers of other processes wait
 * for each other. A file with a second name is checked once it is open: it may have been moved to the
 * path just before. */
async function append(
  path: string,
  document: string,
  { check, ...lock }: AppendOptions,
): Promise<void> {
  using file = await openOrMake(path);
  const { dev, ino, isFile } = await file.stat();
  if (!isFile) throw new Deno.errors.IsADirectory();
  const entry = await Deno.lstat(path);
  // The name was a link, or is one now: nothing was made or written behind it.
  if (entry.dev !== dev || entry.ino !== ino) throw new RefusedFile("it has changed: retry");
  if (!await lockOpen(file, lock)) throw new RefusedFile("another program has locked it: retry");
  lock.signal?.throwIfAborted();
  const info = await file.stat();
  const { size } = info;
  if (info.nlink !== 1) await check(info);
  const start = size > 0 && await lastByte(file, size) !== NEWLINE ? "\n---\n" : "---\n";
  const bytes = new TextEncoder().encode(start + document);
  try {
    for (let sent = 0; sent < bytes.length;) sent += await file.write(bytes.subarray(sent));
  } catch (error) {
    await file.truncate(size);
    throw error;
  } finally {
    await file.unlock();
  }
}

/** Opens a file, made 0600 where none is: only a name that is new is made, not what a link names. */
async function openOrMake(path: string): Promise<Deno.FsFile> {
  const options = { read: true, append: true };
  try {
    return await Deno.open(path, { ...options, createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return await Deno.open(path, options);
  }
}

async function lastByte(file: Deno.FsFile, size: number): Promise<number | undefined> {
  const byte = new Uint8Array(1);
  await file.seek(size - 1, Deno.SeekMode.Start);
  return await file.read(byte) === 1 ? byte[0] : undefined;
}
