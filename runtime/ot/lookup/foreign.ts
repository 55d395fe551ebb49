/** Foreign text in help: it makes neither a heading nor a fence, and hides nothing. */

import { escapeUnseen } from "#base";

/** Marks of lists and quotations. */
const MARKS = /^[\s>*+\-.)\d]*$/;
/** Beginning of a line that Markdown reads as a heading by its hashes. */
const HASHES = /^[\s>*+\-.)\d]*(?=#)/;
/** Start of the marks at the end of a line that Markdown reads as the underline of a heading; tried
 * once in each run of marks. */
const UNDERLINE = /(?<![=\s-])\s*(?=[=-][=\s-]*$)/;
const FENCE = /`{3,}|~{3,}/g;
const HTML_BLOCK = /<(?=\/?(?:h[1-6]|pre)\b)/gi;
/** Characters read for a first sentence. */
const HEAD = 1_000;
/** Full stop that ends no sentence: `e.g. the next`. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|incl|resp|no|cf)\.$/i;

/** One line of at most so many characters. */
export function foreignLine(text: string, most: number): string {
  if (most <= 0) return "";
  const line = text.slice(0, most * 2).replace(/\s+/g, " ").trim();
  const escaped = escapeHeading(
    escapeUnseen(line.toWellFormed())
      .replace(FENCE, (run) => [...run].map((mark) => `\\${mark}`).join(""))
      .replace(HTML_BLOCK, "\\<"),
  );
  const isCut = escaped.length > most || text.length > most * 2;
  return isCut ? `${escaped.slice(0, most - 1).trimEnd()}…` : escaped;
}

function escapeHeading(line: string): string {
  const begin = HASHES.exec(line)?.[0] ?? beforeUnderline(line);
  return begin === undefined ? line : `${begin}\\${line.slice(begin.length)}`;
}

/** Marks in front of an underline. */
function beforeUnderline(line: string): string | undefined {
  const spaces = UNDERLINE.exec(line);
  if (!spaces) return undefined;
  const begin = line.slice(0, spaces.index + spaces[0].length);
  return MARKS.test(begin) ? begin : undefined;
}

/** Several lines, together of at most so many characters. */
export function foreignText(text: string, most: number): string {
  const lines: string[] = [];
  let left = most - "…".length;
  for (const line of text.slice(0, most * 2).trim().split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)) {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const kept = `${indent.slice(0, 8)}${foreignLine(line, Math.max(left, 1))}`.trimEnd();
    if (kept === "" && lines.at(-1) === "") continue;
    left -= kept.length + 1;
    if (left < 0) return [...lines, "…"].join("\n");
    lines.push(kept);
  }
  return lines.join("\n");
}

/** The first sentence of a description, in one line. */
export function firstSentence(description: string, most: number): string {
  const lines = description.slice(0, HEAD).split(/[\r\n\v\f\u0085\u2028\u2029]+/);
  const at = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line));
  let text = (lines[at] ?? "").trim();
  // A sentence that goes on in the next line.
  for (const next of lines.slice(at + 1)) {
    if (/[.!?:]$/.test(text) || !/^\s*\p{Ll}/u.test(next)) break;
    text += ` ${next.trim()}`;
  }
  return foreignLine(firstOf(text), most);
}

function firstOf(text: string): string {
  for (const { index, 0: end } of text.matchAll(/[.!?](?=\s+[^\p{Ll}])|[。！？]/gu)) {
    const sentence = text.slice(0, index + end.length);
    if (!ABBREVIATION.test(sentence)) return sentence;
  }
  return text;
}
