/** Reads a file that decides which programs are started: only one that no other user wrote. */

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type Distrust, distrustOfEntry, judge, type OwnershipOptions } from "./ownership.ts";
import { readBytes } from "./read_regular.ts";

export type OwnText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  /** It exists and was not read. */
  | { readonly kind: "refused" } & Distrust;

export interface ReadOwnOptions extends OwnershipOptions {
  /** 1 MB by default. */
  readonly maxBytes?: number;
}

const MB = 1024 * 1024;

/** Reads a regular file of the user (or root) that others cannot change, links included. Throws where
 * the user's own file cannot be opened.
 *
 * A pipe, a socket or a device is neither waited for nor read; the text comes from the handle that
 * was checked.
 *
 * @example
 * ```ts
 * import { readOwn } from "#files";
 *
 * const file = Deno.makeTempFileSync();
 * console.assert(readOwn(file).kind === "text");
 * ```
 */
export function readOwn(path: string, options: ReadOwnOptions = {}): OwnText {
  try {
    return readChecked(path, options);
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    throw error;
  }
}

function readChecked(path: string, { maxBytes = MB, ...options }: ReadOwnOptions): OwnText {
  const { real, info, distrust } = judge(path, options);
  if (distrust) return { kind: "refused", ...distrust };
  // Opening a device may already have an effect.
  if (!info.isFile) return notRegular(info);
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = fstatSync(handle);
    if (!opened.isFile()) return notRegular();
    const { uid, gid, mode, size } = opened;
    const changed = distrustOfEntry({ uid, gid, mode, isDirectory: false }, real);
    if (changed) return { kind: "refused", ...changed };
    const bytes = size > maxBytes ? undefined : readBytes(handle, { size, maxBytes });
    return bytes ? { kind: "text", text: new TextDecoder().decode(bytes) } : tooLarge(maxBytes);
  } finally {
    closeSync(handle);
  }
}

function notRegular(info?: Deno.FileInfo): OwnText {
  const kind = info?.isDirectory ? "a folder" : "a pipe, a socket or a device";
  return { kind: "refused", why: `it is ${kind}, not a file`, fix: "Put a file there" };
}

function tooLarge(maxBytes: number): OwnText {
  const why = `it has more than ${Math.ceil(maxBytes / MB)} MB`;
  return { kind: "refused", why, fix: "Make it smaller" };
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.NotADirectory;
}
