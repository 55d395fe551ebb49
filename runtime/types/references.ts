/** Local references of a schema. Nothing else is ever looked up: not a file, not an address. */

import { attempt, isObject } from "#base";
const MAX_PARTS = 32;

/** Resolves `reference` inside `root`: `#`, `#/$defs/x`; undefined when it leads nowhere. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  const parts = pointerParts(reference);
  if (parts.length > MAX_PARTS) return undefined;
  let value = root;
  for (const part of parts) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** The last part of a reference, for a name. */
export function referenceName(reference: string): string {
  return pointerParts(reference).at(-1) ?? "";
}

function pointerParts(reference: string): string[] {
  return reference.slice(2).split("/").map((part) => {
    return decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
  });
}

function decode(part: string): string {
  // A stray `%` is a plain character.
  return attempt(() => decodeURIComponent(part), part);
}
