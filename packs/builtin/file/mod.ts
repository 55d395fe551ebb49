/** The `file` pack. */

import { createBuiltinPack, createFolders, whileNothingMoves } from "../kit/mod.ts";
import type { PathDeps } from "../kit/deps.ts";
import { createSearcher } from "../search/mod.ts";
import type { Pack } from "../../types.ts";
import { createLocks } from "./locks.ts";
import { readingTools } from "./reading_tools.ts";
import type { FileSettings } from "./settings.ts";
import type { Trash } from "./trash.ts";
import { createFileTurns } from "./turns.ts";
import { writingTools } from "./writing_tools.ts";

const SEARCH_MS = 20_000;

/** Makes the pack. */
export function createFilePack(settings: FileSettings, deps: PathDeps): Pack {
  const { project, home, now, closed, moves } = deps;
  const { allowed, backupDays: days } = settings;
  const folders = createFolders({ project, home, allowed, closed, key: "packs.file.allowed" });
  const turns = createFileTurns();
  const searcher = createSearcher({ timeoutMs: SEARCH_MS });
  async function trash(): Promise<Trash> {
    const { createTrash } = await import("./trash.ts");
    return createTrash({ project: await folders.base(), days, now });
  }
  const writing = settings.write
    ? writingTools({ folders, settings, locks: createLocks(home, { moves, turns }), trash })
    : [];
  return createBuiltinPack("file", [
    ...whileNothingMoves(readingTools({ folders, settings, searcher, turns }), moves),
    ...writing,
  ], {
    description: "Reads, finds and changes files of the project",
    owns: [searcher],
  });
}
