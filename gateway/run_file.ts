/** `~/.onetool/run/<pid>.json`: which gateways run, and how to reach them (INTERFACE, *Running
 * gateways*). */

import { join } from "node:path";
import { isObject } from "#sandbox/json";
import { processIdentity } from "./process_id.ts";

export interface RunFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly version: string;
  readonly project: string;
  /** The configuration file, null when there is none. */
  readonly config: string | null;
  /** The agent's session that it belongs to, if a hook started it. */
  readonly session: string | null;
  /** False for one inside `exec`, `run` or `mcp`, which is nobody else's. */
  readonly shared: boolean;
  readonly startedAt: string;
}

const MAX_BYTES = 65_536;

/** The folder of the run files. */
export function runFolder(home: string): string {
  return join(home, ".onetool", "run");
}

/** Makes the folder, 0700 and the user's own; throws when it is somebody else's or a link. */
export async function openRunFolder(home: string): Promise<string> {
  const folder = runFolder(home);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const info = await Deno.lstat(folder);
  if (!info.isDirectory || !isOurs(info)) {
    throw new Error(`Cannot keep run files in "${folder}": it is not your own folder: remove it`);
  }
  if (isOpenToOthers(info)) await Deno.chmod(folder, 0o700);
  return folder;
}

/** What a gateway says of itself; process and time are those of the moment. */
export interface WriteRunFileOptions extends Omit<RunFile, "pid" | "startedAt"> {
  readonly home: string;
}

/** Writes this process's file, whole or not at all, for the user's eyes only; answers its path. */
export async function writeRunFile(options: WriteRunFileOptions): Promise<string> {
  const { home, ...entry } = options;
  const folder = await openRunFolder(home);
  const process = await processIdentity(Deno.pid);
  const text = JSON.stringify({
    ...entry,
    pid: Deno.pid,
    started_at: new Date().toISOString(),
    process,
  });
  const path = fileOf(folder, Deno.pid);
  const draft = join(folder, `.${Deno.pid}.${crypto.randomUUID()}`);
  try {
    await Deno.writeTextFile(draft, `${text}\n`, { createNew: true, mode: 0o600 });
    await Deno.rename(draft, path);
  } catch (error) {
    await remove(draft);
    throw error;
  }
  return path;
}

/** Removes a gateway's file; no error when it is gone. */
export async function removeRunFile(path: string): Promise<void> {
  await remove(path);
}

/** The gateways that run, the oldest first. Files of processes that are gone, or are another
 * program by now, are removed on the way, unless `onGone` does something else with them. */
export async function findGateways(
  home: string,
  { onGone = remove }: { readonly onGone?: (path: string) => Promise<void> | void } = {},
): Promise<RunFile[]> {
  const folder = runFolder(home);
  const info = await lstat(folder);
  if (!info?.isDirectory || !isOurs(info)) return [];
  const found: RunFile[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const pid = /^(\d{1,10})\.json$/.exec(name)?.[1];
    if (pid === undefined) continue;
    const entry = await readEntry(join(folder, name), Number(pid), onGone);
    if (entry) found.push(entry);
  }
  return found.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
}

async function readEntry(
  path: string,
  pid: number,
  onGone: (path: string) => Promise<void> | void,
): Promise<RunFile | undefined> {
  const info = await lstat(path);
  // What is not plainly ours is neither believed nor touched.
  if (!info?.isFile || !isOurs(info) || isOpenToOthers(info) || info.size > MAX_BYTES) {
    return undefined;
  }
  const raw = await readJson(path);
  const entry = raw && parse(raw, pid);
  if (!entry) return undefined;
  const process = await processIdentity(pid);
  if (process !== undefined && (raw.process === undefined || raw.process === process)) return entry;
  await onGone(path);
  return undefined;
}

function parse(raw: Record<string, unknown>, pid: number): RunFile | undefined {
  const { url, token, version, project, config, session, shared, started_at } = raw;
  const isWhole = typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url) &&
    typeof token === "string" && typeof project === "string" && raw.pid === pid;
  if (!isWhole) return undefined;
  return {
    url,
    token,
    pid,
    project,
    version: typeof version === "string" ? version : "",
    config: typeof config === "string" ? config : null,
    session: typeof session === "string" ? session : null,
    shared: shared === true,
    startedAt: typeof started_at === "string" ? started_at : "",
  };
}

async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    return isObject(value) ? value : undefined;
  } catch {
    // Removed meanwhile, or not written by us.
    return undefined;
  }
}

function fileOf(folder: string, pid: number): string {
  return join(folder, `${pid}.json`);
}

function isOurs(info: Deno.FileInfo): boolean {
  return info.uid === null || info.uid === Deno.uid();
}

function isOpenToOthers(info: Deno.FileInfo): boolean {
  return info.mode !== null && (info.mode & 0o077) !== 0;
}

async function lstat(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch {
    // Not there.
    return undefined;
  }
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch {
    // Somebody else was faster.
  }
}
