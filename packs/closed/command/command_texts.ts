/** Texts of commands that lead to further files: a Makefile, a script of a shell. One bound holds for
 * all that the servers of a configuration lead to. */

import { dirname } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { entriesOf, filesAmong, MOST_NAMED, pathsAmong, wordsOf } from "../words.ts";
import { interpretersAmong, type Lookup } from "./first_bytes.ts";
import { createNamedPrograms, type NamedPrograms } from "./named_programs.ts";

/** Bytes that are read of a file that names others. */
export const MOST_BYTES = 256 * 1024;
/** Limit of the paths that all texts name together. Reading a text costs `TEXT` paths more for each
 * folder, and processing a file `FILE`. */
const MOST_PATHS = 50_000;
const TEXT = 100;
const FILE = 25;

/** The home folder, as a shell writes it. */
const HOME = /\$(?:HOME\b|\{HOME\})(?=\/)/g;

interface Named {
  readonly files: readonly string[];
  /** Scripts on `PATH`. */
  readonly programs: readonly string[];
  /** Paths at which interpreters may lie. */
  readonly interpreters: readonly string[];
}

const NOTHING: Named = { files: [], programs: [], interpreters: [] };

interface TextPlaces extends Lookup {
  readonly home: string;
  /** Folders that programs may use. */
  readonly allowed: readonly string[];
}

export interface CommandTexts {
  readonly named: NamedPrograms;
  /** Files and programs that a text names; none beyond the limit. Words may be relative to the bases
   * and to the folder of the text. */
  namedIn(path: string, places: TextPlaces): Promise<Named>;
  /** True if this was done at this depth or a smaller one, or the limit is reached; else marks it
   * as done. */
  isDone(parts: readonly unknown[], depth: number): boolean;
  /** Reason why any file may be one that a text names. */
  undecided(): string | undefined;
}

export function createCommandTexts(): CommandTexts {
  const [done, folders] = [new Map<string, number>(), new Map<string, ReadonlySet<string>>()];
  const named = createNamedPrograms();
  let left = MOST_PATHS;

  async function entriesIn(folder: string): Promise<ReadonlySet<string>> {
    const entries = folders.get(folder) ?? await entriesOf(folder);
    folders.set(folder, entries);
    return entries;
  }

  return {
    named,
    async namedIn(path, places) {
      const text = attempt(() => readRegularText(path, MOST_BYTES));
      if (text === undefined) return NOTHING;
      const words = wordsOf([text.replaceAll(HOME, "~")]);
      const files: string[] = [];
      for (const folder of new Set([...places.bases, dirname(path)])) {
        const paths = pathsAmong(words, { ...places, folder, entries: await entriesIn(folder) });
        left -= TEXT + paths.length;
        if (left < 0) return NOTHING;
        files.push(...await filesAmong(paths));
      }
      const interpreters = interpretersAmong(words, places).slice(0, MOST_NAMED);
      return { files, programs: await named.leads(words, places), interpreters };
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
