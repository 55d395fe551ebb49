/** Escapes of text from tools and programs for a terminal. */

/** Control characters except tab and newline, and characters that change the direction of text. */
// deno-lint-ignore no-control-regex
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** Beginnings of sequences, in seven bits and in eight. */
// deno-lint-ignore no-control-regex
const SEQUENCES = /[\x1b\x80-\x9f]/g;
// deno-lint-ignore no-control-regex
const COLOR = /\x1b\[([0-9;]{0,32})m/g;
/** Beginning of a color sequence that the next chunk may complete. */
// deno-lint-ignore no-control-regex
const OPEN_COLOR = /\x1b(\[[0-9;]{0,32})?$/;
/** One color or style of a sequence. */
const STYLE = /[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|\d+/g;
/** Bold, faint, italic, underlined, inverse, struck, the colors, and their ends. */
const ALLOWED = /^([0-479]|2[2-479]|[39][0-7]|4[0-7]|10[0-7]|[34]9|[34]8;[25];[\d;]+)$/;
/** Styles in force that are kept from chunk to chunk. */
const MOST_STYLES = 16;

/** Ends all colors and styles. */
export const PLAIN = "\x1b[0m";

/** Resets what output may have left behind, also that of an earlier command through a pipe:
 * margins, modes and colors. A reset of the margins moves the cursor, so its place is saved and
 * restored. Erases what stands below. */
export const RESET = `\x1b7\x1b[?69l\x1b[r\x1b8\x1b[!p\x1b[J${PLAIN}`;

/** Escapes control characters as `\u001b`. In JSON text this changes no value. */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, escaped);
}

/** Returns true for output with a newline at its end, but for the end of its colors. */
export function endsLine(output: string | Uint8Array): boolean {
  const text = typeof output === "string" ? output : new TextDecoder().decode(output.slice(-8));
  return (text.endsWith(PLAIN) ? text.slice(0, -PLAIN.length) : text).endsWith("\n");
}

/** Escapes the output of a program chunk by chunk. Its colors and plain styles stay, each chunk ends
 * them, and the next one begins with them again. */
export class OutputEscaper {
  readonly #escape: (text: string) => string;
  #incomplete = "";
  #styles: readonly string[] = [];

  /** For a pipe, which may lead to a terminal, escapes only what steers one. */
  constructor({ isPipe = false } = {}) {
    this.#escape = isPipe ? escapeSequences : escapeControls;
  }

  take(chunk: string): string {
    const text = this.#incomplete + chunk;
    this.#incomplete = OPEN_COLOR.exec(text)?.[0] ?? "";
    const whole = text.slice(0, text.length - this.#incomplete.length);
    if (whole === "") return "";
    let result = sequence(this.#styles);
    let from = 0;
    for (const match of whole.matchAll(COLOR)) {
      const styles = stylesOf(match[1] ?? "");
      result += this.#escape(whole.slice(from, match.index)) + sequence(styles);
      from = match.index + match[0].length;
      this.#take(styles);
    }
    return result + this.#escape(whole.slice(from)) + (this.#styles.length > 0 ? PLAIN : "");
  }

  /** Returns the rest that was held back. */
  end(): string {
    const rest = this.#escape(this.#incomplete);
    this.#incomplete = "";
    return rest;
  }

  #take(styles: readonly string[]): void {
    const all = [...this.#styles, ...styles];
    this.#styles = all.slice(all.lastIndexOf("0") + 1).slice(-MOST_STYLES);
  }
}

function escapeSequences(text: string): string {
  return text.replace(SEQUENCES, escaped);
}

/** Reads the allowed styles of a sequence; an omitted number is a 0. */
function stylesOf(numbers: string): string[] {
  const styles = numbers.replace(/(?<=^|;)(?=;|$)/g, "0").match(STYLE) ?? [];
  return styles.filter((style) => ALLOWED.test(style));
}

function sequence(styles: readonly string[]): string {
  return styles.length === 0 ? "" : `\x1b[${styles.join(";")}m`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
