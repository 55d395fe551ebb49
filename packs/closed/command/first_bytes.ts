/** First bytes of a file, and the interpreters that they name. */

import type { Stats } from "node:fs";
import { open } from "node:fs/promises";
import { basename, delimiter } from "node:path";
import { isInterpreter } from "../../interpreters.ts";
import { isProgram, isScript } from "../languages.ts";
import { pathIn } from "../link_names.ts";

/** True for a file that the system runs: it says by which interpreter, or is native. */
export async function isExecutable(path: string, { mode }: Stats): Promise<boolean> {
  return (mode & 0o111) !== 0 && isProgram(await firstBytes(path));
}

/** The first bytes of a file, as many as there are. */
export async function firstBytes(path: string, count = 256): Promise<Uint8Array> {
  const file = await open(path).catch(() => undefined);
  try {
    const bytes = new Uint8Array(count);
    const length = (await file?.read(bytes, 0, bytes.length, 0))?.bytesRead ?? 0;
    return bytes.subarray(0, length);
  } finally {
    await file?.close();
  }
}

export interface Lookup {
  /** Folders that a path may be relative to. */
  readonly bases: readonly string[];
  /** `PATH`, relative to the first of them. */
  readonly path: string;
}

/** Paths at which the interpreters may lie that the first lines of a script name. */
export function interpretersIn(bytes: Uint8Array, places: Lookup): string[] {
  return isScript(bytes) ? interpretersAmong(wordsOf(bytes), places) : [];
}

/** Words of the first line of a script. */
export function firstWords(bytes: Uint8Array): string[] {
  return isScript(bytes) ? wordsOf(bytes.subarray(0, bytes.indexOf(0x0a) >>> 0)) : [];
}

function wordsOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split(/[\s"'=!]+/);
}

/** Paths at which the interpreters may lie that words name. */
export function interpretersAmong(words: readonly string[], { bases, path }: Lookup): string[] {
  const [cwd = "/"] = bases;
  const names = words.filter((word) => isInterpreter(basename(word)));
  return names.flatMap((name) =>
    name.includes("/")
      ? bases.map((base) => pathIn(base, name))
      : path.split(delimiter).map((folder) => pathIn(pathIn(cwd, folder), name))
  );
}
