/** Deadline for reading a program. */

import type { SnippetSource, Source } from "./types.ts";

/** Milliseconds for any program, and for every 1,000 characters. */
const BASE_MS = 2_000;
const PER_THOUSAND_MS = 10;

/** Deadline in milliseconds, by the size of the program. */
export function deadlineOf(source: Source | SnippetSource): number {
  return BASE_MS + PER_THOUSAND_MS * sizeOf(source) / 1_000;
}

function sizeOf(source: Source | SnippetSource): number {
  if (source.kind === "snippet") return JSON.stringify(source.values).length;
  if (source.kind === "command") return source.command.length;
  return Object.values(source.files).reduce((sum, text) => sum + text.length, source.script.length);
}
