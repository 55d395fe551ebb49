/** Schemas so simple that work on them needs no time limit. */

import { sizeAsJson } from "./json_size.ts";

const MOST_CHARACTERS = 8_000;
const REFERENCE = /"\$(?:ref|dynamicRef|recursiveRef)"/;

/** True for a small value that holds schemas without references.
 *
 * @example
 * ```ts
 * import { isPlainSchema } from "#base";
 * console.assert(isPlainSchema({ type: "string" }));
 * console.assert(!isPlainSchema({ items: { $ref: "#" } }));
 * ```
 */
export function isPlainSchema(value: unknown): boolean {
  return sizeAsJson(value, MOST_CHARACTERS) <= MOST_CHARACTERS &&
    !REFERENCE.test(JSON.stringify(value));
}
