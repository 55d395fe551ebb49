/** Types in one line, for a person or a model to read; no longer than a bound. */

import { escapeUnseen } from "#base";
import type { Converted, ObjectType, Type } from "./ir.ts";

/** Allowed values that a list keeps where it is cut. */
const CHOICES = 12;
const LITERAL = 60;
const DEEPEST = 8;
/** Properties of the objects at the deepest level, tried one after the other. */
const WIDTHS = [Infinity, 16, 8, 4, 2, 1];

interface Printing {
  readonly converted: Converted;
  /** Level below which objects are `{ … }`. */
  readonly depth: number;
  /** Properties that an object on that level keeps. */
  readonly width: number;
  /** Characters left; under 0 the text is too long already. */
  left: number;
}

/** Writes a type in one line of at most so many characters: what is too long loses the properties at
 * its deepest levels, for which `…` stands. */
export function inlineType(converted: Converted, most: number): string {
  for (let depth = DEEPEST; depth > 0; depth--) {
    for (const width of WIDTHS) {
      const printing = { converted, depth, width, left: most };
      const text = typeText(converted.root, printing, 1);
      if (printing.left >= 0 && text.length <= most) return text;
    }
  }
  return "{ … }";
}

function typeText(type: Type, printing: Printing, level: number): string {
  if (printing.left < 0) return "";
  const text = ownText(type, printing, level);
  if (type.kind === "primitive" || type.kind === "literal") printing.left -= text.length;
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

function isCombined(type: Type, { converted: { root, definitions } }: Printing): boolean {
  let at: Type | undefined = type;
  for (let count = 0; at?.kind === "reference" && count < DEEPEST; count++) {
    at = at.definition === 0 ? root : definitions[at.definition - 1]?.type;
  }
  return at?.kind === "union" || at?.kind === "intersection";
}

function referenceText(definition: number, printing: Printing, level: number): string {
  const { root, definitions } = printing.converted;
  const target = definition === 0 ? root : definitions[definition - 1]?.type;
  if (!target) return "any";
  // A definition may contain itself: every reference is a level.
  return level > printing.depth ? "…" : typeText(target, printing, level);
}

function unionText(members: readonly Type[], printing: Printing, level: number): string {
  const texts = new Set(members.map((member) => partText(member, printing, level)));
  const kept = [...texts].slice(0, CHOICES);
  if (texts.size > CHOICES) kept.push(`… ${texts.size - CHOICES} more`);
  return kept.join(" | ");
}

function objectText({ properties, others }: ObjectType, printing: Printing, level: number): string {
  if (properties.length === 0) {
    if (!others) return "{}";
    return `Record<string, ${typeText(others, printing, level + 1)}>`;
  }
  if (level > printing.depth) return "{ … }";
  const width = level === printing.depth ? printing.width : Infinity;
  const members = properties.slice(0, width).map(({ name, optional, type }) => {
    const key = `${nameText(name)}${optional ? "?" : ""}`;
    printing.left -= key.length;
    return `${key}: ${typeText(type, printing, level + 1)}`;
  });
  if (properties.length > width) members.push("…");
  else if (others) members.push(`[key: string]: ${typeText(others, printing, level + 1)}`);
  return `{ ${members.join("; ")} }`;
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
