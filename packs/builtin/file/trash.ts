/** Backups of overwritten and deleted files, kept for some days in `.onetool/trash`. */

import { dirname, join, relative } from "node:path";
import { openStateFolder } from "#files";
import type { Place } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";

const DAY_MS = 86_400_000;

export interface Trash {
  /** Writes a copy; returns its path relative to the project. */
  keep(bytes: Uint8Array, place: Place): Promise<string>;
  /** Moves an entry to the trash; returns its path relative to the project. */
  take(place: Place, path: string): Promise<string>;
}

export interface TrashOptions {
  /** The real path of the project. */
  readonly project: string;
  readonly days: number;
  readonly now: () => number;
}

/** Makes the trash. */
export function createTrash({ project, days, now }: TrashOptions): Trash {
  const folder = join(project, ".onetool", "trash");

  /** Makes a new folder and returns a path in it. */
  async function room({ path, label }: Place): Promise<string> {
    try {
      openStateFolder(folder, { root: project });
    } catch (cause) {
      const why = "its folder .onetool/trash is a link or not your own: " +
        "set packs.file.backup to false, or mend it";
      throw new PackError("tool_error", `Cannot keep "${label}": ${why}`, { cause });
    }
    await hideFromGit(folder);
    await sweep();
    const stamp = new Date(now()).toISOString().replaceAll(":", "-");
    const own = join(folder, `${stamp}-${crypto.randomUUID().slice(0, 8)}`);
    const below = relative(project, path);
    const to = join(own, below.startsWith("..") ? join("outside", path) : below);
    await Deno.mkdir(dirname(to), { recursive: true, mode: 0o700 });
    return to;
  }

  async function sweep(): Promise<void> {
    for await (const { name } of Deno.readDir(folder)) {
      const createdAt = Date.parse(name.slice(0, 24).replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"));
      if (now() - createdAt < days * DAY_MS || Number.isNaN(createdAt)) continue;
      await Deno.remove(join(folder, name), { recursive: true });
    }
  }

  return {
    async keep(bytes, place) {
      const to = await room(place);
      await Deno.writeFile(to, bytes, { createNew: true, mode: 0o600 });
      return relative(project, to);
    },
    async take(place, path) {
      const to = await room(place);
      await Deno.rename(path, to);
      return relative(project, to);
    },
  };
}

/** Makes `.gitignore`. An existing one stays: it might be a link. */
async function hideFromGit(folder: string): Promise<void> {
  try {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n", { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
