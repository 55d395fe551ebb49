/** Writes files, new or whole, where another user may have put a link. */

import { closeSync, fchmodSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "#base";
import { linkBelow, openOwnFolder, type StateOptions } from "./state.ts";

export interface WriteOptions extends StateOptions {
  /** By default the mode of the file that is replaced, or 0666 without the bits of the user's mask. */
  readonly mode?: number;
}

/** Writes a file unless the path exists; true if the file was written. Throws where a folder below
 * `root` is a link or may be another user's. */
export function writeNew(path: string, text: string, { root, mode }: WriteOptions): boolean {
  openOwnFolder(dirname(path), { root });
  try {
    Deno.writeTextFileSync(path, text, { createNew: true, mode });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

/** Writes a file, whole or not at all, and replaces an old one; a link is refused. */
export function writeWhole(
  path: string,
  content: string | Uint8Array,
  { root, mode }: WriteOptions,
): void {
  openOwnFolder(dirname(path), { root });
  const link = linkBelow(path, { root });
  if (link !== undefined) throw new Error(`Cannot write there: "${link}" is a link: remove it`);
  const oldMode = mode === undefined ? modeOf(path) : undefined;
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    const file = openSync(draft, "wx", mode ?? oldMode);
    try {
      writeFileSync(file, content);
      if (oldMode !== undefined) fchmodSync(file, oldMode);
    } finally {
      closeSync(file);
    }
    Deno.renameSync(draft, path);
  } catch (error) {
    attempt(() => Deno.removeSync(draft)); // it may not have been made
    throw error;
  }
}

/** Mode of a file; undefined where it is missing, and on Windows. */
function modeOf(path: string): number | undefined {
  const mode = Deno.build.os === "windows" ? null : attempt(() => Deno.lstatSync(path).mode);
  return typeof mode === "number" ? mode & 0o777 : undefined;
}

/** Replaces a file, whole or not at all, by the draft beside it that `write` makes. */
export async function throughDraft(
  path: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    await write(draft);
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {}); // it may not have been made
    throw error;
  }
}
