/** Finds a pattern in the text of one file. */

import { clip, withContext } from "./lines.ts";
import type { ContentRequest, Match, Pattern } from "./protocol.ts";

export interface FileMatches {
  readonly matches: readonly Match[];
  readonly count: number;
}

export type Finder = (text: string, path: string, limit: number) => FileMatches | undefined;

type Wanted = Pick<ContentRequest, "want" | "context">;

/** Makes what looks through one text after the other. */
export function createFinder(pattern: Pattern, wanted: Wanted): Finder {
  const line = new RegExp(pattern.source, pattern.flags);
  const whole = new RegExp(pattern.source, `${pattern.flags}m`);
  const each = new RegExp(pattern.source, `${pattern.flags}gm`);
  return (text, path, limit) => {
    // What matches within a line also matches within the text, unless it looks beyond.
    if (!pattern.looksAround && !whole.test(text)) return undefined;
    if (wanted.want === "files" && pattern.multiline) return { matches: [], count: 1 };
    const found = pattern.multiline
      ? inText(text, each, { path, limit, wanted })
      : inLines(text, line, { path, limit, wanted });
    return found.count > 0 ? found : undefined;
  };
}

interface Looking {
  readonly path: string;
  readonly limit: number;
  readonly wanted: Wanted;
}

function inLines(text: string, pattern: RegExp, { path, limit, wanted }: Looking): FileMatches {
  const lines = linesOf(text);
  const matches: Match[] = [];
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const found = pattern.exec(line);
    if (!found) continue;
    count++;
    if (wanted.want === "files") break;
    if (wanted.want !== "matches") continue;
    const column = found.index + 1;
    const match = { path, line: index + 1, column, text: clip(line, column) };
    matches.push(withContext(match, (number) => lines[number - 1], wanted));
    if (count >= limit) break;
  }
  return { matches, count };
}

/** Each match of a pattern that may go over lines. */
function inText(text: string, pattern: RegExp, { path, limit, wanted }: Looking): FileMatches {
  const lines = linesOf(text);
  const matches: Match[] = [];
  let count = 0;
  let line = 1;
  let start = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index === text.length && text.endsWith("\n")) break; // after the last line
    count++;
    if (wanted.want !== "matches") continue;
    for (let end = text.indexOf("\n", start); end >= 0 && end < found.index;) {
      start = end + 1;
      line++;
      end = text.indexOf("\n", start);
    }
    const covered = found[0].replace(/\n$/, "").split("\n").length;
    const column = found.index - start + 1;
    const shown = clip(lines.slice(line - 1, line - 1 + covered).join("\n"), column);
    const match = { path, line, column, text: shown };
    const { context } = wanted;
    matches.push(withContext(match, (at) => lines[at - 1], { context, lines: covered }));
    if (count >= limit) break;
  }
  return { matches, count };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
