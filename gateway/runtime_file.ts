/** Generated modules, the same below `/runtime/` and below the path of a run. */

import { HttpError } from "./problem.ts";

export interface RuntimeFile {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Entries that a filter may have. */
const MAX_ENTRIES = 200;

/** Reads `?filter=`, where an address has one. */
export function readFilter(url: string): string[] {
  const filter = new URL(url).searchParams.get("filter") ?? "";
  const entries = filter.split(",").map((item) => item.trim()).filter(Boolean);
  if (entries.length <= MAX_ENTRIES) return entries;
  const message = `Cannot filter by ${entries.length} entries: at most ${MAX_ENTRIES}: use globs`;
  throw new HttpError("bad_request", message);
}

/** Makes the file at `path` below `/runtime/` of its text; throws 404 without one. */
export function runtimeFile(path: string, text: string | undefined): RuntimeFile {
  if (text === undefined) {
    throw new HttpError("not_found", `No module "${path}" below /runtime/: import tools.ts`);
  }
  const type = path.endsWith(".js") ? "javascript" : "typescript";
  return {
    text,
    headers: { "content-type": `application/${type}`, "cache-control": "no-store" },
  };
}
