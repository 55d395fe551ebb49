/** JSON with comments: parsed with the place of an error, changed in place. The library's own
 * insertion would format the lines beside it, too. */

import {
  applyEdits,
  createScanner,
  type Edit,
  modify,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type Change, FileProblem } from "./client_file.ts";

const OPTIONS = { allowTrailingComma: true };

/** The value of the text. Throws `FileProblem` also where a key of the root, or of the map below `key`,
 * is there twice: a client takes the last, and an edit changes the first. */
export function parseJson(text: string, key: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, OPTIONS);
  const [first] = errors;
  if (first) {
    const reason = printParseErrorCode(first.error).replaceAll(/\B[A-Z]/g, " $&").toLowerCase();
    throw new FileProblem(`${placeOf(text, first.offset)}: ${reason}: correct it there`);
  }
  const root = parseTree(text, [], OPTIONS);
  for (const map of [root, root && propertyOf(root, key)]) {
    const twin = map?.type === "object" ? twinIn(map) : undefined;
    if (!twin) continue;
    const name = JSON.stringify(twin.value);
    throw new FileProblem(
      `${placeOf(text, twin.offset)}: the key ${name} is there twice: remove one`,
    );
  }
  return value;
}

/** The first key of a map that equals an earlier one. */
function twinIn({ children = [] }: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const key of children.flatMap((property) => property.children?.[0] ?? [])) {
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return undefined;
}

/** `LINE:COLUMN` of an offset. */
function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

export function editJson(text: string, { set, remove }: Change, key: string): string {
  let edited = text.trim() === "" ? "{}\n" : text;
  for (const name of remove) {
    edited = applyEdits(edited, modify(edited, [key, name], undefined, {}));
  }
  for (const [name, entry] of Object.entries(set)) edited = put(edited, [key, name], entry);
  return edited;
}

/** Sets one property of the map below the first key; makes the map where it is missing. */
function put(text: string, [key, name]: readonly [string, string], value: object): string {
  const root = parseTree(text, [], OPTIONS);
  if (!root) throw new FileProblem("1:1: it is empty");
  const servers = propertyOf(root, key);
  if (!servers) return insert(text, root, { key, value: { [name]: value } });
  const present = propertyOf(servers, name);
  if (!present) return insert(text, servers, { key: name, value });
  const content = format(value, { text, indent: indentAt(text, present.offset) });
  return applyEdits(text, [{ offset: present.offset, length: present.length, content }]);
}

function propertyOf(node: Node, name: string): Node | undefined {
  return node.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

interface Property {
  readonly key: string;
  readonly value: object;
}

/** Appends a property to an object. Comments keep their places. */
function insert(text: string, object: Node, { key, value }: Property): string {
  const base = indentAt(text, object.offset);
  const last = object.children?.at(-1);
  const end = object.offset + object.length - 1;
  const eol = eolOf(text);
  if (!last) {
    const indent = base + unitOf(text);
    const property = `${JSON.stringify(key)}: ${format(value, { text, indent })}`;
    const inside = text.slice(object.offset + 1, end).trimEnd();
    const content = `${inside}${eol}${indent}${property}${eol}${base}`;
    return applyEdits(text, [{
      offset: object.offset + 1,
      length: end - object.offset - 1,
      content,
    }]);
  }
  const lastEnd = last.offset + last.length;
  const isOneLine = !text.slice(object.offset, end).includes("\n");
  const indent = isOneLine ? base : indentAt(text, last.offset);
  const property = `${JSON.stringify(key)}: ${format(value, { text, indent })}`;
  const comma = commaAfter(text, lastEnd);
  const edits: Edit[] = comma === undefined ? [{ offset: lastEnd, length: 0, content: "," }] : [];
  const offset = isOneLine ? comma ?? lastEnd : lineEnd(text, comma ?? lastEnd, end);
  const lead = isOneLine ? " " : eol + indent;
  edits.push({ offset, length: 0, content: lead + property + (comma === undefined ? "" : ",") });
  return applyEdits(text, edits);
}

/** Position behind a comma that follows, past comments; else undefined. */
function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === "," ? offset + 1 : undefined;
}

/** End of the line where only a comment follows, so that the comment stays beside its property. */
function lineEnd(text: string, from: number, end: number): number {
  const next = text.indexOf("\n", from);
  if (next === -1 || next > end || !/^\s*(\/\/.*)?$/.test(text.slice(from, next))) return from;
  return text[next - 1] === "\r" ? next - 1 : next;
}

function format(
  value: object,
  { text, indent }: { readonly text: string; readonly indent: string },
): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eolOf(text) + indent);
}

/** Blanks at the beginning of a line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function unitOf(text: string): string {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t") ? "\t" : indent;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
