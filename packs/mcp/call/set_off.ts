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

/** Schema of a form, in which each text for people is one line without invisible characters. */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, plainMember(key, value)]),
  );
}

function plainMember(key: string, value: JsonValue): JsonValue {
  if (key === "title" || key === "description") {
    return typeof value === "string" ? label(value) : plainValue(value);
  }
  if (key === "enumNames" && Array.isArray(value)) {
    return value.map((name: JsonValue) => typeof name === "string" ? label(name) : name);
  }
  return plainValue(value);
}

function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainValue);
  return isObject(value) ? plainSchema(value as JsonObject) : value;
}

function label(text: string): string {
  return escapeUnseen(text.toWellFormed().replaceAll(/\s+/g, " ")).slice(0, MOST_LABEL);
}
