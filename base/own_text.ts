/** Texts that are kept long. */

/** Copies a text that is kept longer than the one it was cut from: the engine keeps the whole of a text
 * for any part of it.
 *
 * @example
 * ```ts
 * import { ownText } from "#base";
 * console.assert(ownText("x".repeat(1_000_000).slice(0, 100)).length === 100);
 * ```
 */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
