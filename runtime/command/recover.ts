/** Parses a command, with syntax that only the dialect allows: objects as statements, keyword
 * arguments named by reserved words, and packs named by words of strict mode. */

import { Edits, originalColumn } from "../syntax/edits.ts";
import {
  endOf,
  type ParsedModule,
  parseModule,
  type ParseResult,
  startOf,
} from "../syntax/parse.ts";
import type { Place, Shift } from "../syntax/place.ts";
import { placeAt } from "./fence.ts";
import { statementEnds } from "./statement_ends.ts";

interface Parsed {
  readonly kind: "parsed";
  readonly module: ParsedModule;
  readonly shifts: readonly Shift[];
}

export type Recovered = Parsed | Extract<ParseResult, { kind: "failed" }>;

/** Limit on the characters parsed in all attempts together. */
const BUDGET = 4_000_000;
const MAX_ATTEMPTS = 24;
const MAX_CANDIDATES = 8;
const MAX_MOVED = 100;
const RESERVED = new Set(
  ("break case catch class const continue debugger default delete do else enum export extends " +
    "false finally for function if import in instanceof new null return super switch this throw " +
    "true try typeof var void while with await").split(" "),
);

/** Names of packs that no variable can have; the variable of such a pack ends in `_`. */
const PACK_WORDS = new Set(
  "implements interface package private protected public static".split(" "),
);

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Parses a command; `shifts` holds the insertions that make it parse. */
export function parseCommand(text: string): Recovered {
  const first = parseModule(text);
  const attempt = new Attempt(text);
  if (first.kind === "failed" && first.tooDeep) return first;
  if (first.kind === "parsed") return attempt.settle({ kind: "parsed", module: first, shifts: [] });
  const recovered = attempt.recover(first);
  return recovered ? attempt.settle(recovered) : first;
}

/** Repairs of a text, at positions of the author's text. */
class Attempt {
  readonly #author: string;
  #text: string;
  readonly #objects: Span[] = [];
  readonly #ends: number[] = [];
  readonly #packs: number[] = [];
  #attempts: number;

  constructor(text: string) {
    this.#author = text;
    this.#text = text;
    this.#attempts = Math.min(MAX_ATTEMPTS, Math.ceil(BUDGET / (text.length + 1)));
  }

  /** Repairs a text that parses with another meaning: some blocks are objects, and some lines end a
   * statement. */
  settle(parsed: Parsed): Parsed {
    const blocks = objectBlocks(parsed.module);
    const ends = statementEnds(parsed.module);
    if (blocks.length === 0 && ends.length === 0) return parsed;
    const moved = parsed.shifts.length > 0;
    // Each repair costs a walk over the text, and hand-written commands need few.
    if (moved && blocks.length + ends.length > MAX_MOVED) return parsed;
    const at = (offset: number) =>
      moved ? this.#authorOffset(placeAt(parsed.module.text, offset), parsed.shifts) : offset;
    for (const { start, end } of blocks) this.#objects.push({ start: at(start), end: at(end) });
    for (const end of ends) this.#ends.push(at(end));
    const { result, shifts } = this.#parse();
    return result.kind === "parsed" ? { kind: "parsed", module: result, shifts } : parsed;
  }

  /** Repairs one error after another, beginning with `failed`; undefined when an error remains. */
  recover(failed: ParseResult): Parsed | undefined {
    let result = failed;
    let shifts: readonly Shift[] = [];
    while (result.kind === "failed") {
      const at = this.#authorOffset(result, shifts);
      const next = this.#replaceWord(at) ?? this.#namePack(at) ?? this.#takeObject(at);
      if (!next) return undefined;
      ({ result, shifts } = next);
    }
    return { kind: "parsed", module: result, shifts };
  }

