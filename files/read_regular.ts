/** Reads files that a stranger chose: regular ones, up to a limit, without waiting. A link to a file of
 * the system may have no size and no end. */

import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";

/** Reads a regular file, links followed; undefined for anything else and above the limit. Throws errors
 * of the file system.
 *
 * @example
 * ```ts
 * import { readRegular } from "#files";
 *
 * console.assert(readRegular(Deno.makeTempFileSync(), 100)?.length === 0);
 * ```
 */
export function readRegular(path: string, maxBytes: number): Uint8Array | undefined {
  // Opening a device may already have an effect.
  if (!statSync(path).isFile()) return undefined;
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const handle = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const info = fstatSync(handle);
    if (!info.isFile() || info.size > maxBytes) return undefined;
    return readBytes(handle, { size: info.size, maxBytes });
  } finally {
    closeSync(handle);
  }
}

/** The same as text. */
export function readRegularText(path: string, maxBytes: number): string | undefined {
  const bytes = readRegular(path, maxBytes);
  return bytes && new TextDecoder().decode(bytes);
}

/** Reads all bytes, or undefined above the limit: `size` is 0 for files of the system. */
export function readBytes(
  handle: number,
  { size, maxBytes }: { readonly size: number; readonly maxBytes: number },
): Uint8Array | undefined {
  let buffer = Buffer.alloc(Math.min(size, maxBytes) + 1);
  let length = 0;
  while (length <= maxBytes) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
    const count = readSync(handle, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  return undefined;
}
