/** Files that other packs may read, within the folders of the `file` pack. */

import type { Folders, ReadablePlace } from "./folders.ts";

export interface Files {
  readonly folders: Folders;
  readonly maxBytes: number;
}

/** A file that a worker may read. The worker gets the path: sending the bytes takes both processes time. */
export interface FileInput extends ReadablePlace {
  readonly maxBytes: number;
}

/** Checks that a path may be read. Throws `PackError`. */
export async function fileInput(
  path: string,
  { files, maxBytes }: { readonly files: Files; readonly maxBytes: number },
): Promise<FileInput> {
  const place = await files.folders.existing(path, "read");
  return { ...place, maxBytes: Math.min(maxBytes, files.maxBytes) };
}
