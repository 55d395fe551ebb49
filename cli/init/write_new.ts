/** Writes of files in a project that may come from a stranger: they follow no links out of it. */

import { messageOf } from "#base";
import {
  readOwn,
  writeNew as writeNewFile,
  type WriteOptions,
  writeWhole as writeWholeFile,
} from "#files";
import { CliError } from "../error.ts";

/** Writes a file unless it exists; returns true if it was written. Throws `CliError`. */
export function writeNew(file: string, text: string, options: WriteOptions): boolean {
  return withPath(file, () => writeNewFile(file, text, options));
}

/** Writes a whole file, replacing an existing one. Throws `CliError`. */
export function writeWhole(file: string, text: string, options: WriteOptions): void {
  withPath(file, () => writeWholeFile(file, text, options));
}

/** Text of a file that is there; `action` is what cannot be done without it. Throws `CliError` for
 * what is no file, or may be a stranger's. */
export function readExisting(file: string, action: string): string {
  const own = withPath(file, () => readOwn(file));
  if (own.kind === "text") return own.text;
  const [why, fix] = own.kind === "refused"
    ? [own.why, own.fix]
    : ["it is a link that leads nowhere", "Remove it"];
  throw new CliError(1, `Cannot ${action} "${file}": ${why}: ${fix}`);
}

function withPath<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const why = messageOf(cause);
    throw new CliError(1, `Cannot write "${file}": ${why}`, { cause });
  }
}

/** Folder of the configuration, and the root below which no link is followed: a clone may come from
 * a stranger, the home folder is the user's. */
export interface InitPlace {
  readonly folder: string;
  readonly root: string;
}
