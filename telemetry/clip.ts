/** Keeps lines of a log short and harmless. */

const LONGEST_TEXT = 2_000;
/** Control characters, and characters that change the direction of text. */
// deno-lint-ignore no-control-regex
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Cuts a text that is too long, and states how much was cut. */
export function clip(text: string, longest: number = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more)`;
}

/** Escapes what could steer a terminal or end a line, as `\u001b`; in JSON this changes no value. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
