/** Shapes of one server as the text of a file, and back. The file is read as foreign input. */

import { Buffer } from "node:buffer";
import { attempt, isObject, type JsonObject, type JsonValue } from "#base";
import { emptyShape, KIND, mergeShapes, MOST, type Shape } from "./shape.ts";

/** Results of one tool, as they were seen. */
export interface Learned {
  /** Hash of the tool's name and input schema. */
  readonly id: string;
  readonly calls: number;
  readonly shape: Shape;
}

export const MOST_BYTES = 64 * 1024;
const VERSION = 1;
const LETTERS = [
  ["t", KIND.text],
  ["n", KIND.number],
  ["b", KIND.boolean],
  ["z", KIND.null],
  ["l", KIND.list],
  ["o", KIND.object],
  ["d", KIND.deep],
] as const;
const HEAD = `{"version":${VERSION},"tools":{\n`;
const TAIL = "\n}}\n";
/** Bytes of a line below which no further parts are cut. */
const LEAST_LINE = 100;
/** Bytes of a shape beside its key. */
const LEAST_SHAPE = 30;
const LONGEST_NAME = 200;
/** Levels of a file: objects, and lists between them. */
const DEEPEST = 2 * MOST.levels + 2;

/** Writes tools by name in at most 64 kB: the largest shapes are cut first. The cuts are chosen before
 * anything is written: a server may have thousands of large shapes. */
export function writeLearned(tools: ReadonlyMap<string, Learned>): string {
  const room = MOST_BYTES - HEAD.length - TAIL.length;
  const sizes = [...tools.values()].map(({ shape }) => sizesOf(shape));
  let depths = sizes.map(() => DEEPEST);
  for (let most = room; most > LEAST_LINE; most *= 0.7) {
    if (sizes.reduce((sum, size, at) => sum + (size[depths[at] ?? 0] ?? 0), 0) <= room) break;
    depths = sizes.map((size) => Math.max(0, size.findLastIndex((bytes) => bytes <= most)));
  }
  let left = room;
  const lines = [...tools].flatMap(([name, learned], at) => {
    if (left < 0) return [];
    const line = lineOf(name, learned, depths[at] ?? 0);
    // With the comma and the line's end.
    const bytes = Buffer.byteLength(line) + 2;
    if (bytes > left) return [];
    left -= bytes;
    return [line];
  });
  return `${HEAD}${lines.join(",\n")}${TAIL}`;
}

function lineOf(name: string, { id, calls, shape }: Learned, depth: number): string {
  return `${JSON.stringify(name)}:${JSON.stringify({ id, calls, shape: shapeJson(shape, depth) })}`;
}

/** Bytes of a line where its shape is cut at each depth, nearly. */
function sizesOf(shape: Shape): number[] {
  const levels: number[] = Array(DEEPEST + 1).fill(0);
  addSizes(shape, levels, 0);
  let sum = LEAST_LINE;
  return levels.map((bytes) => sum += bytes);
}

function addSizes({ items, rest, fields }: Shape, levels: number[], level: number): void {
  if (level > DEEPEST) return;
  const keys = fields.keys().reduce((sum, key) => sum + Buffer.byteLength(key), 0);
  levels[level] = (levels[level] ?? 0) + LEAST_SHAPE;
  levels[level + 1] = (levels[level + 1] ?? 0) + keys;
  for (const part of [items, rest, ...fields.values()]) {
    if (part) addSizes(part, levels, level + 1);
  }
}

/** Reads such a text; what is malformed is left out. */
export function readLearned(text: string): Map<string, Learned> {
  const value = parse(text);
  if (!isObject(value) || value.version !== VERSION || !isObject(value.tools)) return new Map();
  return new Map(
    Object.entries(value.tools).flatMap(([name, saved]) => {
      if (!isObject(saved) || typeof saved.id !== "string" || !isCount(saved.calls)) return [];
      const { id, calls } = saved;
      const shape = readShape(saved.shape, 0);
      return shape ? [[name, { id, calls, shape }] as const] : [];
    }),
  );
}

function parse(text: string): unknown {
  // A damaged file holds nothing that was learned.
  return attempt(() => JSON.parse(text));
}

/** `"12t"` for twelve texts; an object where the shape has parts. */
function shapeJson(shape: Shape, depth: number): JsonValue {
  const { kinds, seen, items, objects, fields, rest, isMap } = shape;
  const isCut = depth <= 0 && (kinds & (KIND.list | KIND.object)) !== 0;
  const written = isCut ? KIND.deep : kinds;
  const letters = LETTERS.filter(([, bit]) => written & bit).map(([letter]) => letter);
  const head = `${seen}${letters.join("")}`;
  if (isCut || !(items || objects > 0)) return head;
  const parts: { [key: string]: JsonValue } = { is: head };
  if (items) parts.items = shapeJson(items, depth - 1);
  if (objects > 0) {
    if (objects !== seen) parts.objects = objects;
    if (isMap) parts.map = true;
    if (fields.size > 0) {
      parts.fields = Object.fromEntries(
        [...fields].map(([key, field]) => [key, shapeJson(field, depth - 1)]),
      );
    }
    if (rest) parts.rest = shapeJson(rest, depth - 1);
  }
  return parts;
}

function readShape(saved: unknown, depth: number): Shape | undefined {
  if (depth > DEEPEST) return undefined;
  const parts: JsonObject = isObject(saved) ? saved as JsonObject : {};
  const head = typeof saved === "string" ? saved : parts.is;
  const [, digits = "", letters = ""] = /^(\d{1,15})([tnbzlod]*)$/.exec(String(head)) ?? [];
  if (digits === "") return undefined;
  const shape = emptyShape();
  shape.seen = Number(digits);
  for (const [letter, bit] of LETTERS) if (letters.includes(letter)) shape.kinds |= bit;
  shape.items = readShape(parts.items, depth + 1);
  shape.rest = readShape(parts.rest, depth + 1);
  shape.isMap = parts.map === true;
  const hasObjects = (shape.kinds & KIND.object) !== 0;
  if (hasObjects) shape.objects = isCount(parts.objects) ? parts.objects : shape.seen;
  const fields = isObject(parts.fields) ? Object.entries(parts.fields) : [];
  for (const [key, field] of fields.slice(0, MOST.fields)) {
    const read = key.length <= LONGEST_NAME ? readShape(field, depth + 1) : undefined;
    if (read) shape.fields.set(key, read);
  }
  // Keys that are data, and maps that are written as fields, are put in their place.
  return mergeShapes(emptyShape(), shape);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
