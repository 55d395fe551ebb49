/** Backups of overwritten and deleted files, kept for some days in `.onetool/trash`. */

import { dirname, join, relative } from "node:path";
import { openStateFolder } from "#files";
import type { Place } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import { inFolder } from "./open_folder.ts";

const DAY_MS = 86_400_000;
/** Name of a folder of the trash: its time, and some digits. */
const ENTRY = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[\da-f]{1,8}$/;

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

  /** Calls `fill` with a path in a new folder of this user alone, through the open trash; returns it
   * relative to the project. */
  async function room(place: Place, fill: (path: string) => Promise<void>): Promise<string> {
    try {
      openStateFolder(folder, { root: project });
    } catch (cause) {
      const why = "its folder .onetool/trash is a link or not your own: " +
        "set packs.file.backup to false, or mend it";
      throw new PackError("tool_error", `Cannot keep "${place.label}": ${why}`, { cause });
    }
    const stamp = new Date(now()).toISOString().replaceAll(":", "-");
    const name = `${stamp}-${crypto.randomUUID().slice(0, 8)}`;
    const below = relative(project, place.path);
    const within = below.startsWith("..") ? join("outside", place.path) : below;
    await inFolder({ path: join(folder, name), label: ".onetool/trash" }, async (own) => {
      await hideFromGit(dirname(own));
      await sweep(dirname(own));
      const path = join(own, within);
      await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await fill(path);
    });
    return relative(project, join(folder, name, within));
  }

  async function sweep(trash: string): Promise<void> {
    for await (const { name } of Deno.readDir(trash)) {
      const [, day = "", hour, minute, rest] = ENTRY.exec(name) ?? [];
      const createdAt = Date.parse(`${day}T${hour}:${minute}:${rest}`);
      if (now() - createdAt < days * DAY_MS || Number.isNaN(createdAt)) continue;
      // One that cannot be removed, as below a read-only folder, stays: the change goes on.
      await Deno.remove(join(trash, name), { recursive: true }).catch(() => {});
    }
  }

  return {
    keep: (bytes, place) =>
      room(place, (path) => Deno.writeFile(path, bytes, { createNew: true, mode: 0o600 })),
    take: (place, path) => room(place, (to) => Deno.rename(path, to)),
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
