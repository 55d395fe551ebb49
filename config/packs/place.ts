/** Where the folders that a pack's settings name lie. */

import type { OwnFiles } from "#packs";
import { expandPath } from "../find.ts";

export interface PackPlace {
  readonly project: string;
  readonly home: string;
  /** What programs may not change, or not read. */
  readonly own: OwnFiles;
}

/** The folders, absolute; the project's alone where none are named. */
export function foldersOf(
  named: readonly string[] | undefined,
  { project, home }: PackPlace,
): readonly string[] {
  return (named ?? ["."]).map((path) => expandPath(path, { home, base: project }));
}