  #parse(): { result: ParseResult; shifts: readonly Shift[] } {
    this.#attempts--;
    const { served } = this.#wrap(this.#text);
    const parsed = parseModule(served);
    const author = this.#wrap(this.#author);
    const result = parsed.kind === "parsed" ? { ...parsed, text: author.served } : parsed;
    return { result, shifts: author.shifts };
  }

  /** Adds parentheses around objects and semicolons after statements. */
  #wrap(text: string) {
    const edits = new Edits(text);
    for (const end of this.#packs) edits.insert(end, "_");
    for (const end of this.#ends) edits.insert(end, ";");
    for (const { start, end } of this.#objects) {
      edits.insert(start, text.slice(0, start).trim() === "" ? "(" : ";(");
      edits.close(start, end, ")");
    }
    return edits.apply();
  }

  /** Repairs `f(default=1)`: a word of the same length replaces the reserved name. */
  #replaceWord(at: number) {
    const span = wordAt(this.#text, at);
    const word = this.#text.slice(span.start, span.end);
    if (this.#attempts <= 0 || !RESERVED.has(word)) return undefined;
    const around = this.#text.slice(Math.max(0, span.start - 200), span.start);
    if (!/[(,]\s*$/.test(around)) return undefined;
    if (!/^\s*=(?![=>])/.test(this.#text.slice(span.end, span.end + 200))) return undefined;
    this.#text = this.#text.slice(0, span.start) + standIn(word) + this.#text.slice(span.end);
    return this.#parse();
  }

  /** Repairs `package.latest()`: the variable is `package_`. */
  #namePack(at: number) {
    const { start, end } = wordAt(this.#text, at);
    const isPack = PACK_WORDS.has(this.#text.slice(start, end)) && !this.#packs.includes(end);
    if (this.#attempts <= 0 || !isPack) return undefined;
    if (!/^\s*(?:\?\.|\.|\[)/.test(this.#text.slice(end, end + 200))) return undefined;
    this.#packs.push(end);
    return this.#parse();
  }

  /** Repairs `{"a": 1}` at the beginning of a line before the error. */
  #takeObject(at: number) {
    for (const start of lineBraces(this.#text, at).slice(0, MAX_CANDIDATES)) {
      const end = closingBrace(this.#text, start);
      if (end === undefined || end <= at || this.#attempts <= 0) continue;
      if (this.#objects.some((object) => object.start === start)) continue;
      this.#objects.push({ start, end });
      const parsed = this.#parse();
      if (parsed.result.kind === "parsed") return parsed;
      if (this.#authorOffset(parsed.result, parsed.shifts) > at) return parsed;
      this.#objects.pop();
    }
    return undefined;
  }

  #authorOffset(
    { line, column }: Place,
    shifts: readonly Shift[],
  ): number {
    const start = lineStart(this.#author, line);
    return Math.min(this.#author.length, start + originalColumn(shifts, { line, column }) - 1);
  }
}

/** Name in the tree in place of a reserved word, which the author's text keeps. */
function standIn(word: string): string {
  return `$${word.slice(1)}`;
}

/** Top-level blocks that have a meaning only as objects. */
function objectBlocks({ program }: ParsedModule): Span[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== "BlockStatement" || statement.directives.length > 0) return [];
    const [only, ...rest] = statement.body;
    const object = rest.length === 0 && (!only || isMember(only));
    return object ? [{ start: startOf(statement), end: endOf(statement) }] : [];
  });
}

/** Tells whether a block reads as an object: `a: expression`, or only names. */
function isMember(statement: ParsedModule["program"]["body"][number]): boolean {
  if (statement.type === "LabeledStatement") {
    return statement.body.type === "ExpressionStatement";
  }
  if (statement.type !== "ExpressionStatement") return false;
  const { expression } = statement;
  return expression.type === "Identifier" ||
    expression.type === "SequenceExpression" &&
      expression.expressions.every((item) => item.type === "Identifier");
}

/** Positions of braces at the beginning of lines before `at`, the nearest first. */
function lineBraces(text: string, at: number): number[] {
  const positions: number[] = [];
  for (const match of text.slice(0, at + 1).matchAll(/(?<=^|[\n\r;])[ \t]*\{/g)) {
    positions.push(match.index + match[0].length - 1);
  }
  return positions.reverse();
}

/** Position after the brace that closes the one at `start`, past strings, templates and comments. */
function closingBrace(text: string, start: number): number | undefined {
  const token =
    /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|\/\/[^\n\r]*|[{}]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === "{") depth++;
    if (match[0] === "}" && --depth === 0) return token.lastIndex;
  }
  return undefined;
}

function wordAt(text: string, at: number): Span {
  let start = at;
  let end = at;
  while (start > 0 && /[\w$]/.test(text.charAt(start - 1))) start--;
  while (end < text.length && /[\w$]/.test(text.charAt(end))) end++;
  return { start, end };
}

/** Position at which a line begins. */
export function lineStart(text: string, line: number): number {
  const breaks = /\r\n|[\n\r\u2028\u2029]/g;
  for (let at = 1; at < line; at++) if (!breaks.exec(text)) break;
  return breaks.lastIndex;
}
