/** How long the reading of a program may take. */

import type { Source } from "./types.ts";

/** Whatever the size, and for every 1,000 characters, milliseconds. */
const BASE_MS = 2_000;
const PER_THOUSAND_MS = 10;

/** Milliseconds, by the program's size. */
export function deadlineOf(source: Source): number {
  return BASE_MS + PER_THOUSAND_MS * sizeOf(source) / 1_000;
}

function sizeOf(source: Source): number {
  if (source.kind === "command") return source.command.length;
  return Object.values(source.files).reduce((sum, text) => sum + text.length, source.script.length);
}
