/** Files of learned shapes, one a server, that several gateways of a project write. */

import { join } from "node:path";
import { attempt, type Log } from "#base";
import { lockFile, openStateFolder, readOwn, writeWhole } from "#files";
import { type Learned, MOST_BYTES, readLearned, writeLearned } from "./saved_text.ts";

export type LearnedTools = ReadonlyMap<string, Learned>;

export interface ShapeFiles {
  /** Tools of a server as they were saved; empty where its file is missing or damaged. */
  read(server: string): LearnedTools;
  /** Changes a server's file while no other process does. Rejects where it cannot be written. */
  update(server: string, change: (saved: LearnedTools) => LearnedTools): Promise<LearnedTools>;
  /** Removes all files. */
  clear(): Promise<void>;
  /** Servers whose file has changed since it was read or written here. */
  changed(): Promise<readonly string[]>;
}

const FOLDER = "shapes";
const LOCK = ".lock";
const FILE_MODE = 0o600;
/** Others hold the lock for milliseconds, unless they are stopped. */
const PATIENCE_MS = 3_000;

/** Opens the files below a project's cache folder; nothing is made before the first update. */
export function createShapeFiles(
  { cacheDir, log }: { readonly cacheDir: string; readonly log: Log },
): ShapeFiles {
  const folder = join(cacheDir, FOLDER);
  const times = new Map<string, number>();
  let folderTime = 0;

  function pathOf(server: string): string {
    return join(folder, `${encodeURIComponent(server)}.json`);
  }

  function read(server: string): LearnedTools {
    const path = pathOf(server);
    times.set(server, timeOf(path));
    try {
      const own = readOwn(path, { maxBytes: MOST_BYTES });
      if (own.kind === "text") return readLearned(own.text);
      if (own.kind === "refused") {
        log("warning", "Learned shapes were not read", { server, ...own });
      }
    } catch (error) {
      log("warning", "Cannot read learned shapes", { server, error: String(error) });
    }
    return new Map();
  }

  async function locked<T>(work: () => T): Promise<T> {
    openStateFolder(folder, { root: cacheDir });
    using lock = await lockFile(join(folder, LOCK), { timeoutMs: PATIENCE_MS });
    if (!lock) throw new Error("another process holds their lock");
    return work();
  }

  return {
    read,
    update(server, change) {
      return locked(() => {
        const text = writeLearned(change(read(server)));
        writeWhole(pathOf(server), text, { root: cacheDir, mode: FILE_MODE });
        times.set(server, timeOf(pathOf(server)));
        return readLearned(text);
      });
    },
    async clear() {
      if (timeOf(folder) === 0) return;
      await locked(() => {
        for (const { name } of Deno.readDirSync(folder)) {
          if (name.endsWith(".json")) Deno.removeSync(join(folder, name));
        }
      });
      for (const server of times.keys()) times.set(server, 0);
    },
    async changed() {
      const time = (await Deno.stat(folder).catch(() => undefined))?.mtime?.getTime() ?? 0;
      if (time === folderTime) return [];
      folderTime = time;
      return [...times].filter(([server, at]) => timeOf(pathOf(server)) !== at)
        .map(([server]) => server);
    },
  };
}

/** When a path was changed, in milliseconds; 0 where it is missing. */
function timeOf(path: string): number {
  // It is not there yet.
  return attempt(() => Deno.statSync(path).mtime?.getTime() ?? 0, 0);
}
