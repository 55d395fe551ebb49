/** Answers one request, in a worker: nothing here needs to wait. */

import { relative } from "node:path";
import { unreadable } from "../builtin/protected.ts";
import { createFinder } from "./content.ts";
import { compileGlobs } from "./globs.ts";
import type {
  ContentFound,
  ContentRequest,
  FileCount,
  Match,
  NamesFound,
  NamesRequest,
  Where,
} from "./protocol.ts";
import { walk, type Walked } from "./walk.ts";

/** Names that globs let through. */
export function findNames(request: NamesRequest): NamesFound {
  const { root, base, globs, of, limit } = request;
  const lets = compileGlobs(globs);
  const entries: NamesFound["entries"][number][] = [];
  for (const { path, name, kind } of walk(root, request)) {
    if (of === "folder" ? kind !== "folder" : of === "file" && kind === "folder") continue;
    if (!lets(relative(root, path), name)) continue;
    if (entries.length === limit) return { entries, more: true };
    entries.push({ path: shown(path, base), kind });
  }
  return { entries, more: false };
}

/** Places where the contents match. */
export function findContent(request: ContentRequest): ContentFound {
  const { base, want, limit, maxFileBytes } = request;
  const find = createFinder(request.pattern, request);
  const matches: Match[] = [];
  const counts: FileCount[] = [];
  const full = () => (want === "matches" ? matches : counts).length > limit;
  for (const { path } of filesIn(request)) {
    const text = textOf(path, maxFileBytes);
    if (text === undefined) continue;
    const name = shown(path, base);
    const found = find(text, name, limit + 1 - matches.length);
    if (!found) continue;
    matches.push(...found.matches);
    if (want !== "matches") counts.push({ path: name, count: found.count });
    if (full()) break;
  }
  return { matches: matches.slice(0, limit), counts: counts.slice(0, limit), more: full() };
}

/** The file itself where one is searched. */
function* filesIn(where: Where): Generator<Pick<Walked, "path">> {
  if (Deno.statSync(where.root).isFile) return yield { path: where.root };
  const lets = compileGlobs(where.globs);
  for (const { path, name, kind } of walk(where.root, where)) {
    if (kind === "file" && lets(relative(where.root, path), name)) yield { path };
  }
}

/** The text of a file, or undefined where it is none that is searched. */
function textOf(path: string, maxBytes: number): string | undefined {
  if (unreadable(path) !== undefined) return undefined;
  try {
    const info = Deno.lstatSync(path);
    if (!info.isFile || info.size > maxBytes) return undefined;
    const bytes = Deno.readFileSync(path);
    const wide = bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
      ? "utf-16be"
      : undefined;
    if (!wide && bytes.includes(0)) return undefined;
    return new TextDecoder(wide ?? "utf-8").decode(bytes);
  } catch {
    // Gone, or closed to this user.
    return undefined;
  }
}

function shown(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}
