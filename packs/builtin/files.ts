/** Files that a pack may read although it is not the `file` pack: within that pack's folders. */

import { PackError } from "../errors.ts";
import type { Folders } from "./folders.ts";

export interface Files {
  readonly folders: Folders;
  readonly maxBytes: number;
}

/** The whole of a file, within the bounds of `files` and of `maxBytes`. */
export async function readBytes(
  path: string,
  { files, maxBytes, signal }: {
    readonly files: Files;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  const place = await files.folders.existing(path, "read");
  using file = await Deno.open(place.path, { read: true });
  const { isFile, size } = await file.stat();
  if (!isFile) throw new PackError("tool_error", `Cannot read "${path}": it is no file`);
  const most = Math.min(maxBytes, files.maxBytes);
  if (size > most) throw tooLarge(path, { size, most });
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    signal.throwIfAborted();
    const read = await file.read(bytes.subarray(filled));
    if (read === null) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

function tooLarge(path: string, { size, most }: { size: number; most: number }): PackError {
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return new PackError(
    "too_large",
    `Cannot read "${path}": it has ${mb(size)} MB, at most ${mb(most)} MB are read`,
  );
}
