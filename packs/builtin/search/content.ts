/** Finds a pattern in the text of one file. */

import { clip, withContext } from "./lines.ts";
import type { ContentRequest, Match, Pattern } from "./protocol.ts";

export interface FileMatches {
  readonly matches: readonly Match[];
  readonly count: number;
}

export type Finder = (text: string, path: string, limit: number) => FileMatches | undefined;

type Report = Pick<ContentRequest, "want" | "context">;

/** Makes a function that searches one text after the other. */
export function createFinder(pattern: Pattern, report: Report): Finder {
  const line = new RegExp(pattern.source, pattern.flags);
  const whole = new RegExp(pattern.source, `${pattern.flags}m`);
  const each = new RegExp(pattern.source, `${pattern.flags}gm`);
  return (text, path, limit) => {
    // A match within a line is also one within the text, except with lookaround.
    if (!pattern.looksAround && !whole.test(text)) return undefined;
    if (report.want === "files" && pattern.multiline) return { matches: [], count: 1 };
    const result = pattern.multiline
      ? inText(text, each, { path, limit, report })
      : inLines(text, line, { path, limit, report });
    return result.count > 0 ? result : undefined;
  };
}

interface FindOptions {
  readonly path: string;
  readonly limit: number;
  readonly report: Report;
}

function inLines(text: string, pattern: RegExp, { path, limit, report }: FindOptions): FileMatches {
  const lines = linesOf(text);
  const matches: Match[] = [];
  let count = 0;
  for (const [at, line] of lines.entries()) {
    const index = pattern.exec(line)?.index;
    if (index === undefined) continue;
    count++;
    if (report.want === "files") break;
    if (report.want !== "matches") continue;
    const column = index + 1;
    const match = { path, line: at + 1, column, text: clip(line, column) };
    matches.push(withContext(match, (number) => lines[number - 1], report));
    if (count >= limit) break;
  }
  return { matches, count };
}

/** Matches of a pattern that may span lines. */
function inText(text: string, pattern: RegExp, { path, limit, report }: FindOptions): FileMatches {
  const lines = linesOf(text);
  const matches: Match[] = [];
  let count = 0;
  let line = 1;
  let start = 0;
  for (const { index, 0: matched } of text.matchAll(pattern)) {
    if (index === text.length && text.endsWith("\n")) break; // after the last line
    count++;
    if (report.want !== "matches") continue;
    for (let end = text.indexOf("\n", start); end >= 0 && end < index;) {
      start = end + 1;
      line++;
      end = text.indexOf("\n", start);
    }
    const covered = matched.replace(/\n$/, "").split("\n").length;
    const column = index - start + 1;
    const excerpt = clip(lines.slice(line - 1, line - 1 + covered).join("\n"), column);
    const match = { path, line, column, text: excerpt };
    const { context } = report;
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
