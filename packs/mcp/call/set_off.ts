/** Text of a server as a person is shown it, set off from the words of Toolscript. */

import {
  escapeUnseen,
  isObject,
  type JsonObject,
  type JsonValue,
  setOff as setOffLines,
  shorten,
  visibleLine,
} from "#base";

const MOST_CHARACTERS = 4_000;
/** Limit of lines: more would push the first line out of a terminal. */
const MOST_LINES = 60;
const MOST_LABEL = 500;
const MOST_NAME = 140;

/** A text of a server: its name first, then every line with a mark, also where a line is broken. */
export function setOff(text: string, server: string): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  const parts = cut.toWellFormed().replaceAll("\t", "  ").split(/\r\n?|[\n\u2028\u2029\u0085\v\f]/);
  const lines = setOffLines(parts.map(visibleLine), { mark: "> " });
  const left = lines.length - MOST_LINES;
  const more = left > 0 ? [`> … (${left} more lines) …`] : [];
  return [`The server ${shorten(server, MOST_NAME)} asks:`, ...lines.slice(0, MOST_LINES), ...more]
    .join("\n");
}

/** Schema of a form, in which each text for people is one line without invisible characters. Where a
 * client would show a name or a value that is no such line, a title stands for it; a preset that is
 * none is left out, unless it is one of the choices. */
export function plainSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === "default" && !isPreset(value, schema)) return [];
    return [[key, plainMember(key, value)]];
  });
  return Object.fromEntries([...entries, ...titlesOf(schema)]);
}

function plainMember(key: string, value: JsonValue): JsonValue {
  if (key === "title" || key === "description") {
    return typeof value === "string" ? label(value) : plainValue(value);
  }
  if (key === "properties" && isObject(value)) return plainProperties(value as JsonObject);
  if (key === "enumNames" && Array.isArray(value)) {
    return value.map((name: JsonValue) => typeof name === "string" ? label(name) : name);
  }
  return plainValue(value);
}

function plainProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const plain = plainValue(property);
      if (!isObject(plain) || isText(plain.title) || isLabel(name)) {
        return [name, plain];
      }
      return [name, { ...plain as JsonObject, title: label(name) }];
    }),
  );
}

function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainValue);
  return isObject(value) ? plainSchema(value as JsonObject) : value;
}

/** Titles for choices of a schema that have none and are no line: MCP 2025-11-25 §elicitation. */
function titlesOf(schema: JsonObject): [string, JsonValue][] {
  const { const: choice, title, enum: choices, enumNames } = schema;
  const titles: [string, JsonValue][] = [];
  if (!isText(title) && typeof choice === "string" && !isLabel(choice)) {
    titles.push(["title", label(choice)]);
  }
  if (!Array.isArray(choices) || choices.every(isPlain)) return titles;
  if (Array.isArray(enumNames) && choices.every((_, at) => isText(enumNames[at]))) return titles;
  const names = choices.map((name: JsonValue) => typeof name === "string" ? label(name) : name);
  return [...titles, ["enumNames", names]];
}

function isPreset(preset: JsonValue, schema: JsonObject): boolean {
  const presets = Array.isArray(preset) ? preset : [preset];
  const choices = new Set(choicesOf(schema));
  return presets.every((value: JsonValue) => isPlain(value) || choices.has(value));
}

function choicesOf({ enum: values, oneOf, anyOf, items }: JsonObject): JsonValue[] {
  const titled = [oneOf, anyOf].flatMap((choices) => Array.isArray(choices) ? choices : []);
  return [
    ...(Array.isArray(values) ? values : []),
    ...titled.flatMap((choice) => isObject(choice) ? [(choice as JsonObject).const ?? null] : []),
    ...(isObject(items) ? choicesOf(items as JsonObject) : []),
  ];
}

/** Returns true for a text that a client shows in place of a name. */
function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isPlain(value: JsonValue): boolean {
  return typeof value !== "string" || isLabel(value);
}

function isLabel(text: string): boolean {
  return visibleLine(text) === text && text.isWellFormed();
}

function label(text: string): string {
  return escapeUnseen(text.toWellFormed().replaceAll(/\s+/g, " ")).slice(0, MOST_LABEL);
}
