/** Escapes of text from tools and programs for a terminal. */

/** Control characters except tab and newline, and characters that change the direction of text. */
// deno-lint-ignore no-control-regex
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
// deno-lint-ignore no-control-regex
const COLOR = /\x1b\[[0-9;]{0,32}m/g;
/** Beginning of a color sequence that the next chunk may complete. */
// deno-lint-ignore no-control-regex
const OPEN_COLOR = /\x1b(\[[0-9;]{0,32})?$/;

/** Escapes control characters as `\u001b`. In JSON text this changes no value. */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, escaped);
}

/** Escapes the output of a program chunk by chunk; its colors stay. */
export class OutputEscaper {
  #incomplete = "";

  take(chunk: string): string {
    const text = this.#incomplete + chunk;
    this.#incomplete = OPEN_COLOR.exec(text)?.[0] ?? "";
    return escapeKeepingColors(text.slice(0, text.length - this.#incomplete.length));
  }

  /** Returns the rest that was held back. */
  end(): string {
    const rest = escapeControls(this.#incomplete);
    this.#incomplete = "";
    return rest;
  }
}

function escapeKeepingColors(text: string): string {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(COLOR)) {
    result += escapeControls(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + escapeControls(text.slice(from));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
