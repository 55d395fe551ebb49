/** Reads the events of `rg --json`. */

import { clip, MOST_CHARACTERS, sizeOf, withContext, withoutEnd } from "../search/lines.ts";
import type { ContentMatches, ContentRequest, FileCount, Match } from "../search/mod.ts";
import { relativeTo } from "../search/paths.ts";

/** Text, or bytes in base64 if it is not UTF-8. */
type Data = { readonly text: string } | { readonly bytes: string };

interface Lines {
  readonly lines: Data;
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

/** One line of `rg --json`. */
export type RipgrepEvent =
  | { readonly type: "begin"; readonly data: { readonly path: Data } }
  | { readonly type: "match" | "context"; readonly data: Lines }
  | { readonly type: "end"; readonly data: { readonly binary_offset: number | null } }
  | { readonly type: "summary" };

export interface Collector {
  take(line: string): void;
  /** True if the limit is exceeded. */
  isFull(): boolean;
  /** True if ripgrep finished. */
  isComplete(): boolean;
  result(): ContentMatches;
}

interface OpenFile {
  readonly path: string;
  readonly searched: boolean;
  readonly matches: (Match & { readonly covered: number })[];
  readonly lines: Map<number, string>;
}

/** Makes the collector; `isSearched` tells whether a file is searched. */
export function createCollector(
  request: ContentRequest,
  isSearched: (path: string) => boolean,
): Collector {
  const { limit, context, base, pattern } = request;
  const matches: Match[] = [];
  let file: OpenFile | undefined;
  let complete = false;
  let size = 0;

  function take(line: string): void {
    const event = JSON.parse(line) as RipgrepEvent;
    if (event.type === "begin") file = opened(textOf(event.data.path));
    else if (event.type === "end") close(event.data.binary_offset !== null);
    else if (event.type === "summary") complete = true;
    else if (file?.searched) note(file, event.data);
  }

  function opened(path: string): OpenFile {
    const name = relativeTo(path, base);
    return { path: name, searched: isSearched(path), matches: [], lines: new Map() };
  }

  function note(into: OpenFile, { lines, line_number, submatches }: Lines): void {
    if (context > 0) {
      for (const [index, part] of withoutEnd(textOf(lines)).split(/\r?\n/).entries()) {
        into.lines.set(line_number + index, part);
      }
    }
    const each = pattern.multiline ? submatches : submatches.slice(0, 1);
    if (into.matches.length > limit) return;
    for (const place of each) into.matches.push(matchAt(into.path, { lines, line_number, place }));
  }

  function close(isBinary: boolean): void {
    if (file?.searched && !isBinary) {
      const { lines } = file;
      for (const { covered, ...bare } of file.matches) {
        const match = withContext(bare, (at) => lines.get(at), { context, lines: covered });
        size += sizeOf(match);
        if (size > MOST_CHARACTERS) break;
        matches.push(match);
      }
    }
    file = undefined;
  }

  const isFull = () => matches.length > limit || size > MOST_CHARACTERS;
  return {
    take,
    isFull,
    isComplete: () => complete,
    result: () => ({
      matches: matches.sort(inOrder).slice(0, limit),
      counts: [],
      more: isFull(),
    }),
  };
}

interface Submatch extends Pick<Lines, "lines" | "line_number"> {
  readonly place: { readonly start: number; readonly end: number };
}

function matchAt(
  path: string,
  { lines, line_number, place }: Submatch,
): OpenFile["matches"][number] {
  const text = textOf(lines);
  const before = headOf(lines, place.start);
  const matched = headOf(lines, place.end).slice(before.length);
  const start = before.lastIndexOf("\n") + 1;
  const above = before.split("\n").length - 1;
  const covered = matched.replace(/\n$/, "").split("\n").length;
  const own = text.split("\n").slice(above, above + covered).map(withoutEnd).join("\n");
  const column = before.length - start + 1;
  return { path, line: line_number + above, column, text: clip(own, column), covered };
}

function textOf(data: Data): string {
  return "text" in data ? data.text : new TextDecoder().decode(Uint8Array.fromBase64(data.bytes));
}

/** Text before an offset in bytes. */
function headOf(data: Data, offset: number): string {
  if ("bytes" in data) {
    return new TextDecoder().decode(Uint8Array.fromBase64(data.bytes).subarray(0, offset));
  }
  const head = data.text.slice(0, offset);
  if (!/[^\0-\x7f]/.test(head)) return head;
  return new TextDecoder().decode(new TextEncoder().encode(data.text).subarray(0, offset));
}

/** Compares by the worker's order of paths, then by the place in the file. */
export function inOrder(a: FileCount | Match, b: FileCount | Match): number {
  const [left, right] = [a.path.replaceAll("/", "\0"), b.path.replaceAll("/", "\0")];
  if (left !== right) return left < right ? -1 : 1;
  return "line" in a && "line" in b ? a.line - b.line || a.column - b.column : 0;
}
