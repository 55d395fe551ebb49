/** Diagnostics of a run from the compiler's response. */

import { isObject } from "#base";
import type { CheckSource, Diagnostic } from "./types.ts";
import { authorNames } from "./virtual_files.ts";

/** A `return` at the top, which programs may have. */
const TOP_RETURN = 1108;
/** Codes that `noImplicitAny` reports. The option is on for arrays that grow (`const a = [];
 * a.push(1)`); missing annotations are a matter of style. */
const IMPLICIT_ANY = /^70(?:0[5689]|1\d|2[02-5]|3[12346]|39|4[01]|5[235-7])$/;
/** Advice that no program can follow: it has neither compiler options nor packages. */
const FOREIGN_ADVICE =
  / Do you need to (?:change your target library|install type definitions)\b.*$/;
/** "Property does not exist on type". */
const NO_PROPERTY = 2339;
const MOST = 20;
const MAX_MESSAGE = 4_000;
const CATEGORY_ERROR = 1;

/** One module's answers, one list per question. */
export interface Answered {
  readonly path: string;
  readonly lists: readonly unknown[];
}

/** The first problems by file and position, without repeats. */
export function readDiagnostics(answers: readonly Answered[], source: CheckSource): Diagnostic[] {
  const reported: Diagnostic[] = [];
  for (const { path, lists } of answers) {
    const lines = new Lines(source.files.get(path) ?? "");
    const problems = lists.flatMap((list) => Array.isArray(list) ? list : [])
      .filter((item) => isObject(item))
      .filter(({ category, code }) => category === CATEGORY_ERROR && counts(Number(code)))
      .map((item) => toDiagnostic(item, { path, lines, entry: source.entry }));
    reported.push(...unique(problems.sort(byPlace)).slice(0, MOST));
  }
  return reported.slice(0, MOST);
}

function counts(code: number): boolean {
  return code !== TOP_RETURN && !IMPLICIT_ANY.test(`${code}`);
}

function toDiagnostic(
  item: Record<string, unknown>,
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
function flatten(item: Record<string, unknown>, depth = 0): string[] {
  const chain = Array.isArray(item.messageChain) ? item.messageChain : [];
  return [
    "  ".repeat(depth) + String(item.text).replace(FOREIGN_ADVICE, ""),
    ...chain.filter((step) => isObject(step)).flatMap((step) => flatten(step, depth + 1)),
  ];
}

/** Message for a callback that would wait for tools where its caller is no list; `text` is the line
 * up to the name of the caller's method. */
function waitAdvice(text: string, code: number): string | undefined {
  if (code !== NO_PROPERTY) return undefined;
  const [, value, method] =
    /\$(?:inTurn|together)_*\((.*)\)\??\.(\w+)$/.exec(text.slice(-MAX_MESSAGE)) ?? [];
  if (value === undefined) return undefined;
  return `Cannot wait for tools in a callback of "${method}" here, since it is not a list's: ` +
    `write [...${value}].${method}(…), which is awaited`;
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}

function unique(sorted: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return sorted.filter(({ line, column, code }) => {
    const key = `${line}:${column}:${code}`;
    return seen.size < seen.add(key).size;
  });
}

/** Lines of a text, to turn offsets into places. */
class Lines {
  readonly #starts = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
      this.#starts.push(match.index + match[0].length);
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
