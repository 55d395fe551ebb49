/** Changes of tools that a person was shown last: a digest for each tool, beside the pins. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { attempt } from "#base";
import { openStateFolder, readOwn, writeWhole } from "#files";
import type { PinChange } from "./changes.ts";

const NAME = "pins-shown.json";
const MOST_BYTES = 16 * 1024 * 1024;

/** Keeps what is shown in place of what was shown before. Throws where it cannot be written. */
export function keepShown(cacheDir: string, changes: readonly PinChange[]): void {
  openStateFolder(cacheDir, { root: cacheDir });
  const text = JSON.stringify([...digestsOf(changes)]);
  writeWhole(join(cacheDir, NAME), text, { root: cacheDir, mode: 0o600 });
}

/** Tells that all of these changes were shown last, as they are. */
export function wereShown(cacheDir: string, changes: readonly PinChange[]): boolean {
  const last = readShown(cacheDir);
  return [...digestsOf(changes)].every((digest) => last.includes(digest));
}

function readShown(cacheDir: string): readonly unknown[] {
  // Without the file nothing was shown.
  const list: unknown = attempt(() => {
    const own = readOwn(join(cacheDir, NAME), { maxBytes: MOST_BYTES });
    return own.kind === "text" ? JSON.parse(own.text) : [];
  });
  return Array.isArray(list) ? list : [];
}

function digestsOf(changes: readonly PinChange[]): ReadonlySet<string> {
  const parts = [...Map.groupBy(changes, ({ tool }) => tool).values()];
  return new Set(
    parts.map((all) => createHash("sha256").update(JSON.stringify(all)).digest("hex")),
  );
}
