/** Removes the fence of a command; the whole text must be fenced (RUN-01 to RUN-06). */

import type { Place } from "../syntax/place.ts";
import type { CommandFinding } from "./types.ts";

export interface Fenced {
  readonly kind: "fenced";
  /** The text with the fence overwritten by spaces: no line and no column moves. */
  readonly text: string;
}

const LANGUAGE = "typescript|javascript|python3?|tsx?|jsx?|py|json|bash|sh|text";
const SHORT_TAG = new RegExp(`^(?:${LANGUAGE})[ \\t]+(?=\\S)`, "i");
const LEGACY = /^(\s*)!\s*onetool\b[ \t]*/;

/** Removes one pair of fences; returns a text without them unchanged. */
export function stripFence(text: string): Fenced | CommandFinding {
  const inner = fenceWithin(text);
  const plain = inner ? blankOutside(text, inner) : text;
  const legacy = LEGACY.exec(plain);
  if (!legacy) return { kind: "fenced", text: plain };
  const [before = "", lead = ""] = legacy;
  const rest = plain.slice(before.length).trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
  const { line, column } = placeAt(plain, lead.length);
  return {
    kind: "finding",
    code: "syntax_error",
    message: `Invalid syntax: a command has no "!onetool" before it: write ${
      rest === "" ? 'the call alone, for example upper(text="hello")' : rest
    }`,
    line,
    column,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Content of the fence; undefined where the whole text is not one fence. */
function fenceWithin(text: string): Span | undefined {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const [run = ""] = /^(?:`+|~{3,})/.exec(text.slice(start, end)) ?? [];
  if (run === "" || end - start < run.length * 2) return undefined;
  const close = closingRun(text, { start: start + run.length, end }, run);
  if (close === undefined) return undefined;
  const body = { start: start + run.length, end: close };
  const content = text.slice(body.start, body.end);
  const firstBreak = /[\n\r]/.exec(content)?.index;
  if (run.length < 3) return isInline(content, run) ? body : undefined;
  if (firstBreak === undefined) return inlineRun(content, body, run);
  const info = content.slice(0, firstBreak);
  if (run.startsWith("`") && info.includes("`")) return undefined;
  return { start: body.start + firstBreak, end: body.end };
}

/** Position of the closing back-ticks: as many as the opening ones, or more on a line of their
 * own. */
function closingRun(text: string, { start, end }: Span, run: string): number | undefined {
  const mark = run.charAt(0);
  let at = end;
  while (at > start && text[at - 1] === mark) at--;
  const length = end - at;
  if (length === run.length) return at;
  const alone = /[\n\r][ \t]*$/.test(text.slice(Math.max(start, at - 200), at));
  return length > run.length && alone ? at : undefined;
}

/** Tells whether text in back-ticks on one line is fenced: a template literal holds `${` or more
 * back-ticks. */
function isInline(content: string, run: string): boolean {
  return content.trim() !== "" && !content.includes("`") && !content.includes("${") &&
    run.startsWith("`");
}

/** Range of code that is fenced on one line, after its language tag. */
function inlineRun(content: string, body: Span, run: string): Span | undefined {
  if (content.trim() === "" || content.includes(run)) return undefined;
  const tag = SHORT_TAG.exec(content)?.[0].length ?? 0;
  return { start: body.start + tag, end: body.end };
}

function blankOutside(text: string, { start, end }: Span): string {
  return blank(text.slice(0, start)) + text.slice(start, end) + blank(text.slice(end));
}

function blank(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}

/** Place of an offset. */
export function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
