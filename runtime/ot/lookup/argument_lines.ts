/** Arguments of a tool in help: ranges, formats, allowed values and descriptions. */

import { isObject, type JsonValue, resolveReference } from "#base";
import { parameterNames, parameterSchema, type ToolEntry } from "#packs";
import { literalText } from "../../types/mod.ts";
import { foreignLine } from "./foreign.ts";
import type { Signature } from "./signature.ts";

type Schema = Record<string, unknown>;

/** Keywords that lines speak of. */
const KEYWORDS = [
  "default",
  "description",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maximum",
  "maxItems",
  "maxLength",
  "minimum",
  "minItems",
  "minLength",
  "multipleOf",
  "pattern",
];

/** References and choices that are followed to find the schema of a value. */
const MOST_STEPS = 8;
/** Arguments that are described. */
const MOST_ARGUMENTS = 100;
const MOST_VALUES = 30;
/** Allowed values that are looked at: thousands of arguments may share them. */
const MOST_READ = 1_000;
/** Allowed values that are shown however long they are. */
const LEAST_VALUES = 8;
const VALUES = 400;
const FACT = 80;

/** Writes a line `- name: …` for each argument about which the signature does not say all. */
export function argumentLines(
  { spec }: ToolEntry,
  { text: signature, names }: Signature,
  most: number,
): string[] {
  return parameterNames(spec.inputSchema).slice(0, MOST_ARGUMENTS).flatMap((name) => {
    const own = parameterSchema(spec.inputSchema, name);
    const schema = valueSchema(own, spec.inputSchema);
    const facts = factsOf(schema);
    const values = allowedValues(schema, spec.inputSchema);
    const texts = values.slice(0, MOST_VALUES).map(literalText);
    const isShown = values.length === texts.length &&
      texts.every((text) => signature.includes(text));
    if (!isShown) facts.push(`one of ${joined(texts, values.length)}`);
    const fallback = own.default ?? schema.default;
    const isNew = facts.length > 0 || !names.includes(name);
    if (isNew && fallback !== undefined && fallback !== null) {
      facts.push(`${foreignLine(JSON.stringify(fallback), FACT)} by default`);
    }
    const description = [own.description, schema.description].find((text) => {
      return typeof text === "string" && text.trim() !== "";
    });
    const about = description === undefined ? "" : foreignLine(String(description), most);
    if (facts.length === 0 && about === "") return [];
    const line = [facts.join(", "), about].filter(Boolean).join(". ");
    return [`- ${foreignLine(name, FACT)}: ${line}`];
  });
}

/** The schema of the value itself: behind a reference, beside `null`, or the only part. */
function valueSchema(schema: Schema, root: Schema): Schema {
  const chain = [schema];
  for (let at = nextSchema(schema, root); at && chain.length <= MOST_STEPS;) {
    chain.push(at);
    at = nextSchema(at, root);
  }
  return Object.fromEntries(KEYWORDS.flatMap((keyword) => {
    const value = chain.find((part) => part[keyword] !== undefined)?.[keyword];
    return value === undefined ? [] : [[keyword, value]];
  }));
}

function nextSchema({ $ref, anyOf, oneOf, allOf }: Schema, root: Schema): Schema | undefined {
  if (typeof $ref === "string") {
    const target = resolveReference(root, $ref);
    return isObject(target) ? target : undefined;
  }
  const parts = [anyOf, oneOf, allOf].find(Array.isArray)?.filter((part): part is Schema => {
    return isObject(part) && part.type !== "null";
  });
  return parts?.length === 1 ? parts[0] : undefined;
}

function factsOf(schema: Schema): string[] {
  const { format, pattern, multipleOf } = schema;
  return [
    rangeOf(schema, ["minimum", "maximum"], ""),
    numberOf(schema.exclusiveMinimum, "over "),
    numberOf(schema.exclusiveMaximum, "under "),
    numberOf(multipleOf, "a multiple of "),
    rangeOf(schema, ["minLength", "maxLength"], "character"),
    rangeOf(schema, ["minItems", "maxItems"], "item"),
    typeof format === "string" && format !== "" ? `format ${foreignLine(format, FACT)}` : "",
    typeof pattern === "string" && pattern !== "" ? `matches ${foreignLine(pattern, FACT)}` : "",
  ].filter((text) => text !== "");
}

/** `1 to 25`, `at least 1`, `at most 10 items`. */
function rangeOf(schema: Schema, [low, high]: readonly [string, string], unit: string): string {
  const [least, most] = [boundOf(schema[low]), boundOf(schema[high])];
  const isText = unit !== "" && (least ?? 0) <= 0;
  const text = most === undefined
    ? (least === undefined || isText ? "" : `at least ${least}`)
    : least === undefined || isText
    ? `at most ${most}`
    : least === most
    ? `${most}`
    : `${least} to ${most}`;
  if (text === "" || unit === "") return text;
  return `${text} ${unit}${(most ?? least) === 1 ? "" : "s"}`;
}

/** Number that is a real bound: generators write the largest number where there is no bound. */
function boundOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function numberOf(value: unknown, word: string): string {
  const bound = boundOf(value);
  return bound === undefined ? "" : `${word}${bound}`;
}

/** The values that an argument, or each item of it, may have. */
function allowedValues(schema: Schema, root: Schema): (string | number | boolean)[] {
  const items = isObject(schema.items) ? valueSchema(schema.items, root) : {};
  const values: readonly JsonValue[] = [schema.enum, items.enum].find(Array.isArray) ?? [];
  return values.slice(0, MOST_READ).filter(isLiteral);
}

function isLiteral(value: JsonValue): value is string | number | boolean {
  return typeof value !== "object";
}

/** The first of so many values. */
function joined(values: readonly string[], count: number): string {
  let length = 0;
  const kept = values.filter((value, at) => {
    length += value.length + 2;
    return at < LEAST_VALUES || length <= VALUES;
  });
  const more = count - kept.length;
  return foreignLine(kept.join(", "), Infinity) + (more > 0 ? `, … ${more} more` : "");
}
