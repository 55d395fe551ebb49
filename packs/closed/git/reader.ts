/** Reader of git's settings files, which keeps entries from one look to the next. */

import { isUnchanged, type Mark, markOf } from "../mark.ts";
import { inodeOf } from "../read_rules.ts";
import { type GitEntry, type Settings, settingsOf } from "./settings_text.ts";

/** Limits of all files that one look reads; a file counts once under all its names. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_SETTINGS = 50_000;
const SIZE = `${MOST_BYTES / 1024 / 1024} MB`;

/** Reads the entries of a file: an empty list if there is no such file, a reason if they cannot be
 * determined. All names of one file give the same list. */
export type GitReader = (file: string) => Promise<readonly GitEntry[] | string>;

export interface GitReaderDeps {
  /** Finds git, but no program that lies in this project. */
  readonly findGit: (project: string) => string | undefined;
  readonly now: () => number;
}

interface Kept extends Settings {
  readonly mark: Mark | undefined;
}

/** Creates a function that makes the reader of one look. It reuses the entries that the look before
 * used, where the file has not changed. */
export function createGitReader(
  { findGit, now }: GitReaderDeps,
): (project: string) => GitReader {
  let latest: ReadonlyMap<string, Kept> = new Map();
  return (project) => {
    const before = latest;
    const used = new Map<string, Kept>();
    latest = used;
    const room = { bytes: MOST_BYTES, settings: MOST_SETTINGS };
    return async (file) => {
      const info = await Deno.stat(file).catch(() => undefined);
      if (!info?.isFile) return [];
      const id = info.ino === null ? file : inodeOf(info);
      const same = used.get(id);
      if (same) return same.entries;
      if (info.size > MOST_BYTES) return `"${file}" has over ${SIZE}`;
      if (info.size > room.bytes) return `git's settings have over ${SIZE}`;
      const mark = markOf(info, now());
      const last = before.get(id);
      const settings = last && isUnchanged(info, last.mark)
        ? last
        : await settingsOf(file, { git: findGit(project), room });
      if (typeof settings === "string") return settings;
      room.bytes -= Math.max(info.size, settings.bytes);
      room.settings -= settings.entries.length;
      if (room.bytes < 0) return `git's settings have over ${SIZE}`;
      if (room.settings < 0) return `git has over ${MOST_SETTINGS.toLocaleString("en")} settings`;
      used.set(id, { ...settings, mark });
      return settings.entries;
    };
  };
}
