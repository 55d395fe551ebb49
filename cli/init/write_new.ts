/** Writes files of a project that may be anybody's, so that nothing is written elsewhere. */

import { writeNew as writeNewFile, type WriteOptions, writeWhole as writeWholeFile } from "#files";
import { CliError } from "../error.ts";

/** Writes a file unless there is one; answers whether it did. Throws `CliError`. */
export function writeNew(file: string, text: string, options: WriteOptions): boolean {
  return telling(file, () => writeNewFile(file, text, options));
}

/** Writes a file whole, also in the place of one. Throws `CliError`. */
export function writeWhole(file: string, text: string, options: WriteOptions): void {
  telling(file, () => writeWholeFile(file, text, options));
}

function telling<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(1, `Cannot write "${file}": ${why}`, { cause });
  }
}

/** Folder of the configuration in a project or in the home folder, and below which no link is
 * followed: what a clone came with is not the user's, and the home folder is. */
export interface InitPlace {
  readonly folder: string;
  readonly root: string;
}

/** Whether something is there, a link to nowhere too. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
