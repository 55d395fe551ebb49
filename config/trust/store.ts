/** Trust decisions of a person, by project: `~/.onetool/trust.json`. */

import { join } from "node:path";
import { attempt, isObject } from "#base";
import { lockFile, readOwn, throughDraft } from "#files";
import type { TrustItems } from "./items.ts";

export interface TrustEntry extends TrustItems {
  /** Over the project's files. */
  readonly hash: string;
  /** Over `.onetool/tools/`. */
  readonly tools?: string;
  /** Digests of the project's own secrets. */
  readonly secrets: Readonly<Record<string, string>>;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MOST_BYTES = 64 * 1024 * 1024;

/** The entry of a project, by its real path. */
export function readTrust(home: string, project: string): TrustEntry | undefined {
  const all = readAll(fileOf(home));
  const entry = all.get(project);
  return isObject(entry) && typeof entry.hash === "string"
    ? {
      hash: entry.hash,
      ...(typeof entry.tools === "string" ? { tools: entry.tools } : {}),
      secrets: digests(entry.secrets),
      starts: texts(entry.starts),
      reads: texts(entry.reads),
      changes: texts(entry.changes),
      narrows: texts(entry.narrows),
    }
    : undefined;
}

/** Stores an entry in place of the one before. */
export async function writeTrust(
  home: string,
  project: string,
  { hash, tools, secrets, starts, reads, changes, narrows }: TrustEntry,
): Promise<void> {
  await update(home, (all) => {
    const items = { starts, reads, changes, narrows };
    all.set(project, { hash, ...(tools === undefined ? {} : { tools }), secrets, ...items });
    return true;
  });
}

/** Removes a project's entry; answers whether there was one. */
export function removeTrust(home: string, project: string): Promise<boolean> {
  return update(home, (all) => all.delete(project));
}

/** One process at a time; the system frees the lock of one that dies. */
async function update(
  home: string,
  change: (all: Map<string, unknown>) => boolean,
): Promise<boolean> {
  const folder = join(home, ".onetool");
  await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await Deno.chmod(folder, FOLDER_MODE);
  using _lock = await lockFile(join(folder, "trust.lock"));
  const file = fileOf(home);
  const all = readAll(file);
  const isChanged = change(all);
  if (!isChanged) return false;
  const text = `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
  await throughDraft(file, (draft) => {
    return Deno.writeTextFile(draft, text, { createNew: true, mode: FILE_MODE });
  });
  return true;
}

/** A file that is damaged, or that others may write, counts as empty. */
function readAll(file: string): Map<string, unknown> {
  const value: unknown = attempt(() => {
    const own = readOwn(file, { maxBytes: MOST_BYTES });
    return own.kind === "text" ? JSON.parse(own.text) : undefined;
  });
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function fileOf(home: string): string {
  return join(home, ".onetool", "trust.json");
}

function digests(value: unknown): TrustEntry["secrets"] {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([line, digest]) => [line, String(digest)]));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
