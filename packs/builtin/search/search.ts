/** Searches of names and contents. They run in a worker, so they are synchronous. */

import { createFinder } from "./content.ts";
import { createTextReader } from "./file_text.ts";
import { compileGlobs } from "./globs.ts";
import type {
  ContentMatches,
  ContentRequest,
  FileCount,
  Match,
  NameMatches,
  NamesRequest,
  Where,
} from "./protocol.ts";
import { levelsAbove } from "./ignore_rules.ts";
import { MOST_CHARACTERS, sizeOf } from "./lines.ts";
import { isClosed, relativeTo } from "./paths.ts";
import { walk, type Walked } from "./walk.ts";

/** True if the ignore files above a folder ignore it. */
export function isIgnored(folder: string): boolean {
  return levelsAbove(folder) === undefined;
}

/** Finds names that match the globs. */
export function findNames(request: NamesRequest): NameMatches {
  const { root, base, globs, of, limit } = request;
  const matches = compileGlobs(globs);
  const entries: NameMatches["entries"][number][] = [];
  for (const { path, name, kind } of walk(root, request)) {
    if (of === "folder" ? kind !== "folder" : of === "file" && kind === "folder") continue;
    if (!matches(path.slice(root.length + 1), name) || isClosed(path, request.closed)) continue;
    if (entries.length === limit) return { entries, more: true };
    entries.push({ path: relativeTo(path, base), kind });
  }
  return { entries, more: false };
}

/** Finds places where the contents match. */
export function findContent(request: ContentRequest): ContentMatches {
  const { base, want, limit } = request;
  const read = createTextReader(request.maxFileBytes);
  const find = createFinder(request.pattern, request);
  const matches: Match[] = [];
  const counts: FileCount[] = [];
  let size = 0;
  const full = () =>
    (want === "matches" ? matches : counts).length > limit || size > MOST_CHARACTERS;
  for (const { path } of filesIn(request)) {
    if (isClosed(path, request.closed)) continue;
    const name = relativeTo(path, base);
    const result = read(path, (text) => find(text, name, limit + 1 - matches.length));
    if (!result) continue;
    for (const match of result.matches) {
      size += sizeOf(match);
      if (size > MOST_CHARACTERS) break;
      matches.push(match);
    }
    if (want !== "matches") counts.push({ path: name, count: result.count });
    if (full()) break;
  }
  return { matches: matches.slice(0, limit), counts: counts.slice(0, limit), more: full() };
}

/** Files to search: the root itself, or the files below it. */
function* filesIn(where: Where): Generator<Pick<Walked, "path">> {
  if (Deno.statSync(where.root).isFile) return yield { path: where.root };
  const matches = compileGlobs(where.globs);
  for (const { path, name, kind } of walk(where.root, where)) {
    if (kind === "file" && matches(path.slice(where.root.length + 1), name)) yield { path };
  }
}
