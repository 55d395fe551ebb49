/** Edits of a text that move no line: blanked parts and inserted short texts. */

import type { Place, Shift } from "./place.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  /** Text inserted before `start`, or written over the first characters of a blanked part. */
  readonly text: string;
  /** Start of the range that this text closes; inner ranges close first. */
  readonly opened?: number;
}

/** Characters that edits may insert, at least and for each one of the text. */
const LEAST_INSERTED = 100_000;
const MOST_GROWTH = 20;

/** Too much text is inserted: a long name stands in each of many insertions. */
export class TooMuchText extends Error {
  override readonly name = "TooMuchText";
}

/** Collects edits; positions are those of the original text. */
export class Edits {
  readonly text: string;
  readonly #edits: Edit[] = [];
  #head = "";
  #room: number;

  constructor(text: string) {
    this.text = text;
    this.#room = LEAST_INSERTED + MOST_GROWTH * text.length;
  }

  /** Inserts `text`, which has no line break, before `at`. Throws `TooMuchText`, as the others do. */
  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text: this.#admit(text) });
  }

  /** Inserts `text` at the end of a range, after the ends of the ranges in it. */
  close(start: number, end: number, text: string): void {
    this.#edits.push({ start: end, end, text: this.#admit(text), opened: start });
  }

  /** Inserts `text`, which has no line break, at the beginning. */
  begin(text: string): void {
    this.#head = this.#admit(text);
  }

  /** Overwrites a range with `lead` and spaces; line breaks stay. */
  blank(start: number, end: number, lead = ""): void {
    if (end > start) this.#edits.push({ start, end, text: this.#admit(lead) });
  }

  #admit(text: string): string {
    this.#room -= text.length;
    if (this.#room < 0) throw new TooMuchText("The program is written out too long");
    return text;
  }

  /** Applies the edits: the new text, and the places of insertions. */
  apply(): { readonly served: string; readonly shifts: readonly Shift[] } {
    const edits = this.#edits.map((edit, order) => ({ ...edit, order }))
      .sort((a, b) =>
        a.start - b.start || rank(a) - rank(b) || (b.opened ?? 0) - (a.opened ?? 0) ||
        a.order - b.order
      );
    const parts = [this.#head];
    const place = placer(this.text);
    const shifts: Shift[] = [{ line: 1, column: 1, length: this.#head.length }];
    let at = 0;
    for (const { start, end, text } of edits) {
      if (end > start) {
        if (end <= at) continue;
        const from = Math.max(start, at);
        parts.push(this.text.slice(at, from), overwrite(this.text.slice(from, end), text));
        at = end;
        continue;
      }
      if (start > at) parts.push(this.text.slice(at, start));
      at = Math.max(at, start);
      parts.push(text);
      shifts.push({ ...place(start), length: text.length });
    }
    parts.push(this.text.slice(at));
    return { served: parts.join(""), shifts };
  }
}

/** Maps a column of a served line to the author's column. */
export function originalColumn(shifts: readonly Shift[], position: Place): number {
  let moved = 0;
  for (const { line, column, length } of shifts) {
    if (line !== position.line) continue;
    const at = column + moved;
    if (position.column < at) break;
    if (position.column < at + length) return column;
    moved += length;
  }
  return position.column - moved;
}

/** Order at one position: closing text, then opening text, then a blanked range. */
function rank(edit: Edit): number {
  if (edit.end > edit.start) return 2;
  return edit.opened === undefined ? 1 : 0;
}

function overwrite(part: string, lead: string): string {
  const blank = part.replace(/[^\n\r\u2028\u2029]/g, " ");
  return lead === "" ? blank : lead + blank.slice(lead.length);
}

/** Converts offsets, in rising order, to places. */
function placer(text: string): (offset: number) => Place {
  const breaks = /\r\n|[\n\r\u2028\u2029]/g;
  let line = 1;
  let lineStart = 0;
  let next = breaks.exec(text);
  return (offset) => {
    while (next && next.index + next[0].length <= offset) {
      line++;
      lineStart = next.index + next[0].length;
      next = breaks.exec(text);
    }
    return { line, column: offset - lineStart + 1 };
  };
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*/g;

/** A range of text between two nodes, which can hold comments. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Last position of `mark` in a range, outside comments; -1 without one. */
export function lastIn(text: string, mark: string, { from, to }: Stretch): number {
  const at = masked(text, { from, to }).lastIndexOf(mark);
  return at < 0 ? -1 : from + at;
}

/** Text of the range with blanked comments. */
export function masked(text: string, { from, to }: Stretch): string {
  return text.slice(from, to).replace(COMMENT, (comment) => " ".repeat(comment.length));
}

/** Position of the next character that is neither space nor comment, and whether a line break
 * precedes it. */
export function nextText(text: string, from: number): { at: number; newline: boolean } {
  const gap = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/y;
  gap.lastIndex = from;
  const [skipped = ""] = gap.exec(text) ?? [];
  return { at: from + skipped.length, newline: /[\n\r\u2028\u2029]/.test(skipped) };
}
