/** Texts of commands that lead to further files: a Makefile, a script of a shell. One bound holds for
 * all that the servers of a configuration lead to. */

import { dirname } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { entriesOf, filesAmong, pathsAmong, wordsOf } from "../words.ts";

/** Bytes that are read of a file that names others. */
export const MOST_BYTES = 256 * 1024;
/** Limit of the paths that all texts name together. Reading a text costs `TEXT` paths more for each
 * folder, and processing a file `FILE`. */
const MOST_PATHS = 50_000;
const TEXT = 100;
const FILE = 25;

interface TextPlaces {
  /** Folders that words may be relative to, beside that of the text. */
  readonly bases: readonly string[];
  readonly home: string;
}

export interface CommandTexts {
  /** Files that a text names; none beyond the limit. */
  filesIn(path: string, places: TextPlaces): Promise<readonly string[]>;
  /** True if this was done at this depth or a smaller one, or the limit is reached; else marks it
   * as done. */
  isDone(parts: readonly unknown[], depth: number): boolean;
  /** Reason why any file may be one that a text names. */
  undecided(): string | undefined;
}

export function createCommandTexts(): CommandTexts {
  const [done, folders] = [new Map<string, number>(), new Map<string, ReadonlySet<string>>()];
  let left = MOST_PATHS;

  async function entriesIn(folder: string): Promise<ReadonlySet<string>> {
    const entries = folders.get(folder) ?? await entriesOf(folder);
    folders.set(folder, entries);
    return entries;
  }

  return {
    async filesIn(path, { bases, home }) {
      const text = attempt(() => readRegularText(path, MOST_BYTES));
      if (text === undefined) return [];
      const words = wordsOf([text]);
      const files: string[] = [];
      for (const folder of new Set([...bases, dirname(path)])) {
        const paths = pathsAmong(words, { folder, home, entries: await entriesIn(folder) });
        left -= TEXT + paths.length;
        if (left < 0) return [];
        files.push(...await filesAmong(paths));
      }
      return files;
    },
    isDone(parts, depth) {
      const key = parts.join("\0");
      const isDone = (done.get(key) ?? Infinity) <= depth;
      if (isDone || left < 0) return true;
      done.set(key, depth);
      left -= FILE;
      return false;
    },
    undecided() {
      return left < 0 ? "the files that start servers name too many others" : undefined;
    },
  };
}
