/** `~/.onetool/run/<pid>.json`: one file for each running gateway, with its URL and token. */

import { join } from "node:path";
import { attempt, isObject } from "#base";
import { processIdentity } from "./process_id.ts";

export interface RunFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly version: string;
  readonly project: string;
  /** Configuration file, null without one. */
  readonly config: string | null;
  /** Session of the agent whose hook started it. */
  readonly session: string | null;
  /** False for a gateway inside `exec`, `run` or `mcp`, which only that process uses. */
  readonly shared: boolean;
  /** True for one that ends after its last client. */
  readonly auto: boolean;
  /** Mark of the variables that its configuration reads; null where it is unknown. */
  readonly variables: string | null;
  readonly startedAt: string;
}

const MAX_BYTES = 65_536;

/** Path of the folder of the run files. */
export function runFolder(home: string): string {
  return join(home, ".onetool", "run");
}

/** Makes the folder, mode 0700; throws when it belongs to another user or is a link. */
export async function openRunFolder(home: string): Promise<string> {
  const folder = runFolder(home);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const info = await Deno.lstat(folder);
  if (!info.isDirectory || !isOurs(info)) {
    throw new Error(
      `Cannot keep run files in "${folder}": it belongs to another user or is a link: remove it`,
    );
  }
  if (isOpenToOthers(info)) await Deno.chmod(folder, 0o700);
  return folder;
}

/** Contents of a run file, without pid and time, which are the current ones. */
export interface WriteRunFileOptions extends Omit<RunFile, "pid" | "startedAt" | "auto"> {
  readonly auto?: true;
  readonly home: string;
}

/** Writes the file of this process atomically, readable by the user only; returns its path. */
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
    await removeRunFile(draft);
    throw error;
  }
  return path;
}

/** Lists the running gateways, the oldest first. Files of processes that have ended, or whose pid
 * another process has now, go to `onGone`, which removes them by default. */
export async function findGateways(
  home: string,
  { onStale = removeRunFile }: { readonly onStale?: (path: string) => Promise<void> | void } = {},
): Promise<RunFile[]> {
  const folder = runFolder(home);
  const info = await lstat(folder);
  if (!info?.isDirectory || !isOurs(info)) return [];
  const gateways: RunFile[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const pid = /^(\d{1,10})\.json$/.exec(name)?.[1];
    if (pid === undefined) continue;
    const entry = await readEntry(join(folder, name), Number(pid), onStale);
    if (entry) gateways.push(entry);
  }
  return gateways.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
}

async function readEntry(
  path: string,
  pid: number,
  onStale: (path: string) => Promise<void> | void,
): Promise<RunFile | undefined> {
  const info = await lstat(path);
  // A file of another user, or open to others, is neither trusted nor changed.
  if (!info?.isFile || !isOurs(info) || isOpenToOthers(info) || info.size > MAX_BYTES) {
    return undefined;
  }
  const raw = await readJson(path);
  const entry = raw && parse(raw, pid);
  if (!entry) return undefined;
  const process = await processIdentity(pid);
  if (process !== undefined && raw.process === process) return entry;
  await onStale(path);
  return undefined;
}

function parse(raw: Record<string, unknown>, pid: number): RunFile | undefined {
  const { url, token, version, project, config, session, shared, auto, variables, started_at } =
    raw;
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
    auto: auto === true,
    variables: typeof variables === "string" ? variables : null,
    startedAt: typeof started_at === "string" ? started_at : "",
  };
}

async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  // Removed meanwhile, or not written by a gateway.
  const value: unknown = await attempt(async () => JSON.parse(await Deno.readTextFile(path)));
  return isObject(value) ? value : undefined;
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
  // It does not exist.
  return await attempt(() => Deno.lstat(path));
}

/** Removes the file of a gateway; no error when it does not exist. */
export async function removeRunFile(path: string): Promise<void> {
  // Another process may have removed it.
  await attempt(() => Deno.remove(path));
}
