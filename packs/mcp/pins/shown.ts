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
  if (changes.length > 0 || readShown(cacheDir) !== undefined) write(cacheDir, digestsOf(changes));
}

/** True if a person was never shown any changes, or was shown all of these exactly as they are. */
export function wereShown(cacheDir: string, changes: readonly PinChange[]): boolean {
  const digests = readShown(cacheDir);
  if (digests === undefined) return true;
  return [...digestsOf(changes)].every(([tool, digest]) => digests.get(tool) === digest);
}

/** Removes the digests of tools that are accepted. With the last of them it removes the file, as if
 * no change had been shown. */
export function forgetShown(cacheDir: string, tools: readonly string[]): void {
  const digests = readShown(cacheDir);
  const accepted = tools.filter((tool) => digests?.delete(tool));
  if (digests === undefined || accepted.length === 0) return;
  if (digests.size > 0) write(cacheDir, digests);
  else Deno.removeSync(join(cacheDir, NAME));
}

function write(cacheDir: string, digests: ReadonlyMap<string, unknown>): void {
  openStateFolder(cacheDir, { root: cacheDir });
  const text = JSON.stringify(Object.fromEntries(digests));
  writeWhole(join(cacheDir, NAME), text, { root: cacheDir, mode: 0o600 });
}

/** Digests by tool; undefined if there is no file, empty if it cannot be read. */
function readShown(cacheDir: string): Map<string, unknown> | undefined {
  const own = readOwn(join(cacheDir, NAME), { maxBytes: MOST_BYTES });
  if (own.kind === "missing") return undefined;
  const digests: unknown = own.kind === "text" ? attempt(() => JSON.parse(own.text)) : undefined;
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
