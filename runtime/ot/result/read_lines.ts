/** Reads lines of a stored text, in pieces and only as far as they are asked for. */

import { ByteBuffer, createTurns } from "#base";
import { decodeText } from "../../reply/lines.ts";
import type { StoredText } from "../../reply/stored_file.ts";
import { AROUND_LINE, mostLines } from "./pick_lines.ts";
import type { LinePage, LineSelection } from "./search_types.ts";

const LINE_END = 10;
const RETURN = 13;
/** Most bytes of one of JavaScript's characters in UTF-8. */
const MOST_BYTES = 3;

/** The lines from `offset`, or the last `tail`, as far as there may be room. */
export async function readLines(text: StoredText, selection: LineSelection): Promise<LinePage> {
  const { tail } = selection;
  if (tail === undefined) {
    return await pick(text, { ...selection, left: selection.room, from: 0, line: 1 });
  }
  const { line, start } = await findLast(text, { ...selection, tail });
  const all = { offset: line, limit: Infinity, room: selection.room, left: Infinity };
  const { lines } = await pick(text, { ...all, from: start, line });
  return { lines, first: line, more: false };
}

interface PickOptions extends LineSelection {
  /** Byte at which reading begins, and the number of the line there. */
  readonly from: number;
  readonly line: number;
  /** Bytes of lines after which there are enough. */
  readonly left: number;
}

async function pick(text: StoredText, options: PickOptions): Promise<LinePage> {
  const picker = new LinePicker(options);
  const turn = createTurns();
  for await (const piece of text.pieces(options.from)) {
    if (picker.add(piece)) break;
    await turn();
  }
  return picker.page();
}

/** Picks lines of bytes that come in pieces. */
class LinePicker {
  readonly #options: PickOptions;
  readonly #lines: string[] = [];
  /** Beginning of the line that is not complete. */
  readonly #held = new ByteBuffer();
  #isOpen = false;
  #line: number;
  #left: number;
  #more = false;

  constructor(options: PickOptions) {
    this.#options = options;
    this.#line = options.line;
    this.#left = options.left;
  }

  /** Takes the next bytes; true once no further are needed. */
  add(piece: Uint8Array): boolean {
    let start = this.#skip(piece);
    for (let end = piece.indexOf(LINE_END, start); end >= 0; end = piece.indexOf(LINE_END, start)) {
      if (!this.#hold(piece.subarray(start, end))) return true;
      this.#endLine(RETURN);
      start = end + 1;
    }
    if (start === piece.length) return false;
    this.#isOpen = true;
    return !this.#hold(piece.subarray(start));
  }

  page(): LinePage {
    if (this.#isOpen && !this.#more) this.#endLine();
    return { lines: this.#lines, first: this.#options.offset, more: this.#more };
  }

  /** Index behind the lines that come before the page. */
  #skip(piece: Uint8Array): number {
    let at = 0;
    while (at < piece.length && this.#line < this.#options.offset) {
      // A search takes longer than a comparison where lines are short.
      if (piece[at++] === LINE_END) this.#line++;
    }
    return at;
  }

  /** Keeps the beginning of a line; false for a line that has no place on the page. */
  #hold(bytes: Uint8Array): boolean {
    this.#more = this.#lines.length === this.#options.limit || this.#left < 0;
    const most = MOST_BYTES * (this.#options.room + 1);
    if (!this.#more) this.#held.add(bytes.subarray(0, most - this.#held.size));
    return !this.#more;
  }

  /** Ends a line, without a byte that may belong to the line's end. */
  #endLine(last?: number): void {
    const bytes = this.#held.take();
    const line = decodeText(bytes.at(-1) === last ? bytes.subarray(0, -1) : bytes);
    this.#lines.push(line.slice(0, this.#options.room + 1));
    this.#left -= line.length + AROUND_LINE;
    this.#isOpen = false;
  }
}

interface Place {
  /** 1-based. */
  readonly line: number;
  /** Byte at which the line starts. */
  readonly start: number;
}

/** The first of the last lines for which there may be room. */
async function findLast(
  text: StoredText,
  { tail, room }: { readonly tail: number; readonly room: number },
): Promise<Place> {
  const most = mostLines(tail, room);
  const turn = createTurns();
  let starts = text.size > 0 ? [0] : [];
  let count = starts.length;
  let at = 0;
  for await (const piece of text.pieces()) {
    for (let end = 0; end < piece.length; end++) {
      if (piece[end] !== LINE_END || at + end + 1 === text.size) continue;
      count++;
      starts.push(at + end + 1);
    }
    at += piece.length;
    starts = starts.slice(-most);
    await turn();
  }
  let first = starts.length - 1;
  while (first > 0 && text.size - (starts[first] ?? 0) <= room) first--;
  return { line: count - starts.length + 1 + Math.max(0, first), start: starts[first] ?? 0 };
}
