/** Writes types; `emit.ts` puts them into modules. */

import { commentLine, commentLines, literal, propertyName } from "./escape.ts";
import type { Converted, Doc, ObjectType, Type } from "./ir.ts";
import { definitionNames } from "./type_names.ts";

const PROPERTY_DESCRIPTION = 1000;

export interface SchemaText {
  readonly name: string;
  readonly anything: "any" | "unknown";
  /** Number of calls that the type was learned from. */
  readonly calls?: number;
}

/** Writes the declarations of a schema, the root's exported under `name`. */
export function emitSchema(converted: Converted, { name, anything, calls }: SchemaText): string {
  const names = [name, ...definitionNames(name, converted.definitions)];
  const isLearned = calls !== undefined;
  const style = { names, anything, isLearned, indent: "" };
  const root = anything === "unknown" ? asArguments(converted.root) : converted.root;
  const all = [root, ...converted.definitions.map((definition) => definition.type)];
  const note = isLearned ? `/** ${seenText(calls)} */\n` : "";
  return all.map((type, index) => {
    const word = index === 0 ? `${note}export ` : "";
    if (type.kind === "object" && !(isLearned && type.properties.length === 0)) {
      return `\n${word}interface ${names[index]} ${emitObject(type, style)}\n`;
    }
    return `\n${word}type ${names[index]} = ${emitType(type, style)};\n`;
  }).join("");
}

/** `Seen in 12 calls`. */
function seenText(calls: number): string {
  return `Seen in ${calls} call${calls === 1 ? "" : "s"}`;
}

/** Arguments are an object, whatever the schema says. */
function asArguments(type: Type): Type {
  const combined = type.kind === "union" || type.kind === "intersection";
  if (type.kind === "object" || type.kind === "reference" || combined) return type;
  return { kind: "object", properties: [], others: { kind: "anything" } };
}

interface Style {
  /** The name of each definition, the root's first. */
  readonly names: readonly string[];
  readonly anything: "any" | "unknown";
  /** A map is a `Record`, which a type cannot be that contains itself. */
  readonly isLearned: boolean;
  readonly indent: string;
}

function emitType(type: Type, style: Style): string {
  switch (type.kind) {
    case "anything":
      return style.anything;
    case "never":
      return "never";
    case "primitive":
      return type.name;
    case "literal":
      return typeof type.value === "string" ? literal(type.value) : String(type.value);
    case "reference":
      return style.names[type.definition] ?? style.anything;
    case "array":
      return `${emitPart(type.item, style)}[]`;
    case "tuple": {
      const items = type.items.map((item, index) => {
        return `${emitPart(item, style)}${index < type.required ? "" : "?"}`;
      });
      if (type.rest) items.push(`...${emitPart(type.rest, style)}[]`);
      return `[${items.join(", ")}]`;
    }
    case "union":
    case "intersection": {
      const parts = new Set(type.members.map((member) => emitPart(member, style)));
      return [...parts].join(type.kind === "union" ? " | " : " & ");
    }
    case "object":
      return emitObject(type, style);
    default:
      return type satisfies never;
  }
}

/** A type that stands beside an operator. */
function emitPart(type: Type, style: Style): string {
  const combined = type.kind === "union" || type.kind === "intersection";
  return combined ? `(${emitType(type, style)})` : emitType(type, style);
}

function emitObject({ properties, others }: ObjectType, style: Style): string {
  if (style.isLearned && others && properties.length === 0) {
    return `Record<string, ${emitType(others, style)}>`;
  }
  const indent = `${style.indent}  `;
  const inner = { ...style, indent };
  const lines = properties.map(({ name, optional, type, doc }) => {
    const key = `${propertyName(name)}${optional ? "?" : ""}`;
    const text = `${indent}${key}: ${emitType(type, inner)};\n`;
    return `${comment(doc, indent, PROPERTY_DESCRIPTION)}${text}`;
  });
  // Not `unknown`: an interface of the program's own can be passed for an index of `any` only.
  const rest = others && (others.kind === "anything" ? "any" : emitType(others, inner));
  if (rest || properties.length === 0) lines.push(`${indent}[key: string]: ${rest ?? "never"};\n`);
  return lines.length === 1 && properties.length === 0
    ? `{ [key: string]: ${rest ?? "never"} }`
    : `{\n${lines.join("")}${style.indent}}`;
}

/** Writes a doc comment; no text without one. */
export function comment({ text, tags }: Doc, indent: string, limit: number): string {
  const lines = commentLines(text.trim(), limit);
  for (const { name, value } of tags) lines.push(`@${name} ${commentLine(value, 200)}`.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n` +
    `${indent} */\n`;
}
