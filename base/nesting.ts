/** Nesting of JSON text, measured before the text is parsed: parsing and writing a value of a million
 * levels takes seconds, and may overflow the stack. */

/** Levels of a message that is parsed. */
export const MOST_LEVELS = 1_000;

/** JSON is nested deeper than `MOST_LEVELS`. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
  constructor() {
    super(`Cannot read JSON: it is nested more than ${MOST_LEVELS} levels deep`);
  }
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Follows JSON, one unit of text or one byte after the other. */
export class NestingMeter {
  #level = 0;
  #isText = false;
  #isEscaped = false;

  /** Takes the next unit; gives the level that it leads to. */
  take(code: number): number {
    if (this.#isText) this.#takeText(code);
    else if (code === QUOTE) this.#isText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#level++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.#level--;
    return this.#level;
  }

  /** Begins with the next message. */
  reset(): void {
    this.#level = 0;
    this.#isText = false;
    this.#isEscaped = false;
  }

  #takeText(code: number): void {
    // No string in JSON continues after a line break.
    if (code === NEWLINE || code === RETURN) this.#isText = this.#isEscaped = false;
    else if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isText = false;
  }
}

/** Returns true when JSON text is nested deeper than `levels`. Texts are skipped by search, which
 * takes a third of the time of `NestingMeter`. */
export function isNestedOver(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) level++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level--;
    if (level > levels) return true;
  }
  return false;
}

/** Returns true when JSON text has more than `parts` lists and objects: parsed, they take thirty
 * times the memory of their text. */
export function holdsOver(text: string, parts: number): boolean {
  // One takes two characters.
  if (text.length <= 2 * parts) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) count++;
    if (count > parts) return true;
  }
  return false;
}

/** Index of the quote that ends the text which starts at `start`; the text's length where none does. */
export function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
