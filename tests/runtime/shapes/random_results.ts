/** Random tools for the property of learned results: their results, and programs that use one. */

import type { JsonValue } from "#base";
import { randomSource } from "../command/random.ts";

export interface Statement {
  readonly typescript: string;
  readonly javascript: string;
}

type Kind = "text" | "number" | "boolean" | "list" | "object" | "map";
const KINDS: readonly Kind[] = ["text", "number", "boolean", "list", "object", "map"];
const NAMES = [
  "id",
  "title",
  "rows",
  "owner",
  "tags",
  "count",
  "open",
  "note",
  "new",
  "a b",
];

/** One place of a result: values of one kind, or of several. */
interface Place {
  readonly kinds: readonly Kind[];
  readonly isNull: boolean;
  readonly isMissing: boolean;
  readonly items?: Place;
  readonly fields: readonly (readonly [string, Place])[];
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  const source = randomSource(seed);
  return () => source(2 ** 20) / 2 ** 20;
}

/** A tool: results as it returns them, one after another. */
export function randomTool(random: () => number): () => JsonValue {
  const root = placeOf(random, 0);
  return () => valueOf(root, random);
}

function placeOf(random: () => number, level: number): Place {
  const count = random() < 0.2 ? 2 : 1;
  const most = level > 3 ? 3 : KINDS.length;
  const kinds = Array.from({ length: count }, () => {
    // Only lists and objects are read from a tool's text.
    return level === 0 ? pick(KINDS.slice(3), random) : pick(KINDS.slice(0, most), random);
  });
  const isContainer = kinds.some((kind) => !["text", "number", "boolean"].includes(kind));
  const names = isContainer ? NAMES.filter(() => random() < 0.5) : [];
  return {
    kinds,
    isNull: level > 0 && random() < 0.2,
    isMissing: random() < 0.3,
    items: isContainer ? placeOf(random, level + 1) : undefined,
    fields: names.map((name) => [name, placeOf(random, level + 1)]),
  };
}

function valueOf(place: Place, random: () => number): JsonValue {
  if (place.isNull && random() < 0.3) return null;
  const inner = () => place.items ? valueOf(place.items, random) : null;
  switch (pick(place.kinds, random)) {
    case "text":
      return pick(["", "one", "two words", "7"], random);
    case "number":
      return Math.floor(random() * 100);
    case "boolean":
      return random() < 0.5;
    case "list":
      return Array.from({ length: Math.floor(random() * 4) }, inner);
    case "map":
      return Object.fromEntries(
        Array.from(
          { length: Math.floor(random() * 4) },
          (_, day) => [`2026-11-0${day + 1}`, inner()],
        ),
      );
    case "object":
      return Object.fromEntries(
        place.fields.flatMap(([name, field]) =>
          field.isMissing && random() < 0.4 ? [] : [[name, valueOf(field, random)] as const]
        ),
      );
  }
}

/** Uses of a result that go well with it. A place that was only ever one other kind is not used as
 * the kind that it has now. */
export function usesOf(
  result: JsonValue,
  { earlier, random }: { readonly earlier: readonly JsonValue[]; readonly random: () => number },
): Statement[] {
  const kinds = new Map<string, Set<string>>();
  for (const value of earlier) note(value, "", kinds);
  const statements: Statement[] = [];
  walk(result, { code: "r", path: "", kinds, random, statements });
  return statements;
}

function note(value: JsonValue, path: string, kinds: Map<string, Set<string>>): void {
  const noted = kinds.get(path) ?? new Set();
  kinds.set(path, noted);
  if (value === null) return;
  noted.add(kindOf(value));
  for (const { below, inner } of partsOf(value, path)) note(inner, below, kinds);
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? "list" : typeof value;
}

function partsOf(value: JsonValue, path: string) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as Record<string, JsonValue>).map(([key, inner]) => {
    const isData = key.startsWith("2026");
    return {
      key: Array.isArray(value) ? key : JSON.stringify(key),
      inner,
      below: `${path}/${Array.isArray(value) ? "[]" : isData ? "{}" : key}`,
    };
  });
}

interface Use {
  readonly code: string;
  readonly path: string;
  readonly kinds: ReadonlyMap<string, ReadonlySet<string>>;
  readonly random: () => number;
  readonly statements: Statement[];
}

