/** Where the folders that a pack's settings name lie. */

import { expandPath } from "../find.ts";

export interface PackPlace {
  readonly project: string;
  readonly home: string;
}

/** The folders, absolute; the project's alone where none are named. */
export function foldersOf(
  named: readonly string[] | undefined,
  { project, home }: PackPlace,
): readonly string[] {
  return (named ?? ["."]).map((path) => expandPath(path, { home, base: project }));
}
