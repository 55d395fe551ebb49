/** Makes text of tools and programs harmless for a terminal. */

/** Control characters, and those that turn the direction of text round; not tab and newline. */
// deno-lint-ignore no-control-regex
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]{0,32}m/g;
/** The beginning of a colour that the next piece of output may end. */
// deno-lint-ignore no-control-regex
const OPEN_COLOUR = /\x1b(\[[0-9;]{0,32})?$/;

/** Escapes what could steer the terminal, as `\u001b`. In JSON text this changes no value. */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, escaped);
}

/** Escapes a stream of a program's output, piece by piece; its colours stay. */
export class OutputEscaper {
  #held = "";

  take(piece: string): string {
    const text = this.#held + piece;
    this.#held = OPEN_COLOUR.exec(text)?.[0] ?? "";
    return escapeKeepingColours(text.slice(0, text.length - this.#held.length));
  }

  /** What was held back; a colour that is still on is switched off by the caller. */
  end(): string {
    const rest = escapeControls(this.#held);
    this.#held = "";
    return rest;
  }
}

function escapeKeepingColours(text: string): string {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(COLOUR)) {
    result += escapeControls(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + escapeControls(text.slice(from));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
