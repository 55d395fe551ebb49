/** The one place where foreign text becomes part of generated code. */

/** Characters that change how the text around them is shown or read: controls, bidirectional
 * marks, invisible tags; not the joiners that scripts and emoji need. */
const UNSEEN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** One line of which nothing needs a change. */
const PLAIN = /^[\w ,.;:!?'"()#%&+=<>[\]|$^~`-]*$/;

/** Words that mean something at the place of a property's name. */
const MEANINGFUL = new Set(["new", "get", "set", "readonly", "constructor", "static", "__proto__"]);

/** A string literal: ASCII only, so that no character in it has a meaning of its own. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A property's name: as it stands where it is a plain identifier, else quoted. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !MEANINGFUL.has(name) ? name : literal(name);
}

/** Lines that can stand in a block comment, at most `limit` characters of `text`. Nothing in them
 * ends the comment, is read as a tag or a directive, or hides. */
export function commentLines(text: string, limit: number): string[] {
  if (PLAIN.test(text) && text.length <= limit) return text === "" ? [] : [text];
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
    .replace(/\t/g, "  ")
    .replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
    .replaceAll("*/", "*\\/")
    .replace(/(?<![\w\\])@(?=[A-Za-z])/g, "\\@")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line, index, lines) => line !== "" || (index > 0 && lines[index - 1] !== ""));
}

/** One line for a block comment. */
export function commentLine(text: string, limit: number): string {
  return commentLines(text, limit).join(" ").trim();
}
