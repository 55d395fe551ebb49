/** Replaces marks by values: by string content in quotes, by a literal elsewhere, as the parser
 * decides. Then the syntax tree with values must equal the tree with marks, except at the marks. */

import type { JsonValue } from "#base";
import { children, endOf, type Node, placeOf, startOf } from "../../syntax/parse.ts";
import { commandLiteral, literalText } from "../literal.ts";
import { parseCommand } from "../recover.ts";
import { type Rendered, TemplateError } from "./render_template.ts";
import { isNode } from "../../syntax/parse.ts";

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces the marks in a command by values. */
export function placeValues({ text, values, mark }: Rendered): string {
  if (values.length === 0) return text;
  const marked = parseCommand(text);
  if (marked.kind === "failed") {
    throw new TemplateError(
      `The template gives an invalid command: line ${marked.line} of it: ${marked.message}`,
    );
  }
  const { module } = marked;
  const placing = new Placing(module.text, values, mark);
  placing.visit(module.program, undefined);
  const placed = placing.apply();
  const parsed = parseCommand(placed);
  const same = parsed.kind === "parsed" &&
    new Comparison(values, mark).same(module.program, parsed.module.program);
  if (!same) throw new TemplateError("The template puts a value where it would become code");
  return placed;
}

class Placing {
  readonly #text: string;
  readonly #values: readonly JsonValue[];
  readonly #mark: RegExp;
  readonly #replacements: Replacement[] = [];

  constructor(text: string, values: readonly JsonValue[], mark: RegExp) {
    this.#text = text;
    this.#values = values;
    this.#mark = mark;
  }

  visit(node: Node, parent: Node | undefined): void {
    switch (node.type) {
      case "Identifier":
        return this.#placeName(node, parent);
      case "StringLiteral":
      case "DirectiveLiteral":
        return this.#placeIn(node, this.#text.charAt(startOf(node)));
      case "TemplateElement":
        return this.#placeIn(node, "`");
      case "RegExpLiteral":
        if (this.#marks(node).length > 0) throw misplaced(node, "within a regular expression");
        return;
    }
    for (const child of children(node)) this.visit(child, node);
  }

  /** The text with every mark replaced; the remaining marks are in comments. */
  apply(): string {
    const parts: string[] = [];
    let at = 0;
    const rest = (text: string) =>
      text.replace(this.#mark, (_, index: string) => inComment(this.#values[Number(index)]));
    for (const { start, end, text } of this.#replacements.sort((a, b) => a.start - b.start)) {
      parts.push(rest(this.#text.slice(at, start)), text);
      at = end;
    }
    parts.push(rest(this.#text.slice(at)));
    return parts.join("");
  }

  #placeName(node: Extract<Node, { type: "Identifier" }>, parent: Node | undefined): void {
    const [match, another] = [...node.name.matchAll(this.#mark)];
    for (const child of children(node)) this.visit(child, node);
    if (!match) return;
    const whole = match[0] === node.name && !another;
    if (!whole || (parent && isKey(node, parent))) {
      throw misplaced(node, "where a name is required: put quotes around it");
    }
    this.#replacements.push({
      start: startOf(node),
      end: startOf(node) + node.name.length,
      text: literalText(this.#values[Number(match[1])] ?? null),
    });
  }

  #placeIn(node: Node, quote: string): void {
    for (const match of this.#marks(node)) {
      const start = startOf(node) + match.index;
      let slash = start;
      while (this.#text.charAt(slash - 1) === "\\") slash--;
      if ((start - slash) % 2 === 1) throw misplaced(node, "behind a back-slash");
      const value = this.#values[Number(match[1])] ?? null;
      const text = escaped(contentText(value), quote);
      this.#replacements.push({ start, end: start + match[0].length, text });
    }
  }

  #marks(node: Node): RegExpExecArray[] {
    return [...this.#text.slice(startOf(node), endOf(node)).matchAll(this.#mark)];
  }
}

/** Tells whether an identifier is a property name. */
function isKey(node: Node, parent: Node): boolean {
  if ("computed" in parent && parent.computed) return false;
  return "key" in parent && parent.key === node || "property" in parent && parent.property === node;
}

function misplaced(node: Node, where: string): TemplateError {
  return new TemplateError(`The template puts a value ${where} (line ${placeOf(node).line} of it)`);
}

/** Value as string content. */
function contentText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Escapes a text for quotes of any kind. */
function escaped(text: string, quote: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\\"'`${\x00-\x1f\x7f\u0085\u2028\u2029\ud800-\udfff\ufeff]/g,
    (mark) => {
      if (mark === "\\" || mark === quote) return `\\${mark}`;
      if (mark === "$" || mark === "{") return quote === "`" ? `\\${mark}` : mark;
      if (mark === '"' || mark === "'" || mark === "`") return mark;
      return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
    },
  );
}

/** Value as the text of a comment, without characters that could end it. */
function inComment(value: JsonValue | undefined): string {
  return contentText(value ?? null).replace(/[^\p{L}\p{N} .,:;_-]/gu, " ").slice(0, 200);
}

const POSITIONS = new Set(["start", "end", "loc", "extra", "range", "raw"]);

/** Compares a tree that has marks with a tree that has their values. */
class Comparison {
  readonly #values: readonly JsonValue[];
  readonly #mark: RegExp;

  constructor(values: readonly JsonValue[], mark: RegExp) {
    this.#values = values;
    this.#mark = mark;
  }

  same(marked: Node, placed: Node): boolean {
    if (marked.type === "Identifier") {
      const [match] = marked.name.matchAll(this.#mark);
      if (match) return this.#isLiteral(placed, this.#values[Number(match[1])] ?? null);
    }
    if (marked.type !== placed.type) return false;
    // The text of a directive stays as written.
    if (marked.type === "DirectiveLiteral") return true;
    const keys = new Set([...Object.keys(marked), ...Object.keys(placed)]);
    for (const key of keys) {
      if (POSITIONS.has(key)) continue;
      if (!this.#samePart(marked[key as keyof Node], placed[key as keyof Node])) return false;
    }
    return true;
  }

  #isLiteral(placed: Node, value: JsonValue): boolean {
    const literal = commandLiteral(placed);
    return literal !== undefined && JSON.stringify(literal) === JSON.stringify(value);
  }

  #samePart(marked: unknown, placed: unknown): boolean {
    if (isNode(marked)) return isNode(placed) && this.same(marked, placed);
    if (typeof marked === "string") return this.#filled(marked) === placed;
    if (Array.isArray(marked)) {
      return Array.isArray(placed) && marked.length === placed.length &&
        marked.every((item, index) => this.#samePart(item, placed[index]));
    }
    if (typeof marked !== "object" || marked === null) return Object.is(marked, placed);
    if (typeof placed !== "object" || placed === null) return false;
    // Of a template, `raw` depends on the escapes; only `cooked` is compared.
    return Object.entries(marked).every(([key, item]) =>
      key === "raw" || this.#samePart(item, Reflect.get(placed, key))
    );
  }

  #filled(text: string): string {
    return text.replace(
      this.#mark,
      (_, index: string) => contentText(this.#values[Number(index)] ?? null),
    );
  }
}
