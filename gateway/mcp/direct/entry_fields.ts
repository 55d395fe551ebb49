/** Fields of what servers list, as the protocol has them: clients refuse a whole list, with all servers
 * in it, for one field that is flawed (MCP 2025-11-25 §tools, §resources, §prompts). The schemas of the
 * SDK take thirty times as long, and half a second for tens of thousands of flaws in an entry. */

import { isObject, type JsonObject, type JsonValue } from "#base";

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isSafeInteger(value);
const isShare: Check = (value) => typeof value === "number" && value >= 0 && value <= 1;
const isTime: Check = (value) =>
  typeof value === "string" && TIME.test(value) &&
  new Date(value.slice(0, 19) + "Z").toJSON()?.slice(0, 19) === value.slice(0, 19);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function oneOf(...texts: readonly string[]): Check {
  return (value) => typeof value === "string" && texts.includes(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Check of an object with these fields; of those that are not needed, each may be missing. */
function objectOf(checks: Checks, needed: readonly string[] = []): Check {
  return (value) =>
    isObject(value) && needed.every((key) => Object.hasOwn(value, key)) &&
    Object.entries(checks).every(([key, check]) => !Object.hasOwn(value, key) || check(value[key]));
}

const HINTS: Checks = {
  title: isText,
  readOnlyHint: isFlag,
  destructiveHint: isFlag,
  idempotentHint: isFlag,
  openWorldHint: isFlag,
};
const ICON = objectOf({
  src: isText,
  mimeType: isText,
  sizes: listOf(isText),
  theme: oneOf("light", "dark"),
}, ["src"]);
const ENTRY: Checks = {
  title: isText,
  description: isText,
  mimeType: isText,
  size: isCount,
  icons: listOf(ICON),
  annotations: objectOf({
    audience: listOf(oneOf("user", "assistant")),
    priority: isShare,
    lastModified: isTime,
  }),
  arguments: listOf(
    objectOf({ name: isText, title: isText, description: isText, required: isFlag }, ["name"]),
  ),
  _meta: isObject,
};

/** Returns a resource, template or prompt without the fields that are flawed; undefined for one without
 * its names, or whose `uri` is no address. */
export function soundEntry(
  entry: unknown,
  id: "uri" | "uriTemplate" | "name",
): JsonObject | undefined {
  if (!isObject(entry) || typeof entry[id] !== "string" || typeof entry.name !== "string") return;
  if (id === "uri" && !URL.canParse(entry[id])) return undefined;
  return sound(entry as JsonObject, ENTRY);
}

/** Returns annotations of a tool without the hints that are flawed. */
export function soundHints(annotations: JsonObject): JsonObject {
  return sound(annotations, HINTS);
}

function sound(object: JsonObject, checks: Checks): JsonObject {
  const isFlawed = ([key, value]: readonly [string, JsonValue]) =>
    Object.hasOwn(checks, key) && checks[key]?.(value) !== true;
  const fields = Object.entries(object);
  if (!fields.some(isFlawed)) return object;
  return Object.fromEntries(fields.filter((field) => !isFlawed(field)));
}
