/** Documents of authorization servers and resources: metadata, registrations, codes for devices. */

import { isObject } from "#base";

const MOST_FIELDS = 200;
const MOST_CHARACTERS = 16_384;
/** Entries of one list. */
const MOST_ENTRIES = 500;

/** The document with nothing but texts, numbers, truths and lists of texts, bounded: the client library
 * describes each flaw of what it reads. Undefined for what is no object. */
export function trimDocument(document: unknown): Record<string, unknown> | undefined {
  if (!isObject(document)) return undefined;
  const fields = Object.entries(document).filter(([name]) => isText(name)).slice(0, MOST_FIELDS);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, trimValue(value)]).filter(([, value]) =>
      value !== undefined
    ),
  );
}

function trimValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isText).slice(0, MOST_ENTRIES);
  const isPlain = isText(value) || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MOST_CHARACTERS;
}
