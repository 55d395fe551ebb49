/** Changes of tools that a person was shown and has not accepted since: a digest for each tool, beside
 * the pins. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { attempt, isObject } from "#base";
import { openStateFolder, readOwn, writeWhole } from "#files";
import type { PinChange } from "./changes.ts";

const NAME = "pins-shown.json";
const MOST_BYTES = 16 * 1024 * 1024;

/** Keeps what is shown in place of what was shown before. Throws where it cannot be written. */
export function keepShown(cacheDir: string, changes: readonly PinChange[]): void {
  if (changes.length > 0 || readShown(cacheDir).size > 0) write(cacheDir, digestsOf(changes));
}

/** Tells that nothing was shown, or all of these changes as they are. */
export function wereShown(cacheDir: string, changes: readonly PinChange[]): boolean {
  const digests = readShown(cacheDir);
  if (digests.size === 0) return true;
  return [...digestsOf(changes)].every(([tool, digest]) => digests.get(tool) === digest);
}

/** Forgets what was shown of tools that are accepted. */
export function forgetShown(cacheDir: string, tools: readonly string[]): void {
  const digests = readShown(cacheDir);
  const accepted = tools.filter((tool) => digests.delete(tool));
  if (accepted.length > 0) write(cacheDir, digests);
}

function write(cacheDir: string, digests: ReadonlyMap<string, unknown>): void {
  openStateFolder(cacheDir, { root: cacheDir });
  const text = JSON.stringify(Object.fromEntries(digests));
  writeWhole(join(cacheDir, NAME), text, { root: cacheDir, mode: 0o600 });
}

function readShown(cacheDir: string): Map<string, unknown> {
  // Without the file nothing was shown.
  const digests: unknown = attempt(() => {
    const own = readOwn(join(cacheDir, NAME), { maxBytes: MOST_BYTES });
    return own.kind === "text" ? JSON.parse(own.text) : undefined;
  });
  return new Map(isObject(digests) ? Object.entries(digests) : []);
}

function digestsOf(changes: readonly PinChange[]): ReadonlyMap<string, string> {
  const parts = [...Map.groupBy(changes, ({ tool }) => tool)];
  return new Map(
    parts.map(([tool, all]) => [
      tool,
      createHash("sha256").update(JSON.stringify(all)).digest("hex"),
    ]),
  );
}
