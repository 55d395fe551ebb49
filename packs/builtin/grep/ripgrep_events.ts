/** Reads the events of `rg --json`. */

import { clip, MOST_CHARACTERS, sizeOf, withContext, withoutEnd } from "../search/lines.ts";
import type { ContentMatches, ContentRequest, FileCount, Match } from "../search/mod.ts";
import { relativeTo } from "../search/paths.ts";

/** Text, or bytes in base64 if it is not UTF-8. */
type Data = { readonly text: string } | { readonly bytes: string };

/** Start of the event at the end of a file. */
const END = '{"type":"end"';

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
  /** Events of the file that may hold lines around its last match. */
  let around = context;

  function take(line: string): void {
    if (file && file.matches.length > limit && !line.startsWith(END) && around-- <= 0) return;
    const event = JSON.parse(line) as RipgrepEvent;
    if (event.type === "begin") {
      file = opened(textOf(event.data.path));
      around = context;
    } else if (event.type === "end") close(event.data.binary_offset !== null);
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
    const most = Math.max(0, limit + 1 - into.matches.length);
    const places = submatches.slice(0, pattern.multiline ? most : Math.min(1, most));
    into.matches.push(...matchesAt(into.path, { lines, line_number, places }));
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

interface Submatches extends Pick<Lines, "lines" | "line_number"> {
  /** In their order. */
  readonly places: Lines["submatches"];
}

/** Reads the matches in one pass over the lines. */
function matchesAt(
  path: string,
  { lines, line_number, places }: Submatches,
): OpenFile["matches"] {
  const text = textOf(lines);
  const cursor = createCursor(text, lines);
  return places.map(({ start, end }) => {
    const { at, line, lineStart } = cursor.moveTo(start);
    const matched = text.slice(at, cursor.charsAt(end));
    const covered = matched.replace(/\n$/, "").split("\n").length;
    let lineEnd = lineStart - 1;
    for (let left = covered; left > 0; left--) lineEnd = endOfLine(text, lineEnd + 1);
    const own = text.slice(lineStart, lineEnd).split("\n").map(withoutEnd).join("\n");
    const column = at - lineStart + 1;
    return { path, line: line_number + line, column, text: clip(own, column), covered };
  });
}

/** A place in a text that only moves on. */
interface Cursor {
  /** Moves to an offset in bytes. */
  moveTo(
    offset: number,
  ): { readonly at: number; readonly line: number; readonly lineStart: number };
  /** Characters before an offset in bytes, from here on. */
  charsAt(offset: number): number;
}

function createCursor(text: string, data: Data): Cursor {
  const isPlain = "text" in data && !/[^\0-\x7f]/.test(text);
  const bytes = isPlain ? undefined : bytesOf(data);
  const decoder = new TextDecoder();
  let [offset, at, line, lineStart] = [0, 0, 0, 0];
  const charsAt = (to: number) =>
    bytes ? at + decoder.decode(bytes.subarray(offset, to)).length : to;
  return {
    charsAt,
    moveTo(to) {
      const next = charsAt(to);
      for (
        let end = text.indexOf("\n", at);
        end >= 0 && end < next;
        end = text.indexOf("\n", end + 1)
      ) {
        line++;
        lineStart = end + 1;
      }
      [offset, at] = [to, next];
      return { at, line, lineStart };
    },
  };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function bytesOf(data: Data): Uint8Array {
  return "text" in data ? new TextEncoder().encode(data.text) : Uint8Array.fromBase64(data.bytes);
}

function textOf(data: Data): string {
  return "text" in data ? data.text : new TextDecoder().decode(bytesOf(data));
}

/** Compares by the worker's order of paths, then by the place in the file. */
export function inOrder(a: FileCount | Match, b: FileCount | Match): number {
  const [left, right] = [a.path.replaceAll("/", "\0"), b.path.replaceAll("/", "\0")];
  if (left !== right) return left < right ? -1 : 1;
  return "line" in a && "line" in b ? a.line - b.line || a.column - b.column : 0;
}
