/** Trust decisions of a person, by project: `~/.onetool/trust.json`. */

import { join } from "node:path";
import { isObject, type JsonObject } from "#base";
import { lockFile, readOwn } from "#files";
import type { TrustItems } from "./items.ts";

export interface TrustEntry extends TrustItems {
  /** Over the project's files. */
  readonly hash: string;
  /** Over `.onetool/tools/`. */
  readonly tools?: string;
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
      starts: texts(entry.starts),
      reads: texts(entry.reads),
      changes: texts(entry.changes),
    }
    : undefined;
}

/** Stores an entry in place of the one before. */
export async function writeTrust(
  home: string,
  project: string,
  { hash, tools, starts, reads, changes }: TrustEntry,
): Promise<void> {
  await update(home, (all) => {
    const items = { starts: [...starts], reads: [...reads], changes: [...changes] };
    all.set(project, { hash, ...(tools === undefined ? {} : { tools }), ...items });
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
  if (isChanged) await replace(file, Object.fromEntries(all) as JsonObject);
  return isChanged;
}

async function replace(file: string, value: JsonObject): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    await Deno.writeTextFile(draft, text, { createNew: true, mode: FILE_MODE });
    await Deno.rename(draft, file);
  } catch (error) {
    await Deno.remove(draft).catch(() => {}); // it may not have been made
    throw error;
  }
}

/** A file that is damaged, or that others may write, counts as empty. */
function readAll(file: string): Map<string, unknown> {
  try {
    const own = readOwn(file, { maxBytes: MOST_BYTES });
    if (own.kind !== "text") return new Map();
    const value: unknown = JSON.parse(own.text);
    return new Map(isObject(value) ? Object.entries(value) : []);
  } catch {
    // A damaged file counts as empty.
    return new Map();
  }
}

function fileOf(home: string): string {
  return join(home, ".onetool", "trust.json");
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
