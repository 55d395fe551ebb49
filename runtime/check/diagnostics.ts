/** Diagnostics of a run from the compiler's response. */

import { isObject } from "#base";
import type { CheckSource, Diagnostic } from "./types.ts";
import { authorNames } from "./virtual_files.ts";

/** A `return` at the top, which programs may have. */
const TOP_RETURN = 1108;
/** Codes that `noImplicitAny` reports. The option is on for arrays that grow (`const a = [];
 * a.push(1)`); missing annotations are a matter of style. */
const IMPLICIT_ANY = /^70(?:0[5689]|1\d|2[02-5]|3[12346]|39|4[01]|5[235-7])$/;
/** Advice at the end of a message that no program can follow: it has neither compiler options nor
 * packages. */
const ADVICE = " Do you need to ";
const FOREIGN = /^(?:change your target library|install type definitions)\b/;
/** "Property does not exist on type". */
const NO_PROPERTY = 2339;
const MOST = 20;
const MAX_MESSAGE = 4_000;
/** Lines of a message, with those of its chain. */
const MOST_LINES = 20;
const CATEGORY_ERROR = 1;

/** One module's answers, one list per question. */
export interface Answered {
  readonly path: string;
  readonly lists: readonly unknown[];
}

type Item = Readonly<Record<string, unknown>>;

/** The first problems by file and position, without repeats. A program may cause any number of them, so
 * only those that are reported are put into words. */
export function readDiagnostics(answers: readonly Answered[], source: CheckSource): Diagnostic[] {
  const reported: Diagnostic[] = [];
  for (const { path, lists } of answers) {
    const items = firstOf(lists.flatMap((list) => Array.isArray(list) ? list : []))
      .slice(0, MOST - reported.length);
    if (items.length === 0) continue;
    const lines = new Lines(source.files.get(path) ?? "");
    reported.push(...items.map((item) => toDiagnostic(item, { path, lines, entry: source.entry })));
  }
  return reported;
}

/** Errors by position, without repeats. */
function firstOf(list: readonly unknown[]): Item[] {
  const seen = new Set<string>();
  return list.filter((item) => isObject(item))
    .filter(({ category, code }) => category === CATEGORY_ERROR && counts(Number(code)))
    .sort((a, b) => Number(a.pos) - Number(b.pos))
    .filter(({ pos, code }) => seen.size < seen.add(`${pos}:${code}`).size);
}

function counts(code: number): boolean {
  return code !== TOP_RETURN && !IMPLICIT_ANY.test(`${code}`);
}

function toDiagnostic(
  item: Item,
  place: { readonly path: string; readonly lines: Lines; readonly entry: string },
): Diagnostic {
  const start = place.lines.at(Number(item.pos));
  const end = place.lines.at(Number(item.end));
  const message = waitAdvice(place.lines.before(Number(item.end)), Number(item.code)) ??
    authorNames(flatten(item).join("\n"), place.entry);
  return {
    file: place.path,
    line: start.line,
    column: start.column,
    end_line: end.line,
    end_column: end.column,
    code: Number(item.code),
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message,
  };
}

/** A message and its chain, each step further in. */
function flatten(item: Item): string[] {
  const lines: string[] = [];
  const add = ({ text, messageChain }: Item, depth: number) => {
    if (lines.length === MOST_LINES) return;
    lines.push("  ".repeat(depth) + withoutAdvice(String(text).slice(0, MAX_MESSAGE)));
    for (const step of Array.isArray(messageChain) ? messageChain : []) {
      if (isObject(step)) add(step, depth + 1);
    }
  };
  add(item, 0);
  return lines;
}

function withoutAdvice(text: string): string {
  const at = text.lastIndexOf(ADVICE);
  return at >= 0 && FOREIGN.test(text.slice(at + ADVICE.length)) ? text.slice(0, at) : text;
}

/** Message for a callback that would wait for tools where its caller is no list; `text` is the line
 * up to the name of the caller's method. */
function waitAdvice(text: string, code: number): string | undefined {
  if (code !== NO_PROPERTY) return undefined;
  const [, value, method] = /\$(?:inTurn|together)_*\((.*)\)\??\.(\w+)$/.exec(text) ?? [];
  if (value === undefined) return undefined;
  return `Cannot wait for tools in a callback of "${method}" here, since it is not a list's: ` +
    `write [...${value}].${method}(…), which is awaited`;
}

/** Line feed, carriage return, and the separators of lines and paragraphs. */
const BREAKS = new Set([10, 13, 0x2028, 0x2029]);

/** Lines of a text, to turn offsets into places. */
class Lines {
  readonly #starts = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Quicker than the set for nearly all characters.
      if ((code > 13 && code < 0x2028) || !BREAKS.has(code)) continue;
      if (text.startsWith("\r\n", at)) at++;
      this.#starts.push(at + 1);
    }
  }

  /** The last characters of the line before an offset. */
  before(offset: number): string {
    const begin = this.#starts[this.at(offset).line - 1] ?? 0;
    return this.#text.slice(Math.max(begin, offset - 1_000), offset);
  }

  at(offset: number): { line: number; column: number } {
    const position = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: position - (this.#starts[low] ?? 0) + 1 };
  }
}
