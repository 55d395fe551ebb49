/** Files that a pack may read although it is not the `file` pack: within that pack's folders. */

import type { Folders } from "./folders.ts";

export interface Files {
  readonly folders: Folders;
  readonly maxBytes: number;
}

/** A file that may be read, for a worker: bytes sent to one would hold up both sides. */
export interface FileInput {
  /** Absolute, without links. */
  readonly path: string;
  /** As errors say it. */
  readonly shown: string;
  readonly maxBytes: number;
}

/** Lets a path through, or throws `PackError`. */
export async function fileInput(
  path: string,
  { files, maxBytes }: { readonly files: Files; readonly maxBytes: number },
): Promise<FileInput> {
  const place = await files.folders.existing(path, "read");
  return { ...place, maxBytes: Math.min(maxBytes, files.maxBytes) };
}
