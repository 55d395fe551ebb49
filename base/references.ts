/** Local references of a JSON Schema. Nothing else is ever looked up: not a file, not an address. */

import { attempt } from "./attempt.ts";
import { isObject } from "./json.ts";

const MAX_LENGTH = 500;
const MAX_PARTS = 32;

/** Resolves `reference` inside `root`: `#`, `#/$defs/x`; undefined when it leads nowhere. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/") || reference.length > MAX_LENGTH) return undefined;
  const parts = pointerParts(reference);
  if (parts.length > MAX_PARTS) return undefined;
  let value = root;
  for (const part of parts) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** The last part of a reference that leads somewhere, for a name. */
export function referenceName(reference: string): string {
  return pointerParts(reference).at(-1) ?? "";
}

/** The parts of a short reference, up to one more than it may have. */
function pointerParts(reference: string): string[] {
  const pointer = reference.slice(2);
  // With a stray `%` all is plain. Decoded as a whole: each failure costs an exception.
  const decoded = attempt(() => decodeURIComponent(pointer), pointer);
  return decoded.split("/", MAX_PARTS + 1).map((part) => {
    return part.replaceAll("~1", "/").replaceAll("~0", "~");
  });
}