function walk(value: JsonValue, use: Use): void {
  const { code, path, kinds, random, statements } = use;
  const seen = kinds.get(path);
  if (value !== null && seen?.size === 1 && !seen.has(kindOf(value))) return;
  const options = usesOfValue(value, code);
  for (let count = 0; count < 2; count++) statements.push(pick(options, random));
  const names = [...kinds.keys()].filter((place) => place.startsWith(`${path}/`));
  // Of an object that only had dates as keys, every key is a place of the map.
  const isMap = names.length > 0 && names.every((place) => place.startsWith(`${path}/{}`));
  for (const { key, inner, below } of partsOf(value, path)) {
    const place = isMap && !Array.isArray(value) ? `${path}/{}` : below;
    walk(inner, { ...use, code: `${code}[${key}]`, path: place });
  }
}

function usesOfValue(value: JsonValue, x: string): Statement[] {
  const always = [
    `${x} === null`,
    `${x} ?? 1`,
    `${x} == undefined`,
    `String(${x})`,
    `[${x}, "text", 1]`,
  ];
  const plain = (texts: readonly string[]) =>
    [...always, ...texts].map((text) => same(`void (${text})`));
  if (value === null) return plain([`${x}?.nope`, `${x} || 7`]);
  switch (typeof value) {
    case "string":
      return [
        ...plain([`${x}.toUpperCase().length`, `${x} + 1`, `[...${x}]`, `${x} === "one"`]),
        ...plain([`(${x} || []).map`, `typeof ${x} === "object" ? ${x}.map(String) : ${x}`]),
        same(`{ let t = ${x}; t = t.split(" "); t.map((word) => word) }`),
        typed(`{ const t: string = ${x}; t.trim() }`, ": string"),
      ];
    case "number":
      return [
        ...plain([`${x}.toFixed(1)`, `${x} * 2`, `${x} > 3`, `Math.max(${x}, 2)`]),
        ...plain([`${x}.trim ? ${x}.trim() : ${x}`, `${x}.map?.(String) ?? [${x}]`]),
        same(`{ let n = ${x}; n = String(n); n.trim() }`),
        same(`{ const f = (v = ${x}) => v; f("text") }`),
        typed(`{ const n: number | string = ${x}; String(n) }`, ": number | string"),
      ];
    case "boolean":
      return plain([`${x} ? 1 : 2`, `!${x}`, `${x} === true`]);
  }
  if (Array.isArray(value)) {
    return [
      ...plain([`${x}.map((item) => [item])`, `${x}.length`, `${x}.at(-1)?.id`, `[...${x}]`]),
      ...plain([`${x}.find((item) => item === 1)`, `${x}.items ?? ${x}`, `${x}.flat()`]),
      ...plain([`(${x}.items ?? ${x}).map((item) => item)`, `new Set(${x}).has("text")`]),
      ...plain([`${x}.filter((item) => item !== "text").length`, `${x}.join() === 7`]),
      ...plain([`Array.isArray(${x}) ? ${x}.length : ${x}.rows.length`]),
      same(`for (const item of ${x}) void item`),
    ];
  }
  return [
    ...plain([`Object.keys(${x})`, `({ ...${x}, more: 1 }).more`, `"id" in ${x}`, `${x}.nope?.x`]),
    ...plain([`Object.values(${x}).map((item) => item)`, `${x}["other"] ?? "none"`]),
    same(`{ const { absent = 1 } = ${x}; absent + 1 }`),
    same(`{ const copy = { ...${x} }; copy.id = "text"; delete copy.id }`),
    same(`for (const item of ${x}.list ?? []) void item`),
    typed(`{ const o: { further?: string } = ${x}; o.further?.trim() }`, ": { further?: string }"),
    typed(`{ const o: Record<string, unknown> = ${x}; o.id }`, ": Record<string, unknown>"),
  ];
}

function same(text: string): Statement {
  return { typescript: text, javascript: text };
}

function typed(text: string, annotation: string): Statement {
  return { typescript: text, javascript: text.replace(annotation, "") };
}

function pick<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError("Nothing to pick from");
  return value;
}
