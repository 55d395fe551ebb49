/** Types in one line, for a person or a model to read; no longer than a bound. */

import { escapeUnseen } from "#base";
import { type Converted, type ObjectType, targetOf, type Type } from "./ir.ts";

const LITERAL = 60;
const DEEPEST = 8;

/** Sizes of a printed type, tried from the first on. */
const SIZES = [
  { width: Infinity, choices: 12 },
  ...[Infinity, 16, 8, 4, 2, 1].map((width) => ({ width, choices: 8 })),
] as const;

interface Printing {
  readonly converted: Converted;
  /** Level below which objects are `{ … }`. */
  readonly depth: number;
  /** Properties that an object on that level keeps. */
  readonly width: number;
  /** Values that a list of allowed ones keeps. */
  readonly choices: number;
  /** Characters left; under 0 the text is too long already. */
  left: number;
}

/** Writes a type in one line of at most `most` characters. A type that is too long loses the
 * properties at its deepest levels, for which `…` stands. A list of allowed values keeps eight,
 * however long. */
export function inlineType(converted: Converted, most: number, type = converted.root): string {
  for (let depth = DEEPEST; depth > 0; depth--) {
    for (const size of SIZES) {
      const printing = { converted, depth, ...size, left: most };
      const text = typeText(type, printing, 1);
      if (printing.left >= 0 && text.length <= most) return text;
    }
  }
  return typeText(type, { converted, depth: 0, width: 0, choices: 8, left: Infinity }, 1);
}

function typeText(type: Type, printing: Printing, level: number): string {
  if (printing.left < 0) return "";
  const text = ownText(type, printing, level);
  const isLeaf = type.kind === "primitive" || type.kind === "literal";
  printing.left -= isLeaf ? text.length : 1;
  return text;
}

function ownText(type: Type, printing: Printing, level: number): string {
  const part = (inner: Type) => partText(inner, printing, level + 1);
  switch (type.kind) {
    case "anything":
      return "any";
    case "never":
      return "never";
    case "primitive":
      return type.name;
    case "literal":
      return literalText(type.value);
    case "reference":
      return referenceText(type.definition, printing, level);
    case "array":
      return `${partText(type.item, printing, level)}[]`;
    case "tuple": {
      const items = type.items.map((item, at) => `${part(item)}${at < type.required ? "" : "?"}`);
      if (type.rest) items.push(`...${part(type.rest)}[]`);
      return `[${items.join(", ")}]`;
    }
    case "union":
      return unionText(type.members, printing, level);
    case "intersection":
      return [...new Set(type.members.map(part))].join(" & ");
    case "object":
      return objectText(type, printing, level);
    default:
      return type satisfies never;
  }
}

/** A type that stands beside an operator. */
function partText(type: Type, printing: Printing, level: number): string {
  const text = typeText(type, printing, level);
  return isCombined(type, printing) && / [|&] /.test(text) ? `(${text})` : text;
}

function isCombined(type: Type, { converted }: Printing): boolean {
  let at: Type | undefined = type;
  for (let count = 0; at?.kind === "reference" && count < DEEPEST; count++) {
    at = targetOf(at.definition, converted);
  }
  return at?.kind === "union" || at?.kind === "intersection";
}

function referenceText(definition: number, printing: Printing, level: number): string {
  const target = targetOf(definition, printing.converted);
  if (!target) return "any";
  if (target.kind === "object") {
    // A map may hold itself.
    const isDeep = level > printing.depth && target.others && target.others.kind !== "anything";
    return isDeep ? "{ … }" : objectText(target, printing, level);
  }
  // A definition may be a list of itself: every reference is a level.
  return level > printing.depth ? "…" : typeText(target, printing, level + 1);
}

function unionText(members: readonly Type[], printing: Printing, level: number): string {
  const texts = new Set(members.map((member) => partText(member, printing, level)));
  const { choices } = printing;
  const limited = [...texts].slice(0, choices);
  if (texts.size > choices) limited.push(`… ${texts.size - choices} more`);
  return limited.join(" | ");
}

function objectText({ properties, others }: ObjectType, printing: Printing, level: number): string {
  if (properties.length === 0) {
    if (!others) return "{}";
    return `Record<string, ${typeText(others, printing, level + 1)}>`;
  }
  if (level > printing.depth) return "{ … }";
  const width = level === printing.depth ? printing.width : Infinity;
  // Of many, those that are always there say most.
  const order = properties.length > width
    ? properties.toSorted((one, other) => Number(one.optional) - Number(other.optional))
    : properties;
  const members: string[] = [];
  for (const { name, optional, type } of order.slice(0, width)) {
    if (printing.left < 0) return "";
    const key = `${nameText(name)}${optional ? "?" : ""}`;
    printing.left -= key.length;
    members.push(`${key}: ${typeText(type, printing, level + 1)}`);
  }
  if (properties.length > width) members.push("…");
  else if (others && others.kind !== "anything") {
    members.push(`[key: string]: ${typeText(others, printing, level + 1)}`);
  }
  return `{ ${members.join("; ")} }`;
}

/** Types of the properties of an object, also of one that is put together of several. */
export function propertyTypes(converted: Converted): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  /** Least depth of what was gone through. */
  const depths = new Map<Type, number>();
  const collect = (type: Type | undefined, depth: number): void => {
    if (!type || depth > DEEPEST || depth >= (depths.get(type) ?? Infinity)) return;
    depths.set(type, depth);
    if (type.kind === "reference") collect(targetOf(type.definition, converted), depth + 1);
    if (type.kind === "union" || type.kind === "intersection") {
      for (const member of type.members) collect(member, depth + 1);
    }
    if (type.kind !== "object") return;
    for (const { name, type: of } of type.properties) if (!types.has(name)) types.set(name, of);
  };
  collect(converted.root, 0);
  return types;
}

/** A property's or an argument's name: as it stands, or in quotes. */
export function nameText(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : literalText(name);
}

/** A value as code writes it, long texts cut. */
export function literalText(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const cut = value.length > LITERAL ? `${value.slice(0, LITERAL).toWellFormed()}…` : value;
  return escapeUnseen(JSON.stringify(cut));
}
