/** Identity of a checked file: another one may lie at its path when it is opened. */

/** A checked file, as plain data that threads and processes can take. */
export interface CheckedFile {
  readonly dev: number;
  /** 0 where the system gives no numbers. */
  readonly ino: number;
}

/** Facts of a file, by its path or by a handle. */
interface Looked {
  readonly dev: number;
  readonly ino: number | null;
  readonly nlink: number | null;
}

/** Identity of the file that a check looked at; undefined where none was there. */
export function checkedFile(info: Looked | undefined): CheckedFile | undefined {
  return info && { dev: info.dev, ino: info.ino ?? 0 };
}

/** True if a file is not the one that was checked at its path. A file without a second name is
 * never refused: only its path can close it. */
export function isUnchecked(info: Looked, checked: CheckedFile | undefined): boolean {
  if (info.nlink === 1 || !info.ino || checked?.ino === 0) return false;
  return info.ino !== checked?.ino || info.dev !== checked.dev;
}
