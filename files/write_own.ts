/** Writes files, new or whole, where another user may have put a link. */

import { dirname } from "node:path";
import { attempt } from "#base";
import { linkBelow, openOwnFolder, type StateOptions } from "./state.ts";

export interface WriteOptions extends StateOptions {
  /** 0666 without the bits of the user's mask by default. */
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
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(draft, bytes, { createNew: true, mode });
    Deno.renameSync(draft, path);
  } catch (error) {
    attempt(() => Deno.removeSync(draft)); // it may not have been made
    throw error;
  }
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
